import { Command } from 'commander';
import { readSettings, type Settings } from '../src/kernel/settings.ts';
import { membersPlace } from '../src/members/http/cookie-domain.ts';
import { openMembers } from './open-members.ts';
import { failed } from './run-command.ts';
import { print, printJson } from './terminal.ts';

interface Options {
  readonly platform?: string;
  readonly json?: boolean;
}

interface Check {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
}

export function doctorCommand(): Command {
  return new Command('doctor')
    .summary('check that single sign-on can work')
    .description(
      'Checks the settings and, where the service answers, its clock, its refusal of browsers and its CORS. With ' +
        'MARU_DATA of this machine, also the platform’s origins and keys.',
    )
    .option('--platform <code>', 'check this platform’s origins and keys too')
    .option('--json', 'as JSON')
    .action(doctor);
}

async function doctor({ platform, json }: Options): Promise<void> {
  const settings = readSettings(process.env);
  const checks = [placeCheck(settings)];
  if (checks[0]!.ok) checks.push(...(await serviceChecks(membersPlace(settings).url)));
  if (platform !== undefined) checks.push(...(await platformChecks(settings, platform)));
  if (json) printJson(checks);
  else
    for (const { check, ok, detail } of checks)
      print(`${ok ? 'ok  ' : 'FAIL'} ${check}: ${detail}`);
  if (checks.some(({ ok }) => !ok)) failed();
}

function placeCheck(settings: Settings): Check {
  try {
    const { url, cookies, isDevelopment } = membersPlace(settings);
    const detail = isDevelopment
      ? `${url} is development: cookies lack Secure and Domain`
      : `${url} lies under ${cookies.domain}`;
    return { check: 'cookie domain', ok: true, detail };
  } catch (error) {
    return { check: 'cookie domain', ok: false, detail: messageOf(error) };
  }
}

async function serviceChecks(url: string): Promise<Check[]> {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const before = Date.now();
    const me = await fetch(`${url}/auth/me`, { signal });
    const skewMs = Math.abs(Date.parse(me.headers.get('date') ?? '') - before);
    const headers = { Origin: 'https://stranger.invalid', 'Content-Type': 'application/json' };
    const asPage = { method: 'POST', headers, body: '{}', signal };
    const refused = await fetch(`${url}/members/register`, asPage);
    const allowed = refused.headers.get('access-control-allow-origin');
    return [
      { check: 'service', ok: me.status === 200, detail: `GET /auth/me answers ${me.status}` },
      {
        check: 'clock',
        ok: skewMs < skewMsMax,
        detail: `the service’s clock is ${Math.round(skewMs / 1000)} s from this machine’s`,
      },
      {
        check: 'browsers',
        ok: refused.status === 401,
        detail: `a page’s registration is answered ${refused.status}`,
      },
      {
        check: 'CORS',
        ok: allowed === null,
        detail: `a stranger’s page is allowed ${allowed ?? 'nothing'}`,
      },
    ];
  } catch (error) {
    return [{ check: 'service', ok: false, detail: `${url} does not answer: ${messageOf(error)}` }];
  }
}

async function platformChecks(settings: Settings, code: string): Promise<Check[]> {
  await using opened = openMembers(settings);
  const { context } = opened;
  const platform = await context.platforms.byCode(code);
  if (platform === null) {
    return [{ check: 'platform', ok: false, detail: `there is no platform ${code}` }];
  }
  const { domain } = membersPlace(settings).cookies;
  const outside = platform.origins.filter((origin) => !liesUnder(new URL(origin).hostname, domain));
  const now = context.now();
  const keys = (await context.store.read.keys.list(platform.id, keysMax)).filter(
    ({ revokedAt, expiresAt }) => revokedAt === null && (expiresAt ?? Infinity) > now,
  );
  const scopes = new Set(keys.flatMap((key) => key.scopes));
  const seen = keys.filter(({ browserSeenDay }) => browserSeenDay !== null);
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
      detail: `${keys.length} live keys with ${[...scopes].join(' ')}`,
    },
    {
      check: 'keys in pages',
      ok: seen.length === 0,
      detail:
        seen.length === 0
          ? 'none was seen in a browser'
          : `${seen.map(({ kid }) => kid).join(', ')} came from a browser: revoke it as leaked`,
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

const timeoutMs = 5_000;
const skewMsMax = 30_000;
const keysMax = 200;
