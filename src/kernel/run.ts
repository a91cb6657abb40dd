import type { Log } from './log.ts';
import { startServer, type RunningServer, type ServerOptions } from './http/server.ts';

interface RunOptions {
  readonly servers: readonly ServerOptions[];
  readonly log: Log;
  /** Called once when all servers listen. */
  readonly onStarted?: (running: readonly RunningServer[]) => void;
  /** Stops the servers as SIGTERM does. */
  readonly signal?: AbortSignal;
}

/**
 * Serves until SIGINT, SIGTERM or `signal`, then lets the requests under way finish within
 * `limits.drainMs` and returns; the process ends when nothing is left to do.
 */
export async function serveUntilStopped({ servers, log, ...options }: RunOptions): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const running: RunningServer[] = [];
  for (const server of servers) running.push(stack.use(await startServer(server)));
  for (const { address } of running) log.info('listening', { address });
  // Installed before readiness is announced: the process that started us may stop us at once.
  const reason = stopReason(options.signal);
  options.onStarted?.(running);
  log.info('stopping', { reason: await reason });
  log.flush();
}

async function stopReason(signal: AbortSignal | undefined): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const onSignal = (name: string): void => resolve(name);
  const onAbort = (): void => resolve('abort');
  if (signal?.aborted === true) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  try {
    return await promise;
  } finally {
    // Without our listener a second signal ends the process at once, as people expect of Ctrl-C.
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
    signal?.removeEventListener('abort', onAbort);
  }
}
