import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { readSettings, type Settings } from '../src/kernel/settings.ts';
import { membersConfig } from '../src/members/http/members-config.ts';
import { databaseChecks, replicaChecks } from './doctor-database.ts';
import { keyChecks, originCheck, relayCheck, requestTimeout, type Check } from './doctor-remote.ts';
import { openMembers } from './open-members.ts';
import { markFailed } from './run-command.ts';
import { print, printJson, withNoun } from './terminal.ts';

interface Options {
  readonly platform?: string;
  readonly origin?: readonly string[];
  readonly keyFile?: string;
  readonly login?: string;
  readonly loginBody?: string;
  readonly json?: boolean;
}

export function doctorCommand(): Command {
  return new Command('doctor')
    .description(
      'Checks the settings and, if the service answers, its clock, its refusal of browsers and its CORS. Run it on the ' +
        'platform’s own host with its key and a login of a test user, and on the service’s host with MARU_DATA. With DATABASE_URL it also checks the database: a synchronous standby, ' +
        'encryption, time-outs, clock, privileges, the archive of the log, and MARU_PROCESSES; and with DATABASE_REPLICA_URL that the replica follows.',
    )
    .option(
      '--platform <code>',
      'check this platform too; its settings only on the host of the service',
    )
    .option('--origin <url...>', 'check that pages of these origins may call the service')
    .option('--key-file <file>', 'check the scopes of the key in this file; needs --platform')
    .option('--login <url>', 'a login URL of the platform that relays the cookies')
    .option(
      '--login-body <json>',
      'body to post to it, JSON or a form such as email=a@example.com&password=…; GET without one',
    )
    .option('--json', 'as JSON')
    .action(doctor);
}

async function doctor(options: Options, command: Command): Promise<void> {
  const { platform, keyFile, json } = options;
  if (keyFile !== undefined && platform === undefined) {
    command.error('error: --key-file needs --platform, the platform of the key', { exitCode: 2 });
  }
  const settings = readSettings(process.env);
  const checks = [configCheck(settings)];
  if (checks[0]!.ok) checks.push(...(await remoteChecks(settings, options)));
  const { DATABASE_URL: url, DATABASE_REPLICA_URL: replicaUrl } = settings;
  if (url !== null) checks.push(...(await databaseChecks(url, settings.MARU_PROCESSES)));
  if (url !== null && replicaUrl !== null) checks.push(...(await replicaChecks(replicaUrl, url)));
  if (platform !== undefined) checks.push(...(await platformChecks(settings, platform)));
  if (json) printJson(checks);
  else
    for (const { check, ok, detail } of checks)
      print(`${ok ? 'ok  ' : 'FAIL'} ${check}: ${detail}`);
  if (checks.some(({ ok }) => !ok)) markFailed();
}

function configCheck(settings: Settings): Check {
  try {
    const { url, cookies, isDevelopment } = membersConfig(settings);
    const detail = isDevelopment
      ? `${url} is development: cookies lack Secure and Domain`
      : `${url} is inside ${cookies.domain}`;
    return { check: 'cookie domain', ok: true, detail };
  } catch (error) {
    return { check: 'cookie domain', ok: false, detail: messageOf(error) };
  }
}

async function remoteChecks(settings: Settings, options: Options): Promise<readonly Check[]> {
  const { url, cookies } = membersConfig(settings);
  const { platform, origin: origins = [], keyFile, login, loginBody } = options;
  const checks: Check[] = [];
  try {
    checks.push(...(await serviceChecks(url)));
    for (const origin of origins) checks.push(await originCheck(url, origin, platform));
    if (keyFile !== undefined) checks.push(...(await keyChecks(url, platform!, keyFile)));
    if (login !== undefined) checks.push(await relayCheck(url, cookies.domain, login, loginBody));
  } catch (error) {
    const hint = 'Give the doctor the PORT or MARU_MEMBERS_URL that the service was started with';
    checks.push({ check: 'service', ok: false, detail: `${url}: ${messageOf(error)}. ${hint}` });
  }
  return checks;
}

async function serviceChecks(url: string): Promise<readonly Check[]> {
  const sentAt = Date.now();
  const me = await fetch(`${url}/auth/me`, { signal: requestTimeout() });
  await me.arrayBuffer();
  const skewMs = Math.abs(Date.parse(me.headers.get('date') ?? '') - sentAt);
  const headers = { Origin: 'https://stranger.invalid', 'Content-Type': 'application/json' };
  const asPage = { method: 'POST', headers, body: '{}', signal: requestTimeout() };
  const refusal = await fetch(`${url}/members/register`, asPage);
  await refusal.arrayBuffer();
  const allowedOrigin = refusal.headers.get('access-control-allow-origin');
  return [
    { check: 'service', ok: me.status === 200, detail: `GET /auth/me answers ${me.status}` },
    {
      check: 'clock',
      ok: skewMs < skewMsMax,
      detail: `the clock of the service differs by ${Math.round(skewMs / 1000)} s`,
    },
    {
      check: 'browsers',
      ok: refusal.status === 401,
      detail: `a registration from a page is refused with ${refusal.status}`,
    },
    {
      check: 'strangers',
      ok: allowedOrigin === null,
      detail:
        allowedOrigin === null
          ? 'unregistered origins may not read'
          : `an unregistered origin may read as ${allowedOrigin}`,
    },
  ];
}

async function platformChecks(settings: Settings, code: string): Promise<Check[]> {
  // The platform's own host has no store, and the check must not create one.
  const isFileMissing = !existsSync(join(settings.MARU_DATA, 'members/members.db'));
  if (settings.DATABASE_URL === null && isFileMissing) return [];
  await using opened = await openMembers(settings);
  const { context } = opened;
  const platform = await context.platforms.byCode(code);
  if (platform === null) {
    return [{ check: 'platform', ok: false, detail: `there is no platform ${code}` }];
  }
  const { domain } = membersConfig(settings).cookies;
  const outside = platform.origins.filter((origin) => !liesUnder(new URL(origin).hostname, domain));
  const keys = await context.store.read.keys.live(platform.id, context.now(), keysMax);
  const scopes = new Set(keys.map((key) => key.scopes.join(' ')));
  const leaked = keys.filter(({ browserSeenDay }) => browserSeenDay !== null);
  return [
    {
      check: 'platform',
      ok: !platform.disabled,
      detail: platform.disabled ? `${code} is disabled` : `${code} is enabled`,
    },
    {
      check: 'origins',
      ok: !platform.cookieDomain || outside.length === 0,
      detail:
        outside.length === 0
          ? `${platform.origins.length} origins`
          : `${outside.join(', ')} cannot receive cookies of ${domain}: add the platform with --no-cookie-domain`,
    },
    {
      check: 'keys',
      ok: keys.length > 0,
      detail: `${withNoun(keys.length, 'live key')} with ${[...scopes].slice(0, 5).join(', or with ')}`,
    },
    {
      check: 'keys in pages',
      ok: leaked.length === 0,
      detail:
        leaked.length === 0
          ? 'no key was sent by a browser'
          : `${leaked.map(({ kid }) => kid).join(', ')} was sent by a browser: revoke it as leaked`,
    },
  ];
}

function liesUnder(hostname: string, domain: string | null): boolean {
  return domain === null || hostname === domain || hostname.endsWith(`.${domain}`);
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}

const skewMsMax = 30_000;
const keysMax = 200;
