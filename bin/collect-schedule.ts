import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Log } from '../src/kernel/log.ts';
import type { Settings } from '../src/kernel/settings.ts';

/**
 * Collects due sources regularly, in child processes: parsing a large axis would block the server, and a web list that
 * takes an hour would delay an axis with a cycle of ten minutes. The server opens each new snapshot.
 */
export function scheduleCollections(log: Log, settings: Settings): Disposable {
  const hasTrend = settings.MARU_NAVER_ID !== null && settings.MARU_NAVER_SECRET !== null;
  const commands = [
    ['collect', '--due'],
    ['catalog', 'collect', '--due'],
    ...(hasTrend ? [['demand', 'collect', '--due']] : []),
  ];
  const schedules = new DisposableStack();
  for (const words of commands) schedules.use(repeatCommand(words, log));
  return schedules;
}

function repeatCommand(words: readonly string[], log: Log): Disposable {
  const command = words.join(' ');
  let running: ReturnType<typeof spawn> | null = null;
  const start = (): void => {
    if (running !== null) return;
    const args = [...process.execArgv, join(import.meta.dirname, 'maru.ts'), ...words];
    running = spawn(process.execPath, args, {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    running.once('error', (error) =>
      log.error('collect.not_started', { command, error: error.message }),
    );
    running.once('close', (code) => {
      running = null;
      log.info('collect.ended', { command, code });
    });
    log.info('collect.started', { command });
  };
  const timer = setInterval(start, intervalMs);
  start();
  return {
    [Symbol.dispose]() {
      clearInterval(timer);
      // The run stops cleanly; the next start resumes it.
      running?.kill('SIGTERM');
    },
  };
}

/** Ten minutes, the shortest update cycle of an axis. */
const intervalMs = 10 * 60_000;
