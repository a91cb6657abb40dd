import { createServerContext } from '../src/kernel/http/server-context.ts';
import { serveUntilStopped } from '../src/kernel/run.ts';
import { SettingsError } from '../src/kernel/settings.ts';
import { LookupService } from './serve-lookup.ts';
import type { ServiceSelection, ServiceStart } from './service-start.ts';
import { WorkerProcesses } from './worker-processes.ts';

/**
 * Serves lookup by `count` processes on one port. This process prepares the data folder, collects, has the operator's
 * listener, and replaces processes that end; on SIGHUP it replaces all of them, one after another.
 */
export async function serveByProcesses(
  start: ServiceStart,
  selection: ServiceSelection,
  count: number,
): Promise<void> {
  if (selection.hasMembers) {
    throw new SettingsError([
      '--processes is for lookup and web: ./maru serve web --processes 2. Members are served by another command: ./maru serve members.',
    ]);
  }
  const { settings, log, progress } = start;
  await using stack = new AsyncDisposableStack();
  const lookup = stack.use(await LookupService.open(start, { ...selection, hasPages: false }));
  if (settings.MARU_COLLECT === 'on') {
    const { scheduleCollections } = await import('./collect-schedule.ts');
    stack.use(scheduleCollections(log, settings));
  }
  const server = createServerContext(log, { metricsText: () => workers.metricsText() });
  const service = selection.hasPages ? 'web' : 'lookup';
  const workers = stack.use(new WorkerProcesses({ log, service, metrics: server.metrics }));
  const replaceAll = () => workers.replaceAll();
  process.on('SIGHUP', replaceAll);
  stack.defer(() => void process.off('SIGHUP', replaceAll));
  const main = await workers.start(count);
  await serveUntilStopped({
    servers: lookup.adminServers(server),
    log,
    onStarted: () =>
      progress.note([...lookup.greeting(main), `  ${count} processes.`, ''].join('\n')),
  });
}
