import { Worker } from 'node:worker_threads';
import type { Log } from '../../kernel/log.ts';
import type { FollowFault, FollowState } from './follow-state.ts';
import type { FollowReport, FollowWork } from './follow-worker.ts';

/**
 * Follows a store in a thread, which computes hashes and unpacks files while the process serves. Faults change nothing
 * of what is served; each is logged once, and its end too.
 */
export class StoreFollower implements AsyncDisposable {
  readonly #work: FollowWork;
  readonly #log: Log;
  #worker: Worker;
  #restart: NodeJS.Timeout | undefined;
  #isEnded = false;
  #checkedAtMs: number | null = null;
  #fault: FollowState['fault'] = null;

  constructor(work: FollowWork, log: Log) {
    this.#work = work;
    this.#log = log;
    this.#worker = this.#start();
  }

  get state(): FollowState {
    return { checkedAtMs: this.#checkedAtMs, fault: this.#fault };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnded = true;
    clearTimeout(this.#restart);
    await this.#worker.terminate();
  }

  #start(): Worker {
    const worker = new Worker(new URL('follow-worker.ts', import.meta.url), {
      workerData: this.#work,
    });
    worker.on('message', (report: FollowReport) => this.#receive(report));
    worker.on('error', (error) => {
      const message = error instanceof Error ? error.message : String(error);
      this.#setFault({ code: 'failed', message });
    });
    worker.on('exit', () => {
      if (this.#isEnded) return;
      const start = (): void => void (this.#worker = this.#start());
      this.#restart = setTimeout(start, restartMs).unref();
    });
    return worker;
  }

  #receive(report: FollowReport): void {
    if ('pulled' in report) {
      const { id, objectsFetched, bytesFetched } = report.pulled;
      this.#log.info('snapshot_pulled', {
        snapshot: id,
        objects: objectsFetched,
        bytes: bytesFetched,
      });
    } else if (report.checked === null) {
      this.#checkedAtMs = Date.now();
      if (this.#fault !== null) this.#log.info('snapshots_followed_again');
      this.#fault = null;
    } else {
      this.#setFault(report.checked);
    }
  }

  #setFault({ code, message }: FollowFault): void {
    if (this.#fault?.code !== code) {
      this.#log.error('snapshots_not_followed', { code, fault: message });
    }
    this.#fault = { code, message, sinceMs: this.#fault?.sinceMs ?? Date.now() };
  }
}

const restartMs = 60_000;
