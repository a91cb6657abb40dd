import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

const root = resolve(import.meta.dirname, '../..');

export interface Ran {
  readonly status: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Runs the command line to its end. */
export function runMaru(data: string, given: readonly string[], environment = {}): Ran {
  const { status, stdout, stderr } = spawnSync(resolve(root, 'maru'), given, {
    env: { ...cleanEnvironment(), MARU_DATA: data, ...environment },
    encoding: 'utf8',
  });
  return { status, output: stdout, errors: stderr };
}

export interface ServingMaru extends AsyncDisposable {
  readonly address: string;
  readonly process: ChildProcess;
}

/** Starts `./maru serve` on a free port and waits until it listens. */
export async function serveMaru(
  data: string,
  environment = {},
  services: readonly string[] = [],
): Promise<ServingMaru> {
  const child = spawn(resolve(root, 'maru'), ['serve', ...services], {
    env: { ...cleanEnvironment(), MARU_DATA: data, PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stderr.resume();
  for await (const line of createInterface(child.stdout)) {
    const { event, address } = JSON.parse(line) as { event: string; address?: string };
    if (event !== 'listening' || address === undefined) continue;
    child.stdout.resume();
    return {
      address,
      process: child,
      async [Symbol.asyncDispose]() {
        child.kill('SIGTERM');
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      },
    };
  }
  throw new Error('The server ended before it listened.');
}

/** The environment without settings of Maru. */
function cleanEnvironment(): Record<string, string | undefined> {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(MARU_|ADMIN_PORT$|PORT$|HOST$)/.test(name),
  );
  return Object.fromEntries(own);
}
