import { Argument, Command } from 'commander';
import { firstStart } from '../src/collect/first-start.ts';
import { currentId } from '../src/data/snapshot/shelf.ts';
import { createFront } from '../src/kernel/http/front.ts';
import { createLog } from '../src/kernel/log.ts';
import { serveUntilStopped } from '../src/kernel/run.ts';
import { readSettings, type Settings } from '../src/kernel/settings.ts';
import { createLookupApp } from '../src/lookup/app.ts';
import { StoreHolder } from '../src/lookup/current-store.ts';
import { SnapshotFollower } from '../src/lookup/follow.ts';
import { createAdminApp } from '../src/lookup/health.ts';
import { createSite } from '../src/web/site.ts';
import { count, ProgressLine } from './terminal.ts';

export function serveCommand(): Command {
  return new Command('serve')
    .summary('serve what is held')
    .description(
      'Serves the lookup service on PORT. With an empty data folder it first holds what is true without a ' +
        'key: holidays, anniversaries, solar terms and the region table.',
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
  const log = createLog({ level: settings.MARU_LOG });
  using note = new ProgressLine();
  if (currentId(settings.MARU_DATA) === null) {
    note.note('The data folder is empty: holding the calendar and the region table …');
    const { axes, rows } = await firstStart(settings.MARU_DATA);
    note.note(`Holding ${axes} axes with ${count(rows)} records.`);
  }
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
    '',
  ].join('\n');
}
