import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { hooksOf } from './languages.ts';

/** The hooks of a language, running in a process of its own. */
interface DrivenHooks {
  /** Calls a hook and returns the words of its result. Rejects if the process ends, which it does if a hook throws. */
  call(name: string, ...args: readonly string[]): Promise<readonly string[]>;
  /** Waits for this number of log lines since the last call, and returns them. */
  logged(lines: number): Promise<string>;
}

interface DriveOptions {
  readonly language: string;
  readonly command: readonly [string, ...string[]];
  readonly environment: Readonly<Record<string, string>>;
}

export function driveHooks(
  stack: AsyncDisposableStack,
  { language, command: [command, ...args], environment }: DriveOptions,
): DrivenHooks {
  const entries = Object.entries(process.env).filter(([name]) => !name.startsWith('MARU_'));
  const env = { ...Object.fromEntries(entries), ...environment, HOOKS: hooksOf(language) };
  const child = spawn(command, args, { env });
  const ended = once(child, 'close');
  stack.defer(async () => {
    child.stdin.end();
    child.kill('SIGKILL');
    await ended;
  });
  let log = '';
  let readTo = 0;
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async logged(count) {
      while (log.slice(readTo).split('\n').length <= count) await once(child.stderr, 'data');
      const lines = log.slice(readTo).trim();
      readTo = log.length;
      return lines;
    },
    async call(name, ...words) {
      child.stdin.write(`${[name, ...words].join('\t')}\n`);
      const { value, done } = await lines.next();
      if (done) await ended;
      if (done) throw new Error(`The hooks ended at ${name}:\n${log}`);
      return value.split('\t');
    },
  };
}
