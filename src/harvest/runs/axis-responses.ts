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

/** The responses of a run of an axis, from the store or else from the portal: none is requested twice. */
export class AxisResponses {
  readonly #axis: AxisDefinition;
  readonly #run: RunContext;
  readonly #client: PortalClient | null;
  #calls = 0;
  readonly #turns: (() => void)[] = [];
  /** The error that ended the run; null while it goes on. */
  #stopped: unknown = null;

  /** Without a client only stored responses are read. */
  constructor(axis: AxisDefinition, run: RunContext, client: PortalClient | null) {
    this.#axis = axis;
    this.#run = run;
    this.#client = client;
  }

  /** The facts of a copy of a page; null where it is neither stored nor may be fetched. */
  async facts(request: AxisRequest, copy: number): Promise<PageFacts | null> {
    const client = this.#client;
    const stored = this.#read(request, copy);
    const facts =
      stored !== null
        ? factsOf(readPage(stored, this.#axis, request), stored.total)
        : client === null
          ? null
          : await this.#fetch(client, request, copy);
    if (facts !== null) this.#run.count(facts.rows);
    return facts;
  }

  /** The rows of a stored page. */
  page(request: AxisRequest, copy: number): AnswerRows {
    const stored = this.#read(request, copy);
    if (stored === null) throw new Error(`No response is stored for ${requestKey(request)}.`);
    return readPage(stored, this.#axis, request);
  }

  async #fetch(client: PortalClient, request: AxisRequest, copy: number): Promise<PageFacts> {
    const { store, signal } = this.#run;
    await this.#turn();
    try {
      if (this.#stopped !== null) throw this.#stopped;
      const answer = await client.call(request, signal === undefined ? {} : { signal });
      const facts = factsOf(readPage(answer, this.#axis, request), answer.total);
      store.put(requestKey(request), answer, copy, facts.rows);
      return facts;
    } catch (error) {
      if (!concernsOneRequest(error)) this.#stopped ??= error;
      throw error;
    } finally {
      this.#calls--;
      this.#turns.shift()?.();
    }
  }

  async #turn(): Promise<void> {
    while (this.#calls >= runLimits.callsAtOnceMax) {
      await new Promise<void>((resolve) => void this.#turns.push(resolve));
    }
    this.#calls++;
  }

  /** Null where nothing is stored, or what this version of Maru reads as a fault. */
  #read(request: AxisRequest, copy: number) {
    const stored = this.#run.store.find(requestKey(request), copy);
    if (stored === null) return null;
    const answer = readAnswer(stored.body, stored.status);
    return isFault(answer) ? null : answer;
  }
}

/** Other requests may succeed; a spent quota or a refused key is the same for all. */
function concernsOneRequest(error: unknown): boolean {
  return error instanceof PortalError && (error.class === 'request' || error.class === 'retry');
}
