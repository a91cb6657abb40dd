import { Command } from 'commander';
import { createServerContext } from '../src/kernel/http/server-context.ts';
import { createLog } from '../src/kernel/log.ts';
import { serveUntilStopped } from '../src/kernel/run.ts';
import { readSettings } from '../src/kernel/settings.ts';
import { addClientScript } from '../src/web/client-script.ts';
import { runCommand } from './run-command.ts';
import { LookupService } from './serve-lookup.ts';
import { ProgressLine } from './terminal.ts';
import type { StarterMessage, WorkerMessage } from './worker-message.ts';

/** Clients that send a request at least once in this time move to another process without a failed request. */
const connectionsCloseMs = 2_000;

/** A process of `serve --processes`: serves `lookup` or `web` on the shared port until it is stopped. */
const command = new Command('maru').argument('<service>').option('--pretty').action(serveShare);
await runCommand(command, process.argv);
// The channel would keep a process that could not start.
if (process.connected) process.disconnect();

async function serveShare(service: string, { pretty = false }: { readonly pretty?: boolean }) {
  const settings = readSettings(process.env);
  const log = createLog({ level: settings.MARU_LOG, pretty });
  using progress = new ProgressLine();
  const selection = { hasLookup: true, hasPages: service === 'web', hasMembers: false };
  await using lookup = LookupService.openShare({ settings, log, progress }, selection);
  const server = createServerContext(log, { metricsText: metricsOfAll });
  const router = lookup.router(server, selection);
  if (selection.hasPages) addClientScript(router);
  const stop = new AbortController();
  process.on('message', (message: StarterMessage) => {
    if (message.kind === 'stop') stop.abort();
    if (message.kind === 'metrics-wanted') send({ kind: 'metrics', text: server.metrics.text() });
  });
  const { HOST: host, PORT: port } = settings;
  const times = { connectionsCloseMs };
  await serveUntilStopped({ servers: [{ router, host, port, times }], log, signal: stop.signal });
}

function send(message: WorkerMessage): void {
  // The channel is closed while this process ends.
  if (process.connected) process.send!(message);
}

async function metricsOfAll(): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const receive = (message: StarterMessage) => {
    if (message.kind === 'all-metrics') resolve(message.text);
  };
  process.on('message', receive);
  send({ kind: 'all-metrics-wanted' });
  const text = await promise;
  process.off('message', receive);
  return text;
}
