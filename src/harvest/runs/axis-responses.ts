import type { PortalClient } from '../client/portal-client.ts';
import { PortalError } from '../client/portal-error.ts';
import { requestKey } from '../client/request.ts';
import type { AxisDefinition } from '../operations/definition.ts';
import type { AxisRequest } from '../operations/requests.ts';
import { isFault } from '../../data/portal/fault.ts';
import { readAnswer } from '../protocol/answer.ts';
import type { AnswerRows } from '../protocol/rows.ts';
import { runLimits } from './limits.ts';
import { factsOf, readPage, type PageFacts } from './page-facts.ts';
import type { RunContext } from './run-context.ts';

/** The responses of an axis's run: stored ones are read, missing ones fetched; none is requested twice. */
export class AxisResponses {
  readonly #axis: AxisDefinition;
  readonly #run: RunContext;
  readonly #client: PortalClient | null;
  #callsUnderway = 0;
  /** Functions that resume the calls waiting for a turn. */
  readonly #waiting: (() => void)[] = [];
  /** The error that ended the run; null before one. */
  #fatalError: unknown = null;

  /** A null client fetches nothing. */
  constructor(axis: AxisDefinition, run: RunContext, client: PortalClient | null) {
    this.#axis = axis;
    this.#run = run;
    this.#client = client;
  }

  /** The facts of a copy of a page; null if it is not stored and there is no client. */
  async facts(request: AxisRequest, copy: number): Promise<PageFacts | null> {
    const client = this.#client;
    const stored = this.#read(request, copy);
    const facts =
      stored !== null
        ? factsOf(readPage(stored, this.#axis, request), stored)
        : client === null
          ? null
          : await this.#fetch(client, request, copy);
    if (facts !== null) this.#run.count(facts.rows);
    return facts;
  }

  /** The rows of a stored page. Throws if it is not stored. */
  page(request: AxisRequest, copy: number): AnswerRows {
    const stored = this.#read(request, copy);
    if (stored === null) throw new Error(`No response is stored for ${requestKey(request)}.`);
    return readPage(stored, this.#axis, request);
  }

  async #fetch(client: PortalClient, request: AxisRequest, copy: number): Promise<PageFacts> {
    const { store, signal } = this.#run;
    await this.#waitForTurn();
    try {
      if (this.#fatalError !== null) throw this.#fatalError;
      const answer = await client.call(request, signal === undefined ? {} : { signal });
      const facts = factsOf(readPage(answer, this.#axis, request), answer);
      store.put(requestKey(request), answer, copy, facts.rows);
      return facts;
    } catch (error) {
      if (!isRequestError(error)) this.#fatalError ??= error;
      throw error;
    } finally {
      this.#callsUnderway--;
      this.#waiting.shift()?.();
    }
  }

  async #waitForTurn(): Promise<void> {
    while (this.#callsUnderway >= runLimits.callsAtOnceMax) {
      await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    }
    this.#callsUnderway++;
  }

  /** The stored answer; null if none is stored, or if this version of Maru reads it as a fault. */
  #read(request: AxisRequest, copy: number) {
    const stored = this.#run.store.find(requestKey(request), copy);
    if (stored === null) return null;
    // Broken JSON is stored only after it came twice.
    const answer = readAnswer(stored.body, stored.status, true);
    return isFault(answer) ? null : answer;
  }
}

/** False for an error that every request would get, such as a spent quota or a refused key. */
function isRequestError(error: unknown): boolean {
  return error instanceof PortalError && (error.class === 'request' || error.class === 'retry');
}
