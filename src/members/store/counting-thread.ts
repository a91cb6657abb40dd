import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { storageUnavailable } from '../../kernel/storage-failure.ts';
import type { ActivityFacts, ActivityQuery, FunnelCount, FunnelQuery } from './activity.ts';

/** Range of one of the two counts. */
export type CountQuery =
  | { readonly kind: 'activity'; readonly query: ActivityQuery }
  | { readonly kind: 'funnel'; readonly query: FunnelQuery };

/** Gives a count the data of its worker, `source`, and returns the result. */
type Counting = <Facts>(run: (source: object) => Promise<Facts>) => Promise<Facts>;

/**
 * Counts on a thread of its own, beside the requests. Each count needs a thread and some bytes for each member, so they
 * run one after another.
 */
export class CountingThread {
  readonly #program: URL;
  readonly #counting: Counting;
  #last: Promise<unknown> = Promise.resolve();

  /** `program` reads its `workerData`, the source with a `count`, and posts the result. */
  constructor(program: URL, counting: Counting) {
    this.#program = program;
    this.#counting = counting;
  }

  activity(query: ActivityQuery): Promise<ActivityFacts> {
    return this.#inTurn({ kind: 'activity', query });
  }

  funnel(query: FunnelQuery): Promise<readonly FunnelCount[]> {
    return this.#inTurn({ kind: 'funnel', query });
  }

  /** Waits for the counts under way. */
  async close(): Promise<void> {
    await this.#last;
  }

  #inTurn<Facts>(count: CountQuery): Promise<Facts> {
    const facts = this.#last.then(() =>
      this.#counting((source) => this.#count<Facts>(source, count)),
    );
    this.#last = facts.catch(() => {});
    return facts;
  }

  async #count<Facts>(source: object, count: CountQuery): Promise<Facts> {
    const workerData = { ...source, count };
    const worker = new Worker(this.#program, { workerData, resourceLimits });
    try {
      // The worker posts the facts of this query; an error in the worker rejects `once`.
      const [facts] = (await once(worker, 'message')) as [Facts];
      return facts;
    } catch (error) {
      throw storageUnavailable(error);
    } finally {
      await worker.terminate();
    }
  }
}

/** Counts keep their data outside the heap, so a small young generation is enough and the limit is never reached. */
const resourceLimits = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 256 };
