import { Argument, Command, InvalidArgumentError } from 'commander';
import { openPolicy } from '../src/kernel/http/response-policy.ts';
import { Router } from '../src/kernel/http/router.ts';
import { createServerContext } from '../src/kernel/http/server-context.ts';
import type { ServerOptions } from '../src/kernel/http/server.ts';
import { createLog } from '../src/kernel/log.ts';
import { serveUntilStopped } from '../src/kernel/run.ts';
import { readSettings, SettingsError, type Settings } from '../src/kernel/settings.ts';
import { isThisMachine } from '../src/kernel/this-machine.ts';
import { addClientScript } from '../src/web/client-script.ts';
import type { ServiceSelection } from './service-start.ts';
import { ProgressLine } from './terminal.ts';

export function serveCommand(): Command {
  return new Command('serve')
    .description(
      'Serves the lookup service and the members service on PORT. On an empty data folder it first imports the ' +
        'calendar and the region table; all other axes and some files get sample data, since real data needs a service ' +
        'key. It also creates a platform named demo, to try the members service. With MARU_COLLECT=on it collects each ' +
        'axis from the portal by its own cycle.',
    )
    .addArgument(
      new Argument('[services...]', 'services to serve; all by default').choices(services),
    )
    .option(
      '--processes <number>',
      'answer lookups by this many processes on one port, which SIGHUP replaces one by one',
      readProcesses,
      1,
    )
    .action(serve);
}

interface ServeOptions {
  readonly processes: number;
}

/** `lookup` is the HTTP interface alone; `web` adds its pages. */
const services = ['lookup', 'web', 'members'];

/** Starts the requested services and loads only their modules: lookup and collecting take more memory than members. */
async function serve(requested: string[], { processes }: ServeOptions): Promise<void> {
  const settings = readSettings(process.env);
  if (settings.MARU_COLLECT === 'on' && settings.MARU_SERVICE_KEY === null) {
    throw new SettingsError([
      'MARU_COLLECT=on needs MARU_SERVICE_KEY, from https://www.data.go.kr.',
    ]);
  }
  if (settings.MARU_COLLECT === 'on' && settings.MARU_SNAPSHOTS_URL !== null) {
    throw new SettingsError([
      'MARU_COLLECT=on builds snapshots here, and MARU_SNAPSHOTS_URL takes them from a store. Set one of them.',
    ]);
  }
  const log = createLog({ level: settings.MARU_LOG });
  using progress = new ProgressLine();
  const selection = selectServices(requested, settings, progress);
  if (processes > 1) {
    const { serveByProcesses } = await import('./serve-processes.ts');
    return serveByProcesses({ settings, log, progress }, selection, processes);
  }
  await using stack = new AsyncDisposableStack();
  const serverContext = createServerContext(log);
  const start = { settings, log, progress };
  const members = selection.hasMembers
    ? stack.use(await (await import('./serve-members.ts')).MembersService.open(start))
    : null;
  const lookup = selection.hasLookup
    ? stack.use(await (await import('./serve-lookup.ts')).LookupService.open(start, selection))
    : null;
  const router = lookup?.router(serverContext, selection) ?? new Router(serverContext, openPolicy);
  members?.addTo(router, { isStandalone: lookup === null });
  if (settings.MARU_COLLECT === 'on') {
    const { scheduleCollections } = await import('./collect-schedule.ts');
    stack.use(scheduleCollections(log, settings));
  }
  if (selection.hasMembers || selection.hasPages) addClientScript(router);
  // The reload of a supervisor; a terminal that is closed still ends the process.
  if (!process.stdin.isTTY) process.on('SIGHUP', () => log.info('nothing_to_replace'));
  const mainOptions: ServerOptions = { router, host: settings.HOST, port: settings.PORT };
  await serveUntilStopped({
    // One listener for operators: the members service's, or without members one with the probes and metrics of lookup.
    servers: [mainOptions, ...((members ?? lookup)?.adminServers(serverContext) ?? [])],
    log,
    onStarted: ([main, admin]) => {
      const lines = lookup?.greeting(main!) ?? ['', `  Docs            ${main!.address}/docs`];
      progress.note([...lines, ...(members?.greeting(main!, admin) ?? []), ''].join('\n'));
    },
  });
}

/** Selects the requested services; by default all, but members only if HOST is this machine or MARU_MEMBERS_URL is set. */
function selectServices(
  requested: readonly string[],
  settings: Settings,
  progress: ProgressLine,
): ServiceSelection {
  if (requested.length > 0) {
    const hasPages = requested.includes('web');
    return {
      hasLookup: hasPages || requested.includes('lookup'),
      hasPages,
      hasMembers: requested.includes('members'),
    };
  }
  const hasMembers = isThisMachine(settings.HOST) || settings.MARU_MEMBERS_URL !== null;
  if (!hasMembers) {
    progress.note(
      'The members service is not started, because HOST is open to other machines. Set MARU_MEMBERS_URL and MARU_COOKIE_DOMAIN to serve it.',
    );
  }
  return { hasLookup: true, hasPages: true, hasMembers };
}

function readProcesses(text: string): number {
  if (/^[1-9]\d?$/.test(text) && Number(text) <= processesMax) return Number(text);
  throw new InvalidArgumentError(`Give a number from 1 to ${processesMax}.`);
}

const processesMax = 64;
