import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Runs a program of this folder once for each kill, and kills it at the disk write of that number. */
export async function runKilled(
  [program, ...args]: readonly [string, ...string[]],
  kills: readonly number[],
): Promise<void> {
  const words = ['--import', pathOf('../faults/kill-at-call.ts'), pathOf(program), ...args];
  for (const at of kills) {
    const child = spawn(process.execPath, words, {
      env: { ...process.env, KILL_AT_CALL: String(at) },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [, signal] = (await once(child, 'close')) as [number | null, string | null];
    assert.equal(signal, 'SIGKILL', `${program} came to its end before write ${at}. ${output}`);
  }
}

function pathOf(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
