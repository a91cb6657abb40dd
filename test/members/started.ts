import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { heapFlags } from '../../bench/heap-flags.ts';
import { runMaru } from '../end-to-end/run-maru.ts';

const root = resolve(import.meta.dirname, '../..');

/** Path of the program of the command line. */
export const program = join(root, 'bin/maru.ts');
/** As `./maru` sets it: without it Node removes the types of the program at each start. */
const compiled = join(root, 'node_modules/.cache/compiled');

/** A started members service with its output. */
export interface RunningService extends AsyncDisposable {
  readonly output: string;
  readonly pid: number;
}

export async function startMembers(
  folder: string,
  environment: Record<string, string> = {},
  nodeFlags: readonly string[] = heapFlags,
): Promise<RunningService> {
  const child: ChildProcess = spawn(process.execPath, [...nodeFlags, program, 'serve', 'members'], {
    env: {
      NODE_COMPILE_CACHE: compiled,
      MARU_DATA: folder,
      PORT: '0',
      MARU_LOG: 'silent',
      ...environment,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  for await (const chunk of child.stderr!) {
    output += String(chunk);
    if (/Operators +http\S+\n/.test(output)) break;
  }
  assert.match(output, /Operators/, output);
  return {
    output,
    // A process that has started has a pid.
    pid: child.pid!,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await once(child, 'exit');
      assert.equal(child.exitCode, 0);
    },
  };
}

/** Runs the command line on a data folder and returns its output; throws if it fails. */
export async function maru(folder: string, ...words: string[]): Promise<string> {
  const { status, output, errors } = await runMaru(folder, words);
  if (status !== 0) throw new Error(errors);
  return output;
}

/** The address after a name in the output of a service. */
export function urlOf({ output }: RunningService, name: string): string {
  return new RegExp(`${name} +(http\\S+)`).exec(output)![1]!;
}
