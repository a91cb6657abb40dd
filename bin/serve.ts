import { Argument, Command } from 'commander';
import { firstStart } from '../src/collect/first-start.ts';
import type { HeldAxis } from '../src/data/axis.ts';
import { currentId } from '../src/data/snapshot/shelf.ts';
import { createFront } from '../src/kernel/http/front.ts';
import { createLog } from '../src/kernel/log.ts';
import { serveUntilStopped } from '../src/kernel/run.ts';
import { readSettings, SettingsError, type Settings } from '../src/kernel/settings.ts';
import { createLookupApp } from '../src/lookup/app.ts';
import { StoreHolder } from '../src/lookup/current-store.ts';
import { SnapshotFollower } from '../src/lookup/follow.ts';
import { createAdminApp } from '../src/lookup/health.ts';
import { createSite } from '../src/web/site.ts';
import { scheduleCollections } from './collect-schedule.ts';
import { openSamplePortal } from './portal-client.ts';
import { stopSignal } from './stop-signal.ts';
import { count, ProgressLine } from './terminal.ts';

export function serveCommand(): Command {
  return new Command('serve')
    .summary('serve what is held')
    .description(
      'Serves the lookup service on PORT. With an empty data folder it first holds what is true without a ' +
        'key (holidays, anniversaries, solar terms, the region table) and sample data for every other axis. ' +
        'With MARU_COLLECT=on it also collects each axis from the portal by its own cycle.',
    )
    .addArgument(
      new Argument('[services...]', 'the services to serve; all without a name').choices(services),
    )
    .action(serve);
}

/** `lookup` is the interface alone, `web` the interface with its pages. */
const services = ['lookup', 'web'];

async function serve(asked: string[]): Promise<void> {
  const settings = readSettings(process.env);
  if (settings.MARU_COLLECT === 'on' && settings.MARU_SERVICE_KEY === null) {
    throw new SettingsError([
      'MARU_COLLECT=on needs MARU_SERVICE_KEY, from https://www.data.go.kr.',
    ]);
  }
  const log = createLog({ level: settings.MARU_LOG });
  using note = new ProgressLine();
  if (currentId(settings.MARU_DATA) === null) {
    await startFirst(settings.MARU_DATA, note);
  }
  using _schedule = settings.MARU_COLLECT === 'on' ? scheduleCollections(log) : null;
  await using holder = new StoreHolder();
  using _follower = new SnapshotFollower(settings.MARU_DATA, holder, log);
  const front = createFront(log);
  const hasPages = asked.length === 0 || asked.includes('web');
  const app = (hasPages ? createSite : createLookupApp)({ holder, settings, front });
  const admin = createAdminApp({ holder, front });
  await serveUntilStopped({
    servers: [
      { app, front, host: settings.HOST, port: settings.PORT },
      { app: admin, front, host: '127.0.0.1', port: adminPort(settings), setting: 'ADMIN_PORT' },
    ],
    log,
    started: ([server]) => note.note(greeting(server!.address, holder)),
  });
}

async function startFirst(data: string, note: ProgressLine): Promise<void> {
  note.note('The data folder is empty: holding the calendar, and sample data for the other axes …');
  await using portal = await openSamplePortal();
  using stop = stopSignal();
  let told = 0;
  const { axes, rows } = await firstStart(data, {
    client: portal.client,
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
  note.note(`Holding ${axes} axes with ${count(rows)} records.`);
}

/** In a pipe a line now and then shows that it goes on. */
const toldEvery = 20;

/** A free one where the main port is a free one. */
function adminPort({ ADMIN_PORT, PORT }: Settings): number {
  if (ADMIN_PORT !== null) return ADMIN_PORT;
  return PORT === 0 || PORT === 65_535 ? 0 : PORT + 1;
}

function greeting(address: string, holder: StoreHolder): string {
  const lease = holder.current();
  const axes = [...(lease?.store.axes.values() ?? [])];
  lease?.release();
  const rows = axes.reduce((sum, axis) => sum + axis.rows, 0);
  return [
    '',
    `  Maru            ${address}/`,
    `  Reference       ${address}/docs`,
    `  Try             curl -L '${address}/api/data/search?q=설날'`,
    '',
    `  Held: ${count(axes.length)} axes, ${count(rows)} records.`,
    '  Hold your own:  ./maru load FILE…   (CSV, XLSX, XLS, JSON, XML, ZIP; served within a second)',
    ...sampleLines(axes),
    '',
  ].join('\n');
}

/** Nobody may mistake sample data for the real thing. */
function sampleLines(axes: readonly HeldAxis[]): string[] {
  const samples = axes.filter(({ axis }) => axis.origin === 'sample').length;
  if (samples === 0) return [];
  return [
    `  SAMPLE DATA: ${samples} axes are invented by the built-in sample portal (origin "sample").`,
    '  For the real one set MARU_SERVICE_KEY (https://www.data.go.kr) and run ./maru collect --all',
  ];
}
