import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { hooksOf } from './languages.ts';

/** The hooks of a language, running in a process of its own. */
interface DrivenHooks {
  /** Calls a hook; the words of its result. Rejects when the process ends, as it does for anything thrown. */
  call(name: string, ...given: readonly string[]): Promise<readonly string[]>;
  /** Everything that was logged since the last call, once it has a number of lines. */
  logged(lines: number): Promise<string>;
}

interface DriveOptions {
  readonly language: string;
  readonly command: readonly [string, ...string[]];
  readonly environment: Readonly<Record<string, string>>;
}

export function driveHooks(
  stack: AsyncDisposableStack,
  { language, command: [command, ...given], environment }: DriveOptions,
): DrivenHooks {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('MARU_'));
  const env = { ...Object.fromEntries(own), ...environment, HOOKS: hooksOf(language) };
  const child = spawn(command, given, { env });
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
