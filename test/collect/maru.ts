import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/**
 * Runs the command line to its end, beside a portal in this process: its exit code and all it said. `stop` is
 * the person who presses Ctrl-C.
 */
export async function maru(
  words: string[],
  data: string,
  environment: Record<string, string>,
  stop?: AbortSignal,
) {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL('../../bin/maru.ts', import.meta.url)), ...words],
    { env: { PATH: process.env['PATH'], MARU_DATA: data, ...environment }, stdio: 'pipe' },
  );
  stop?.addEventListener('abort', () => child.kill('SIGINT'));
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said };
}
