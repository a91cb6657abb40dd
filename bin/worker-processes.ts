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
  #replacing: Promise<void> = Promise.resolve();

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
  replaceAll(): Promise<void> {
    this.#replacing = this.#replacing.then(async () => {
      for (const number of [...this.#workers.keys()].toSorted((a, b) => a - b)) {
        if (this.#stop.signal.aborted) return;
        await this.#replace(number);
      }
      this.#log.info('processes_replaced', { processes: this.#workers.size });
    });
    return this.#replacing;
  }

  /** The metrics of this process, which has the number 0, and of the processes that answer within a second. */
  async metricsText(): Promise<string> {
    const texts = await Promise.all(
      Array.from(
        this.#workers,
        async ([number, worker]) => [number, await metricsOf(worker)] as const,
      ),
    );
    const answered = texts.filter((entry): entry is readonly [number, string] => entry[1] !== null);
    return processMetrics(new Map([[0, this.#metrics.text()], ...answered]));
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
    try {
      await wait(pauseMs, undefined, { signal });
      await this.#start(number);
    } catch (error) {
      if (signal.aborted) return;
      this.#log.error('process_not_started', { process: number, fault: (error as Error).message });
      const longer = Math.min(Math.max(2 * pauseMs, shortestPauseMs), longestPauseMs);
      void this.#startAgain(number, longer);
    }
  }

  async #replace(number: number): Promise<void> {
    const previous = this.#workers.get(number);
    try {
      await this.#start(number);
      if (previous !== undefined) await end(previous);
    } catch (error) {
      this.#log.error('process_not_started', { process: number, fault: (error as Error).message });
    }
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

/** Lets a process finish the requests under way, and ends when it has ended. */
async function end(worker: Worker): Promise<void> {
  if (worker.isDead()) return;
  const exit = once(worker, 'exit');
  if (worker.isConnected()) worker.send({ kind: 'stop' } satisfies StarterMessage);
  else worker.process.kill('SIGTERM');
  await exit;
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
