import { existsSync } from 'node:fs';
import { collectPaths, openJobs } from '../src/harvest/runs/job-store.ts';
import { quotasOf } from '../src/harvest/runs/quota-store.ts';
import { storedFindings } from '../src/harvest/runs/findings.ts';
import { Runs } from '../src/harvest/runs/runs.ts';
import { koreanDay } from '../src/data/korean-time.ts';
import type { ServerContext } from '../src/kernel/http/server-context.ts';
import type { Router } from '../src/kernel/http/router.ts';
import type { RunningServer, ServerOptions } from '../src/kernel/http/server.ts';
import type { Log } from '../src/kernel/log.ts';
import { UnsafeSettingsError, type Settings } from '../src/kernel/settings.ts';
import { isThisMachine } from '../src/kernel/this-machine.ts';
import { addMembers } from '../src/members/http/app.ts';
import { addMembersDescription } from '../src/members/http/description.ts';
import { membersConfig, type MembersConfig } from '../src/members/http/members-config.ts';
import type { Collections, Quotas } from '../src/admin/api/call.ts';
import { Operators } from '../src/admin/operators/operators.ts';
import { PlatformTraffic } from '../src/members/http/platform-traffic.ts';
import { SessionSightings } from '../src/members/http/session-sightings.ts';
import { Upkeep } from '../src/members/http/upkeep.ts';
import { scopes } from '../src/contract/enumerations.ts';
import { issueKey } from '../src/members/keys.ts';
import { declarePlatforms } from '../src/members/platforms.ts';
import { Problem } from '../src/kernel/problem.ts';
import { readPlatformConfiguration } from '../src/members/platform-configuration.ts';
import { reapplyErasures } from '../src/members/reapply-erasures.ts';
import { createAdminSite } from '../src/admin/pages/site.ts';
import { addStandaloneDocs } from '../src/web/standalone-docs.ts';
import { declarePlatformFile, openMembers, type OpenedMembers } from './open-members.ts';
import { adminPort, type ServiceStart } from './service-start.ts';

/** The members service of this process. */
export class MembersService implements AsyncDisposable {
  readonly #settings: Settings;
  readonly #config: MembersConfig;
  readonly #opened: OpenedMembers;
  readonly #upkeep: Upkeep;
  readonly #sightings = new SessionSightings();
  readonly #traffic = new PlatformTraffic(Date.now());
  readonly #operators: Operators;
  /** File with the token for the first operator; null once there is an operator. */
  readonly #firstTokenFile: string | null;
  /** Key of the platform `demo`; shown once. */
  readonly #demoKey: string | null;

  private constructor(
    settings: Settings,
    config: MembersConfig,
    opened: OpenedMembers,
    { operators, firstToken, demoKey }: OpenedObjects,
    log: Log,
  ) {
    this.#settings = settings;
    this.#config = config;
    this.#opened = opened;
    this.#demoKey = demoKey;
    this.#operators = operators;
    this.#firstTokenFile = firstToken;
    this.#upkeep = new Upkeep(opened.context, log, {
      eventDays: daysOf(settings.MARU_EVENT_DAYS),
      auditDays: daysOf(settings.MARU_AUDIT_DAYS),
      accessLogDays: daysOf(settings.MARU_ACCESS_LOG_DAYS),
    });
  }

  /** Throws `UnsafeSettingsError` if sessions could leak or get lost with the settings. */
  static async open({ settings, log, progress }: ServiceStart): Promise<MembersService> {
    const config = membersConfig(settings);
    if (config.isDevelopment && !isThisMachine(settings.HOST)) {
      throw new UnsafeSettingsError(
        `HOST is ${settings.HOST}, open to other machines, and MARU_MEMBERS_URL is not set. Set MARU_MEMBERS_URL and MARU_COOKIE_DOMAIN, or HOST=127.0.0.1.`,
      );
    }
    const opened = await openMembers(settings, log);
    try {
      await reapplyLedger(opened, log);
      const { MARU_MEMBERS_CONFIG: file } = settings;
      if (file !== null) await declareConfiguredPlatforms(opened, file);
      if (config.isDevelopment) {
        log.warning('development_mode', { cookies: 'without Secure and Domain' });
        progress.note(
          'DEVELOPMENT: session cookies lack Secure and Domain. Set MARU_MEMBERS_URL before you serve users.',
        );
      }
      const demoKey = config.isDevelopment ? await addDemoPlatform(opened, settings.PORT) : null;
      const operators = await Operators.open(opened.context, opened.folder);
      const firstToken = await operators.firstTokenPath();
      const objects = { operators, firstToken, demoKey };
      return new MembersService(settings, config, opened, objects, log);
    } catch (error) {
      await opened[Symbol.asyncDispose]();
      throw error;
    }
  }

  addTo(router: Router, { isStandalone }: { readonly isStandalone: boolean }): void {
    const { context } = this.#opened;
    const host = addMembers({
      router,
      context,
      config: this.#config,
      sightings: this.#sightings,
      traffic: this.#traffic,
    });
    if (!isStandalone) return;
    addMembersDescription(router, host);
    addStandaloneDocs(router, this.#settings);
  }

  /** The operator's listener, on this machine only. */
  adminServers(server: ServerContext): readonly ServerOptions[] {
    const { context } = this.#opened;
    const { MARU_DATA: data } = this.#settings;
    const router = createAdminSite({
      server,
      context,
      data,
      operators: this.#operators,
      origin: this.#settings.MARU_ADMIN_ORIGIN,
      rateScale: this.#config.rateScale,
      collections: () => latestCollections(data),
      quotas: () => quotasOfToday(data),
      traffic: this.#traffic,
      suspectedSessions: () => this.#sightings.suspected(),
    });
    const port = adminPort(this.#settings);
    return [{ router, host: '127.0.0.1', port, portSetting: 'ADMIN_PORT' }];
  }

  greeting(server: RunningServer, admin: RunningServer | undefined): readonly string[] {
    const file = this.#firstTokenFile;
    const tokenLines =
      file === null ? [] : [`  Token for the first operator, for 24 hours, in  ${file}`];
    // Passkeys work at `localhost`, not at an IP address.
    const site = this.#settings.MARU_ADMIN_ORIGIN ?? `http://localhost:${admin?.port}`;
    const operators = admin === undefined ? [] : [`  Operators       ${site}/`, ...tokenLines];
    const address = this.#settings.MARU_MEMBERS_URL ?? `http://localhost:${server.port}`;
    const demo =
      this.#demoKey === null
        ? []
        : ['', `  Key of the platform demo, shown once:  ${this.#demoKey}`];
    const mode = this.#config.isDevelopment ? '  (development: no Secure, no Domain)' : '';
    return ['', `  Members         ${address}${mode}`, ...operators, ...demo];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#upkeep[Symbol.asyncDispose]();
    await this.#opened[Symbol.asyncDispose]();
  }
}

/** Erases again the members that a restored backup has brought back, before the first request. */
async function reapplyLedger({ context, ledger }: OpenedMembers, log: Log): Promise<void> {
  const { members, damaged } = await reapplyErasures(context, ledger);
  if (members > 0) log.warning('erasures_reapplied', { members });
  if (damaged > 0) log.warning('erasure_ledger_damaged', { lines: damaged });
}

/** Objects that `MembersService.open` creates. */
interface OpenedObjects {
  readonly operators: Operators;
  readonly firstToken: string | null;
  readonly demoKey: string | null;
}

/** Days of retention; null for 0, which keeps everything. */
function daysOf(setting: number): number | null {
  return setting === 0 ? null : setting;
}

/** Declares the platforms of the configuration file. A fault of the file is an `UnsafeSettingsError`, one of the store is not. */
async function declareConfiguredPlatforms({ context }: OpenedMembers, file: string): Promise<void> {
  const operator = { actor: 'system', reason: 'declared in the configuration' };
  try {
    await declarePlatformFile(context, file, operator);
  } catch (error) {
    if (!(error instanceof Error) || error instanceof Problem) throw error;
    throw new UnsafeSettingsError(`MARU_MEMBERS_CONFIG ${error.message}`);
  }
}

/** The latest collections for the operator's pages, read here because admin does not import harvest. */
function latestCollections(data: string): ReturnType<Collections> {
  if (!existsSync(collectPaths(data).jobs)) return [];
  using jobs = openJobs(data);
  const findings = Map.groupBy(storedFindings(jobs), ({ axis }) => axis);
  return new Runs(jobs, Date.now).latest().map((run) => ({
    axis: run.axis,
    origin: run.origin,
    state: run.state,
    asked_at: new Date(run.moment).toISOString(),
    finished_at: run.finished === null ? null : new Date(run.finished).toISOString(),
    rows: run.rows,
    requests: `${run.requests}/${run.planned}`,
    requests_sent: run.requests,
    requests_planned: run.planned,
    progressed_at: run.progressed === null ? null : new Date(run.progressed).toISOString(),
    message: run.message,
    findings: (findings.get(run.axis) ?? []).map(({ kind, count }) => ({ kind, count })),
  }));
}

/** Requests of today in Korea, where the quotas of the portal start anew at midnight. */
function quotasOfToday(data: string): ReturnType<Quotas> {
  if (!existsSync(collectPaths(data).jobs)) return [];
  using jobs = openJobs(data);
  return quotasOf(jobs, koreanDay(Date.now())).map((quota) => ({
    ...quota,
    is_spent: quota.used === null || (quota.limit !== null && quota.used >= quota.limit),
  }));
}

/** Adds the platform `demo` to a store without platforms and returns its key; null for any other store. */
async function addDemoPlatform({ context }: OpenedMembers, port: number): Promise<string | null> {
  if ((await context.platforms.all()).length > 0) return null;
  const operator = { actor: 'system', reason: 'the first start of an empty folder' };
  const origins = port === 0 ? [] : [`http://localhost:${port}`, `http://127.0.0.1:${port}`];
  const demo = { code: 'demo', name: 'Demo', origins };
  await declarePlatforms(context, readPlatformConfiguration({ platforms: [demo] }), operator);
  const request = { platform: 'demo', scopes, environment: 'test', label: 'first start' } as const;
  return (await issueKey(context, request, operator)).secret;
}
