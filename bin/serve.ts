import { Argument, Command } from 'commander';
import { Hono } from 'hono';
import { sampleFileCodes } from '../sample/files/datasets.ts';
import { axisDefinitions } from '../src/collect/axes/definitions.ts';
import { firstStart } from '../src/collect/first-start.ts';
import type { DescribedService } from '../src/contract/openapi.ts';
import type { HeldAxis } from '../src/data/axis.ts';
import { axisCodes } from '../src/data/snapshot/layout.ts';
import { BuildInProgress } from '../src/data/snapshot/lock.ts';
import { currentId, readManifest } from '../src/data/snapshot/shelf.ts';
import type { Connection } from '../src/kernel/http/exchange.ts';
import { createFront, type Front } from '../src/kernel/http/front.ts';
import { refuseOtherPaths, type App } from '../src/kernel/http/route.ts';
import type { ServerOptions } from '../src/kernel/http/server.ts';
import { createLog, type Log } from '../src/kernel/log.ts';
import { serveUntilStopped } from '../src/kernel/run.ts';
import { readSettings, SettingsError, type Settings } from '../src/kernel/settings.ts';
import { createLookupApp } from '../src/lookup/app.ts';
import { StoreHolder } from '../src/lookup/current-store.ts';
import { SnapshotFollower } from '../src/lookup/follow.ts';
import { createAdminApp } from '../src/lookup/health.ts';
import { isThisMachine } from '../src/members/http/cookie-domain.ts';
import { addClientScript } from '../src/web/client-script.ts';
import { addDocsAlone, createSite } from '../src/web/site.ts';
import { openDatasets } from './collect-files.ts';
import { scheduleCollections } from './collect-schedule.ts';
import { openSampleDoors } from './door-access.ts';
import { openSamplePortal } from './portal-client.ts';
import { ServedMembers } from './serve-members.ts';
import { stopSignal } from './stop-signal.ts';
import { count, ProgressLine } from './terminal.ts';

export function serveCommand(): Command {
  return new Command('serve')
    .summary('serve what is held, and members')
    .description(
      'Serves the lookup service and the members service on PORT. With an empty data folder it first holds what is ' +
        'true without a key (holidays, anniversaries, solar terms, the region table), and sample data for every ' +
        'other axis and some files; and it makes a platform demo to try the members service with. With MARU_COLLECT=on it also ' +
        'collects each axis from the portal by its own cycle.',
    )
    .addArgument(
      new Argument('[services...]', 'the services to serve; all without a name').choices(services),
    )
    .action(serve);
}

/** `lookup` is the interface alone, `web` the interface with its pages. */
const services = ['lookup', 'web', 'members'];

async function serve(asked: string[]): Promise<void> {
  const settings = readSettings(process.env);
  if (settings.MARU_COLLECT === 'on' && settings.MARU_SERVICE_KEY === null) {
    throw new SettingsError([
      'MARU_COLLECT=on needs MARU_SERVICE_KEY, from https://www.data.go.kr.',
    ]);
  }
  const log = createLog({ level: settings.MARU_LOG });
  using note = new ProgressLine();
  const wanted = wantedServices(asked, settings, note);
  await using stack = new AsyncDisposableStack();
  const front = createFront(log);
  const members = wanted.includes('members')
    ? stack.use(await ServedMembers.open(settings, log, note))
    : null;
  const holder = wanted.includes('lookup') ? await openLookup(stack, settings, log, note) : null;
  const app = applicationOf(wanted, settings, front, holder);
  members?.addTo(app, front, { alone: holder === null });
  if (holder === null) addDocsAlone(app, { front, settings });
  using _schedule = settings.MARU_COLLECT === 'on' ? scheduleCollections(log, settings) : null;
  if (members !== null || wanted.includes('pages')) addClientScript(app, front);
  const main: ServerOptions = { app, front, host: settings.HOST, port: settings.PORT };
  await serveUntilStopped({
    servers: [main, ...(members?.adminServers(front) ?? probes(settings, front, holder))],
    log,
    started: ([server, admin]) => {
      const docs = `  Docs            ${server!.address}/docs`;
      const lines = holder === null ? ['', docs] : lookupGreeting(server!.address, holder);
      note.note([...lines, ...(members?.greeting(server!, admin) ?? []), ''].join('\n'));
    },
  });
}

type WantedService = DescribedService | 'pages';

/** Without a name members are served where nobody but this machine can reach them, or where they are set up. */
function wantedServices(
  asked: readonly string[],
  settings: Settings,
  note: ProgressLine,
): readonly WantedService[] {
  if (asked.length > 0) {
    return [
      ...(asked.includes('lookup') || asked.includes('web') ? (['lookup'] as const) : []),
      ...(asked.includes('web') ? (['pages'] as const) : []),
      ...(asked.includes('members') ? (['members'] as const) : []),
    ];
  }
  if (isThisMachine(settings.HOST) || settings.MARU_MEMBERS_URL !== null) {
    return ['lookup', 'pages', 'members'];
  }
  note.note(
    'Members are not served to other machines before MARU_MEMBERS_URL and MARU_COOKIE_DOMAIN are set.',
  );
  return ['lookup', 'pages'];
}

async function openLookup(
  stack: AsyncDisposableStack,
  settings: Settings,
  log: Log,
  note: ProgressLine,
): Promise<StoreHolder> {
  const data = settings.MARU_DATA;
  if (currentId(data) === null) await startFirst(data, note);
  else if (!holdsReadableAxis(data)) await addCalendar(data, note);
  const holder = stack.use(new StoreHolder());
  stack.use(new SnapshotFollower(settings.MARU_DATA, holder, log));
  return holder;
}

function holdsReadableAxis(data: string): boolean {
  try {
    const held = new Set(axisCodes(readManifest(data, currentId(data)!)));
    return axisDefinitions.some(({ code }) => held.has(code));
  } catch {
    // A snapshot that cannot be read is the follower’s to say.
    return true;
  }
}

/**
 * Whoever loaded files before the first start gets what is true without a key beside them, and no sample data
 * between their own. What is held already is served even while another process builds.
 */
async function addCalendar(data: string, note: ProgressLine): Promise<void> {
  try {
    const { axes, rows } = await firstStart(data, null);
    note.note(
      `First start: holding the calendar and the regions too (${axes} axes, ${count(rows)} records).`,
    );
  } catch (error) {
    if (!(error instanceof BuildInProgress)) throw error;
    note.note('Another process is building a snapshot: the calendar comes with the next start.');
  }
}

async function startFirst(data: string, note: ProgressLine): Promise<void> {
  note.note(
    'First start: holding the calendar, and sample data for the other axes and some files …',
  );
  await using portal = await openSamplePortal();
  using files = openDatasets(sampleFileCodes, data, portal, {});
  await using doors = await openSampleDoors();
  using stop = stopSignal();
  let told = 0;
  const { axes, rows } = await firstStart(data, {
    client: portal.client,
    datasets: files.datasets,
    doors,
    signal: stop.signal,
    onProgress: (step) =>
      note.update(
        `${step.axesDone}/${step.axesTotal} axes · ${step.axis} · ${count(step.rows)} rows`,
      ),
    onAxis: () => {
      if (++told % toldEvery === 0) note.note(`  ${told} axes …`);
    },
  });
  stop.signal.throwIfAborted();
  note.note(
    `Holding ${axes} axes with ${count(rows)} records, a sample catalog and sample demand.`,
  );
}

/** In a pipe a line now and then shows that it goes on. */
const toldEvery = 20;

/** The operator's listener where no members are served: probes and metrics. */
function probes(
  settings: Settings,
  front: Front,
  holder: StoreHolder | null,
): readonly ServerOptions[] {
  if (holder === null) return [];
  const app = createAdminApp({ holder, front });
  const port = adminPort(settings);
  return [{ app, front, host: '127.0.0.1', port, portSetting: 'ADMIN_PORT' }];
}

/** A free one where the main port is a free one. */
function adminPort({ ADMIN_PORT, PORT }: Settings): number {
  if (ADMIN_PORT !== null) return ADMIN_PORT;
  return PORT === 0 || PORT === 65_535 ? 0 : PORT + 1;
}

function applicationOf(
  wanted: readonly WantedService[],
  settings: Settings,
  front: Front,
  holder: StoreHolder | null,
): App {
  if (holder !== null) {
    const described = wanted.filter((service) => service !== 'pages');
    const create = wanted.includes('pages') ? createSite : createLookupApp;
    return create({ holder, settings, front, services: described });
  }
  const app: App = new Hono<{ Bindings: Connection }>();
  refuseOtherPaths(app, front);
  return app;
}

function lookupGreeting(address: string, holder: StoreHolder): string[] {
  const lease = holder.current();
  const axes = [...(lease?.store.axes.values() ?? [])];
  const isSampleCatalog = lease?.store.catalog.origin === 'sample';
  lease?.release();
  const rows = axes.reduce((sum, axis) => sum + axis.rows, 0);
  return [
    '',
    `  Maru            ${address}/`,
    `  Docs            ${address}/docs`,
    `  Try             curl -L '${address}/api/data/search?q=설날'`,
    '',
    `  Held: ${count(axes.length)} axes, ${count(rows)} records.`,
    '  Hold your own:  ./maru load FILE…   (CSV, XLSX, XLS, JSON, XML, ZIP; served within a second)',
    ...sampleLines(axes),
    ...(isSampleCatalog ? [sampleCatalogLine] : []),
  ];
}

const sampleCatalogLine =
  '  The catalog is a sample, too (meta.catalogOrigin): the real one comes with ./maru catalog collect, no key needed';

/** Nobody may mistake sample data for the real thing. */
function sampleLines(axes: readonly HeldAxis[]): string[] {
  const samples = axes.filter(({ axis }) => axis.origin === 'sample').length;
  if (samples === 0) return [];
  return [
    `  SAMPLE DATA: ${samples} axes are invented by the built-in sample portal (origin "sample").`,
    '  For the real one set MARU_SERVICE_KEY (https://www.data.go.kr) and run ./maru collect --all',
  ];
}
