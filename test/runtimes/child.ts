import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';

/** Starts a process whose standard output is read. It ends with the stack, and so do the processes that it started. */
export function start(
  stack: AsyncDisposableStack,
  [command, ...args]: readonly string[],
  options: { readonly cwd: string; readonly environment?: Readonly<Record<string, string>> },
): Child {
  const child = spawn(command!, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.environment },
    stdio: ['ignore', 'pipe', 'inherit'],
    // A process of a runtime may start others, which would outlive it.
    detached: true,
  });
  const exited = once(child, 'exit');
  const kill = (): void => {
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch {
      // All of them ended by themselves.
    }
  };
  stack.defer(async () => {
    kill();
    await exited;
  });
  return { output: child.stdout, exited: exited.then(() => child.exitCode), kill };
}

export interface Child {
  readonly output: Readable;
  /** Its exit code; null when it was killed. */
  readonly exited: Promise<ChildProcess['exitCode']>;
  kill(): void;
}

/** The first number that a process prints after a word. Throws if it ends without one, or takes over `timeoutMs`. */
export async function numberPrinted(
  child: Child,
  word: RegExp,
  timeoutMs: number,
): Promise<number> {
  let output = '';
  const timer = setTimeout(() => child.kill(), timeoutMs);
  try {
    for await (const part of child.output.iterator({ destroyOnReturn: false })) {
      output += String(part);
      const [, found] = word.exec(output) ?? [];
      if (found !== undefined) return Number(found);
    }
  } finally {
    clearTimeout(timer);
  }
  throw new Error(`It did not start:\n${output}`);
}
