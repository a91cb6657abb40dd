import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Log } from '../src/kernel/log.ts';

/**
 * Collects what is due, again and again, in a process of its own: parsing a large axis must not keep a
 * server from answering. The server follows the snapshots that come of it like any other.
 */
export function scheduleCollections(log: Log): Disposable {
  let running: ReturnType<typeof spawn> | null = null;
  const start = (): void => {
    if (running !== null) return;
    running = spawn(process.execPath, [join(import.meta.dirname, 'maru.ts'), 'collect', '--due'], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    running.once('error', (error) => log.error('collect.not_started', { error: error.message }));
    running.once('close', (code) => {
      running = null;
      log.info('collect.ended', { code });
    });
    log.info('collect.started');
  };
  const timer = setInterval(start, everyMs);
  start();
  return {
    [Symbol.dispose]() {
      clearInterval(timer);
      // It stops cleanly and goes on where it was at the next start.
      running?.kill('SIGTERM');
    },
  };
}

/** As often as the shortest cycle of an axis. */
const everyMs = 10 * 60_000;
