import type { Log } from '../../kernel/log.ts';
import { anchorOf } from '../verify-audit.ts';
import type { MemberContext } from '../context.ts';
import { reportReminders } from '../consent-reminder-reports.ts';
import { reportEntitlements } from '../entitlement-reports.ts';
import {
  retentionDefaults,
  runRetention,
  takeRetention,
  type RetentionPolicy,
} from '../retention.ts';
import { deliverDue } from '../webhook-delivery.ts';

/**
 * Background work of a members process: sends webhooks, reports entitlements and reminders that are due, runs
 * retention.
 */
export class Upkeep implements AsyncDisposable {
  readonly #context: MemberContext;
  readonly #log: Log;
  readonly #policy: RetentionPolicy;
  readonly #timers: readonly NodeJS.Timeout[];
  /** True from the take of a run of retention to its end; a failure does not end it. */
  #isRetaining = false;
  readonly #running = new Map<string, Promise<void>>();

  constructor(context: MemberContext, log: Log, policy: Partial<RetentionPolicy> = {}) {
    this.#policy = { ...retentionDefaults, ...policy };
    this.#context = context;
    this.#log = log;
    this.#timers = [
      setInterval(() => this.#run('webhooks', () => deliverDue(this.#context)), deliverEveryMs),
      setInterval(
        () => this.#run('entitlements', () => reportEntitlements(this.#context)),
        deliverEveryMs,
      ),
      setInterval(() => this.#run('reminders', () => reportReminders(this.#context)), checkEveryMs),
      setInterval(() => this.#run('retention', () => this.#retainWhenDue()), checkEveryMs),
    ];
    // The timers keep no process alive.
    for (const timer of this.#timers) timer.unref();
  }

  /**
   * Runs the retention jobs an hour after their last run by any process, so that short-lived processes run them, too. A
   * run that the store has interrupted begins again at the next interval.
   */
  async #retainWhenDue(): Promise<void> {
    if (!this.#isRetaining && !(await takeRetention(this.#context))) return;
    this.#isRetaining = true;
    await this.#retain();
    this.#isRetaining = false;
  }

  /**
   * Runs retention and logs the end of the audit chain. Since the log is outside the store, cutting the chain is
   * noticed.
   */
  async #retain(): Promise<void> {
    await runRetention(this.#context, this.#policy);
    const anchor = anchorOf(await this.#context.store.read.audit.head());
    if (anchor !== null) this.#log.info('audit_anchor', { anchor });
  }

  /** Runs work, unless work of the same name is running. A failure is logged and retried at the next interval. */
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
const checkEveryMs = 60_000;
