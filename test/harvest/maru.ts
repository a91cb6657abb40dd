import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { sampleKey } from '../../sample/keys.ts';

/**
 * Runs the command line to its end, beside a portal in this process. Returns its exit code and whole output. `stop`
 * sends SIGINT, as Ctrl-C does.
 */
export async function maru(
  words: string[],
  data: string,
  environment: Record<string, string>,
  stop?: AbortSignal,
) {
  const { child, ended } = startMaru(words, data, environment);
  stop?.addEventListener('abort', () => child.kill('SIGINT'));
  const { code, output } = await ended;
  return { code, output };
}

/** Starts the command line; `ended` resolves at its end with its exit code, signal and output. */
export function startMaru(words: string[], data: string, environment: Record<string, string>) {
  const child = spawn(pathOf('../../maru'), words, {
    env: { PATH: process.env['PATH'], MARU_DATA: data, ...environment },
    stdio: 'pipe',
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = once(child, 'close').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
    output,
  }));
  return { child, ended };
}

/** Environment in which a process collects from a sample portal, with its clock at `noon` like the portal's. */
export function atNoon(portal: { readonly url: string }): Record<string, string> {
  return {
    MARU_SERVICE_KEY: sampleKey,
    MARU_PORTAL_GATEWAY: portal.url,
    NODE_OPTIONS: `--import=${pathOf('noon-clock.ts')}`,
  };
}

function pathOf(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
