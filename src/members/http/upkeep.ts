import type { Log } from '../../kernel/log.ts';
import { anchorOf } from '../audit.ts';
import type { MemberContext } from '../context.ts';
import { runRetention } from '../retention.ts';
import { deliverDue } from '../webhook-delivery.ts';

/** What a members process does between requests: sends webhooks that are due, and removes what is past its time. */
export class Upkeep implements AsyncDisposable {
  readonly #context: MemberContext;
  readonly #log: Log;
  readonly #timers: readonly NodeJS.Timeout[];
  readonly #running = new Map<string, Promise<void>>();

  constructor(context: MemberContext, log: Log) {
    this.#context = context;
    this.#log = log;
    this.#timers = [
      setInterval(() => this.#run('webhooks', () => deliverDue(this.#context)), deliverEveryMs),
      setInterval(() => this.#run('retention', () => this.#retainWhenDue()), askEveryMs),
    ];
    // A process that has nothing else to do may end.
    for (const timer of this.#timers) timer.unref();
  }

  /** Counted from the last run of any process: one that never lives for an hour would never run them. */
  async #retainWhenDue(): Promise<void> {
    const runs = await this.#context.store.read.jobs.all();
    const now = this.#context.now();
    // One in the future was noted by a clock that was ahead.
    const recent = runs.filter(
      ({ startedAt }) => startedAt <= now && now - startedAt < retainEveryMs,
    );
    if (recent.length === 0) await this.#retain();
  }

  /** The log goes elsewhere than the store: an end of the audit noted there cannot be cut off unseen. */
  async #retain(): Promise<void> {
    await runRetention(this.#context);
    const anchor = anchorOf(await this.#context.store.read.audit.head());
    if (anchor !== null) this.#log.info('audit_anchor', { anchor });
  }

  /** One at a time of each; a failure waits for the next turn. */
  #run(name: string, work: () => Promise<unknown>): void {
    if (this.#running.has(name)) return;
    const run = work()
      .then(
        () => {},
        (error: unknown) => {
          const reason = error instanceof Error ? error.message : String(error);
          this.#log.error('upkeep_failed', { work: name, error: reason });
        },
      )
      .finally(() => this.#running.delete(name));
    this.#running.set(name, run);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all(this.#running.values());
  }
}

const deliverEveryMs = 2_000;
const askEveryMs = 60_000;
const retainEveryMs = 3_600_000;
