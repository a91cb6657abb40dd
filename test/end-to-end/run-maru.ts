import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

const root = resolve(import.meta.dirname, '../..');

export interface Ran {
  readonly status: number;
  readonly output: string;
  readonly errors: string;
}

export interface CommandLine {
  readonly words: readonly string[];
  readonly environment: Record<string, string | undefined>;
  /** The folder that relative paths start from; by default the folder of this process. */
  readonly folder?: string;
}

/**
 * Runs a command line to its end, in a process that runs all command lines of a test file, one after another. A test
 * of the process itself uses `startMaru`.
 */
export function runMaru(data: string, words: readonly string[], environment = {}): Promise<Ran> {
  return runLine({
    words,
    environment: { ...cleanEnvironment(), MARU_DATA: data, ...environment },
  });
}

/** Runs a command line like `runMaru`, with its whole environment and its folder. */
export function runLine(line: CommandLine): Promise<Ran> {
  const ran = lastRan.then(() => runInHost(line));
  lastRan = ran.catch(() => {});
  return ran;
}

/** Settles when the last command line has ended. */
let lastRan: Promise<unknown> = Promise.resolve();

/** Processes that run command lines, by their NODE_OPTIONS. */
const hosts = new Map<string, ChildProcess>();

async function runInHost(line: CommandLine): Promise<Ran> {
  const { NODE_OPTIONS = '' } = line.environment;
  const host = hosts.get(NODE_OPTIONS) ?? startHost(NODE_OPTIONS);
  hosts.set(NODE_OPTIONS, host);
  host.ref();
  host.channel!.ref();
  host.send(line);
  const ended = new AbortController();
  const { signal } = ended;
  try {
    const message = once(host, 'message', { signal });
    const exit = once(host, 'exit', { signal }).then(() => {
      throw new Error(`The process ended during ${line.words.join(' ')}.`);
    });
    // The host sends nothing else.
    const [ran] = (await Promise.race([message, exit])) as [Ran];
    return ran;
  } finally {
    ended.abort();
    host.channel?.unref();
    host.unref();
  }
}

function startHost(NODE_OPTIONS: string): ChildProcess {
  return fork(resolve(import.meta.dirname, 'command-host.ts'), {
    env: { ...cleanEnvironment(), NODE_OPTIONS },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

/** Starts the command line as a process; `ended` resolves at its end with its exit code, signal and output. */
export function startMaru(data: string, words: readonly string[], environment = {}) {
  const child = spawn(resolve(root, 'maru'), words, {
    env: { ...cleanEnvironment(), MARU_DATA: data, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
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

export interface ServingMaru extends AsyncDisposable {
  readonly address: string;
  readonly process: ChildProcess;
}

/** Starts `./maru serve` on a free port and waits until it listens; `command` is another way to start the program. */
export async function serveMaru(
  data: string,
  environment = {},
  services: readonly string[] = [],
  command: readonly [string, ...string[]] = [resolve(root, 'maru')],
): Promise<ServingMaru> {
  const [program, ...words] = command;
  const child = spawn(program, [...words, 'serve', ...services], {
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
  const entries = Object.entries(process.env).filter(
    ([name]) => !/^(MARU_|AWS_|ADMIN_PORT$|PORT$|HOST$)/.test(name),
  );
  return Object.fromEntries(entries);
}
