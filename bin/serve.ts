import { Argument, Command } from 'commander';
import { openPolicy } from '../src/kernel/http/response-policy.ts';
import { Router } from '../src/kernel/http/router.ts';
import { createServerContext } from '../src/kernel/http/server-context.ts';
import type { ServerOptions } from '../src/kernel/http/server.ts';
import { createLog } from '../src/kernel/log.ts';
import { serveUntilStopped } from '../src/kernel/run.ts';
import { readSettings, SettingsError, type Settings } from '../src/kernel/settings.ts';
import { isThisMachine } from '../src/kernel/this-machine.ts';
import { addClientScript } from '../src/web/client-script.ts';
import type { WantedServices } from './service-start.ts';
import { ProgressLine } from './terminal.ts';

export function serveCommand(): Command {
  return new Command('serve')
    .description(
      'Serves the lookup service and the members service on PORT. On an empty data folder it first imports the ' +
        'calendar and the region table, which need no service key, and sample data for all remaining axes and some ' +
        'files; it also creates a platform named demo to try the members service. With MARU_COLLECT=on it collects each ' +
        'axis from the portal by its own cycle.',
    )
    .addArgument(
      new Argument('[services...]', 'services to serve; all by default').choices(services),
    )
    .action(serve);
}

/** `lookup` is the HTTP interface alone; `web` adds its pages. */
const services = ['lookup', 'web', 'members'];

/** Modules of unused services are not loaded, because lookup and collecting take more memory than members. */
async function serve(requested: string[]): Promise<void> {
  const settings = readSettings(process.env);
  if (settings.MARU_COLLECT === 'on' && settings.MARU_SERVICE_KEY === null) {
    throw new SettingsError([
      'MARU_COLLECT=on needs MARU_SERVICE_KEY, from https://www.data.go.kr.',
    ]);
  }
  const log = createLog({ level: settings.MARU_LOG });
  using note = new ProgressLine();
  const wanted = wantedServices(requested, settings, note);
  await using stack = new AsyncDisposableStack();
  const server = createServerContext(log);
  const start = { settings, log, note };
  const members = wanted.members
    ? stack.use(await (await import('./serve-members.ts')).ServedMembers.open(start))
    : null;
  const lookup = wanted.lookup
    ? stack.use(await (await import('./serve-lookup.ts')).ServedLookup.open(start))
    : null;
  const router = lookup?.router(server, wanted) ?? new Router(server, openPolicy);
  members?.addTo(router, { alone: lookup === null });
  if (settings.MARU_COLLECT === 'on') {
    const { scheduleCollections } = await import('./collect-schedule.ts');
    stack.use(scheduleCollections(log, settings));
  }
  if (wanted.members || wanted.pages) addClientScript(router);
  const main: ServerOptions = { router, host: settings.HOST, port: settings.PORT };
  await serveUntilStopped({
    servers: [main, ...((members ?? lookup)?.adminServers(server) ?? [])],
    log,
    onStarted: ([running, admin]) => {
      const docs = ['', `  Docs            ${running!.address}/docs`];
      const lines = lookup?.greeting(running!) ?? docs;
      note.note([...lines, ...(members?.greeting(running!, admin) ?? []), ''].join('\n'));
    },
  });
}

/** Without named services, members are served only if HOST is this machine or MARU_MEMBERS_URL is set. */
function wantedServices(
  requested: readonly string[],
  settings: Settings,
  note: ProgressLine,
): WantedServices {
  if (requested.length > 0) {
    const pages = requested.includes('web');
    return {
      lookup: pages || requested.includes('lookup'),
      pages,
      members: requested.includes('members'),
    };
  }
  const members = isThisMachine(settings.HOST) || settings.MARU_MEMBERS_URL !== null;
  if (!members) {
    note.note(
      'The members service is not started, because HOST is open to other machines. Set MARU_MEMBERS_URL and MARU_COOKIE_DOMAIN to serve it.',
    );
  }
  return { lookup: true, pages: true, members };
}
