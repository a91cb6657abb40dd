import type { PortalClient } from '../client/portal-client.ts';
import { PortalError } from '../client/portal-error.ts';
import { requestKey } from '../client/request.ts';
import type { AxisDefinition } from '../operations/definition.ts';
import type { AxisRequest } from '../operations/requests.ts';
import { isFault } from '../../data/portal/fault.ts';
import { readAnswer, type PortalAnswer } from '../protocol/answer.ts';
import type { AnswerRows } from '../protocol/rows.ts';
import { runLimits } from './limits.ts';
import { absentPage, factsOf, readPage, type FetchedFacts } from './page-facts.ts';
import { failureAfter, RequestFailed } from './request-failed.ts';
import type { RunContext } from './run-context.ts';
import { Services } from './services.ts';

/**
 * The responses of an axis's run: stored ones are read, missing ones fetched; none is fetched twice. A request that
 * failed throws `RequestFailed` without being sent again, except within `retry`. Once a page after the first failed for
 * good, it counts as absent.
 */
export class AxisResponses {
  readonly #axis: AxisDefinition;
  readonly #run: RunContext;
  readonly #client: PortalClient | null;
  readonly #services: Services;
  #callsUnderway = 0;
  /** Functions that resume the calls waiting for a turn. */
  readonly #waiting: (() => void)[] = [];
  /** The error that ended the run; null before one. */
  #fatalError: unknown = null;
  /** Failures by key that are not stored yet, because their service has answered no request. */
  readonly #unstoredFailures = new Map<string, RequestFailed>();
  /** Keys of failed requests that were sent again. */
  readonly #retried = new Set<string>();
  #isRetrying = false;
  /** Services with a temporary failure in the first pass. */
  readonly #failedServices = new Set<string>();

  /** A null client fetches nothing. */
  constructor(axis: AxisDefinition, run: RunContext, client: PortalClient | null) {
    this.#axis = axis;
    this.#run = run;
    this.#client = client;
    this.#services = new Services(client, run.signal);
  }

  /** The facts of a copy of a page; null if it is not stored and not fetched. */
  async facts(request: AxisRequest, copy: number): Promise<FetchedFacts | null> {
    const stored = this.#read(request, copy);
    const facts =
      stored !== null ? this.#factsOf(stored, request) : await this.#loadMissing(request, copy);
    if (stored !== null) this.#recordAnswer(request, false);
    if (facts !== null) this.#run.count(facts.rows);
    return facts;
  }

  /** The rows of a stored page; none for an absent page. Throws for any other page. */
  page(request: AxisRequest, copy: number): AnswerRows {
    const stored = this.#read(request, copy);
    if (stored !== null) return readPage(stored, this.#axis, request);
    if (this.#run.store.findFailure(requestKey(request)) !== null) return noRows;
    throw new Error(`No response is stored for ${requestKey(request)}.`);
  }

  /** The error for which a page is absent; null for none. */
  errorOf(request: AxisRequest): PortalError | null {
    return this.#run.store.findFailure(requestKey(request))?.error ?? null;
  }

  /**
   * Repeats an answered request on each service that failed in the first pass. A success resets the circuit's count of
   * failures, so that failures of the first pass and of the retries do not open the circuit together.
   */
  async testFailedServices(): Promise<void> {
    for (const service of this.#failedServices) await this.#services.test(service);
  }

  /** Runs `settle`, during which failed requests are sent again: each once in the life of this object. */
  async retry<Result>(settle: () => Promise<Result>): Promise<Result> {
    this.#isRetrying = true;
    try {
      return await settle();
    } finally {
      this.#isRetrying = false;
    }
  }

  /** True if a request of the service was answered in this run. */
  isAnswering(service: string): boolean {
    return this.#services.isAnswering(service);
  }

  /** Fetches a response that is not stored. Throws the failure of an earlier attempt; an absent page has no rows. */
  async #loadMissing(request: AxisRequest, copy: number): Promise<FetchedFacts | null> {
    const key = requestKey(request);
    const failure = this.#run.store.findFailure(key);
    const failed =
      failure === null
        ? this.#unstoredFailures.get(key)
        : new RequestFailed(request, copy, failure);
    if (failed === undefined) {
      return this.#client === null ? null : await this.#fetch(this.#client, request, copy);
    }
    if (this.#client === null || failed.isFinal) {
      if (copy > 0) return null;
      if (request.page > 1) return absentPage(request.page);
      throw failed;
    }
    if (!this.#isRetrying || this.#retried.has(key)) throw failed;
    this.#retried.add(key);
    return await this.#fetch(this.#client, request, copy);
  }

  async #fetch(client: PortalClient, request: AxisRequest, copy: number): Promise<FetchedFacts> {
    const { store, signal } = this.#run;
    await this.#waitForTurn();
    const answersBefore = this.#services.countAnswers(request.service);
    try {
      if (this.#fatalError !== null) throw this.#fatalError;
      const answer = await client.call(request, signal === undefined ? {} : { signal });
      const facts = this.#factsOf(answer, request);
      store.put(requestKey(request), answer, copy, facts.rows);
      this.#recordAnswer(request, true);
      return facts;
    } catch (error) {
      const classified = await this.#classify(error, request, copy, answersBefore);
      const isFatal = !(classified instanceof RequestFailed) && !isTemporary(classified);
      if (isFatal) this.#fatalError ??= classified;
      throw classified;
    } finally {
      this.#callsUnderway--;
      this.#waiting.shift()?.();
    }
  }

  #factsOf(answer: PortalAnswer, request: AxisRequest): FetchedFacts {
    const keyFields = request.hasRecords ? this.#axis.keyFields : [];
    return factsOf(readPage(answer, this.#axis, request), answer, keyFields);
  }

  /** Returns `RequestFailed` if the error concerns this request only, else the error, which ends the run. */
  async #classify(
    error: unknown,
    request: AxisRequest,
    copy: number,
    answersBefore: number,
  ): Promise<unknown> {
    const mayConcernRequest = error instanceof PortalError && isRequestClass(error);
    if (!mayConcernRequest) return error;
    const { service } = request;
    const { store } = this.#run;
    const key = requestKey(request);
    const previous = store.findFailure(key);
    if (error.class === 'request') {
      const failure = failureAfter(previous, error, this.#isRetrying);
      return this.#recordFailure(new RequestFailed(request, copy, failure));
    }
    if (!this.#isRetrying) this.#failedServices.add(service);
    if (!this.isAnswering(service)) return error;
    // Stored even if this is an outage, so that the next run sends the other requests first.
    store.putFailure(key, failureAfter(previous, error, false));
    if (error.code === 'circuit_open') return error;
    if (this.#services.countAnswers(service) === answersBefore) {
      const outage = await this.#services.test(service);
      if (outage !== null) return outage.class === 'retry' ? error : outage;
    }
    const failure = failureAfter(previous, error, this.#isRetrying);
    return this.#recordFailure(new RequestFailed(request, copy, failure));
  }

  #recordFailure(failed: RequestFailed): RequestFailed {
    const key = requestKey(failed.request);
    if (this.isAnswering(failed.request.service)) this.#run.store.putFailure(key, failed.failure);
    else this.#unstoredFailures.set(key, failed);
    return failed;
  }

  /** Records that a service answers. Its failures so far then concern their requests only, so they are stored. */
  #recordAnswer(request: AxisRequest, isFetched: boolean): void {
    const isFirst = !this.isAnswering(request.service);
    this.#services.recordAnswer(request, isFetched);
    if (!isFirst) return;
    for (const [key, { request: failed, failure }] of this.#unstoredFailures) {
      if (failed.service !== request.service) continue;
      this.#run.store.putFailure(key, failure);
      this.#unstoredFailures.delete(key);
    }
  }

  async #waitForTurn(): Promise<void> {
    // Several failing pages at once would open the circuit, which looks like an outage.
    while (this.#callsUnderway >= (this.#isRetrying ? 1 : runLimits.callsAtOnceMax)) {
      await new Promise<void>((resolve) => void this.#waiting.push(resolve));
    }
    this.#callsUnderway++;
  }

  /** The stored answer; null if none is stored, or if this version of Maru reads it as a fault. */
  #read(request: AxisRequest, copy: number) {
    const stored = this.#run.store.find(requestKey(request), copy);
    if (stored === null) return null;
    // Broken JSON is stored only after two attempts returned the same.
    const answer = readAnswer(stored.body, stored.status, true);
    return isFault(answer) ? null : answer;
  }
}

const noRows: AnswerRows = { columns: [], rows: [], unknownFields: [], missingFields: [] };

/** False for an error that every request would get, such as a spent quota or a refused key. */
function isRequestClass(error: PortalError): boolean {
  return error.class === 'request' || error.class === 'retry';
}

/** True for an error that requests already waiting may not get. */
function isTemporary(error: unknown): boolean {
  return error instanceof PortalError && error.class === 'retry';
}
