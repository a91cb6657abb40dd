import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Metrics } from '../src/kernel/http/metrics.ts';
import type { Log } from '../src/kernel/log.ts';
import { processMetrics } from '../src/kernel/http/process-metrics.ts';
import type { StarterMessage, WorkerMessage } from './worker-message.ts';

/**
 * Processes that accept connections on one port, numbered from 1. One that ends is replaced: at once if it served for a
 * minute, else after a second. Pauses between replacements that cannot start double, up to half a minute. If this process
 * is killed, the others end by themselves.
 */
export class WorkerProcesses implements AsyncDisposable {
  readonly #workers = new Map<number, Worker>();
  readonly #log: Log;
  readonly #metrics: Metrics;
  readonly #stop = new AbortController();
  /** Ends with the latest replacement: one process is replaced at a time. */
  #replaced: Promise<void> = Promise.resolve();

  constructor({ log, metrics, service }: WorkerOptions) {
    this.#log = log;
    this.#metrics = metrics;
    cluster.setupPrimary({
      exec: join(import.meta.dirname, 'serve-worker.ts'),
      args: process.stdout.isTTY ? [service, '--pretty'] : [service],
      // Lines of the log are passed on whole: processes that share a pipe would mix theirs.
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
  }

  /** Starts processes and returns their common address. Throws if one of them cannot start. */
  async start(count: number): Promise<SharedAddress> {
    const numbers = Array.from({ length: count }, (_, at) => at + 1);
    const addresses = await Promise.all(numbers.map((number) => this.#start(number)));
    return addresses[0]!;
  }

  /** Replaces one process after another. A new one serves before its predecessor ends, so no request is refused. */
  replaceAll(): void {
    this.#replaceInTurn(async () => {
      for (const number of [...this.#workers.keys()].toSorted((a, b) => a - b)) {
        const previous = this.#workers.get(number);
        if (this.#stop.signal.aborted || !(await this.#tryStart(number))) return;
        if (previous !== undefined) await end(previous);
      }
      this.#log.info('processes_replaced', { processes: this.#workers.size });
    });
  }

  /** The metrics of this process, which has the number 0, and of the processes that answer within a second. */
  async metricsText(): Promise<string> {
    const texts = new Map([[0, this.#metrics.text()]]);
    const add = async ([number, worker]: [number, Worker]): Promise<void> => {
      const text = await metricsOf(worker);
      if (text !== null) texts.set(number, text);
    };
    await Promise.all(this.#workers.entries().map(add));
    return processMetrics(texts);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#workers.values().map((worker) => end(worker)));
  }

  async #start(number: number): Promise<SharedAddress> {
    const worker = cluster.fork();
    const startedAtMs = Date.now();
    passOnLines(worker);
    worker.on('message', (message: WorkerMessage) => {
      if (message.kind === 'all-metrics-wanted') void this.#answerMetrics(worker);
    });
    const address = await listening(worker);
    if (this.#stop.signal.aborted) {
      await end(worker);
      this.#stop.signal.throwIfAborted();
    }
    this.#workers.set(number, worker);
    this.#log.info('process_started', { process: number, pid: worker.process.pid });
    worker.once('exit', (code, signal) => {
      if (this.#workers.get(number) !== worker) return;
      this.#workers.delete(number);
      if (this.#stop.signal.aborted) return;
      this.#log.error('process_ended', { process: number, code, signal });
      const isEarly = Date.now() - startedAtMs < stableAfterMs;
      void this.#startAgain(number, isEarly ? shortestPauseMs : 0);
    });
    return address;
  }

  async #startAgain(number: number, pauseMs: number): Promise<void> {
    const { signal } = this.#stop;
    await wait(pauseMs, undefined, { signal }).catch(() => {});
    this.#replaceInTurn(async () => {
      // It may have been replaced meanwhile.
      if (signal.aborted || this.#workers.has(number) || (await this.#tryStart(number))) return;
      const longer = Math.min(Math.max(2 * pauseMs, shortestPauseMs), longestPauseMs);
      void this.#startAgain(number, longer);
    });
  }

  /** True if the process serves. */
  async #tryStart(number: number): Promise<boolean> {
    try {
      await this.#start(number);
      return true;
    } catch (error) {
      if (this.#stop.signal.aborted) return false;
      this.#log.error('process_not_started', { process: number, fault: (error as Error).message });
      return false;
    }
  }

  #replaceInTurn(replace: () => Promise<void>): void {
    this.#replaced = this.#replaced.then(replace);
  }

  async #answerMetrics(worker: Worker): Promise<void> {
    const text = await this.metricsText();
    if (worker.isConnected()) worker.send({ kind: 'all-metrics', text } satisfies StarterMessage);
  }
}

interface WorkerOptions {
  readonly log: Log;
  /** Metrics of this process. */
  readonly metrics: Metrics;
  readonly service: 'lookup' | 'web';
}

interface SharedAddress {
  /** Such as `http://127.0.0.1:3000`. */
  readonly address: string;
}

const stableAfterMs = 60_000;
const shortestPauseMs = 1_000;
const longestPauseMs = 30_000;
const metricsWithinMs = 1_000;
/** Longer than a process may take: two seconds for its connections, and ten for requests under way. */
const endsWithinMs = 15_000;

/** The listener of a process, as the event `listening` of a cluster has it. */
interface ListenerAddress {
  readonly address: string | null;
  readonly port: number;
}

/** Resolves when the process serves; throws if it ends before. */
async function listening(worker: Worker): Promise<SharedAddress> {
  const ended = new AbortController();
  const { signal } = ended;
  try {
    const served = once(worker, 'listening', { signal });
    const exit = once(worker, 'exit', { signal }).then(([code, name]) => {
      throw new Error(`A process ended before it served (${name ?? `exit code ${code}`}).`);
    });
    const [{ address, port }] = (await Promise.race([served, exit])) as [ListenerAddress];
    const host = address ?? '127.0.0.1';
    return { address: `http://${host.includes(':') ? `[${host}]` : host}:${port}` };
  } finally {
    ended.abort();
  }
}

/** Lets a process finish the requests under way, and resolves when it has ended. One that hangs is killed. */
async function end(worker: Worker): Promise<void> {
  if (worker.isDead()) return;
  const exit = once(worker, 'exit');
  const timer = setTimeout(() => worker.process.kill('SIGKILL'), endsWithinMs);
  if (worker.isConnected()) worker.send({ kind: 'stop' } satisfies StarterMessage);
  else worker.process.kill('SIGTERM');
  await exit;
  clearTimeout(timer);
}

async function metricsOf(worker: Worker): Promise<string | null> {
  if (!worker.isConnected()) return null;
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const timer = setTimeout(() => resolve(null), metricsWithinMs);
  const receive = (message: WorkerMessage) => {
    if (message.kind === 'metrics') resolve(message.text);
  };
  worker.on('message', receive);
  worker.send({ kind: 'metrics-wanted' } satisfies StarterMessage);
  const text = await promise;
  clearTimeout(timer);
  worker.off('message', receive);
  return text;
}

/** Writes the output of a process to ours, in whole lines. */
function passOnLines(worker: Worker): void {
  const output = worker.process.stdout!.setEncoding('utf8');
  let rest = '';
  output.on('data', (text: string) => {
    const end = text.lastIndexOf('\n') + 1;
    if (end > 0) process.stdout.write(rest + text.slice(0, end));
    rest = end > 0 ? text.slice(end) : rest + text;
  });
  output.on('end', () => process.stdout.write(rest));
}
