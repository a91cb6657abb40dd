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
 * The responses of an axis's run: stored ones are read, missing ones fetched; none is requested twice. A request that
 * fails by itself throws `RequestFailed`, and is sent again within `requestAgain` only. Once it failed for good, its
 * page is absent.
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
  /** Failures that are not stored, since nothing shows yet that the service answers; by key. */
  readonly #unproven = new Map<string, RequestFailed>();
  /** Keys of failed requests that were sent again. */
  readonly #repeated = new Set<string>();
  #isSecondLook = false;
  /** Services with a temporary failure before the second look. */
  readonly #failedFirst = new Set<string>();

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
      stored !== null ? this.#factsOf(stored, request) : await this.#missing(request, copy);
    if (stored !== null) this.#recordAnswer(request, false);
    if (facts !== null) this.#run.count(facts.rows);
    return facts;
  }

  /** The rows of a page, stored or absent. Throws for any other page. */
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
   * Sends an answered request again to each service that failed in the first look, so that these failures and those
   * of the second look do not open the circuit together.
   */
  async endFirstLook(): Promise<void> {
    for (const service of this.#failedFirst) await this.#services.test(service);
  }

  /** Sends the failed requests again on which `settle` depends, once in the life of this object. */
  async requestAgain<Result>(settle: () => Promise<Result>): Promise<Result> {
    this.#isSecondLook = true;
    try {
      return await settle();
    } finally {
      this.#isSecondLook = false;
    }
  }

  /** True if another request of the service was answered. */
  isAnswering(service: string): boolean {
    return this.#services.isAnswering(service);
  }

  /** A response that is not stored: fetched, absent, or failed. */
  async #missing(request: AxisRequest, copy: number): Promise<FetchedFacts | null> {
    const key = requestKey(request);
    const failure = this.#run.store.findFailure(key);
    const failed =
      failure === null ? this.#unproven.get(key) : new RequestFailed(request, copy, failure);
    if (failed === undefined) {
      return this.#client === null ? null : await this.#fetch(this.#client, request, copy);
    }
    if (this.#client === null || failed.isFinal) {
      if (copy > 0) return null;
      if (request.page > 1) return absentPage(request.page);
      throw failed;
    }
    if (!this.#isSecondLook || this.#repeated.has(key)) throw failed;
    this.#repeated.add(key);
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
      const judged = await this.#judge(error, request, copy, answersBefore);
      if (!(judged instanceof RequestFailed) && !isTemporary(judged)) this.#fatalError ??= judged;
      throw judged;
    } finally {
      this.#callsUnderway--;
      this.#waiting.shift()?.();
    }
  }

  #factsOf(answer: PortalAnswer, request: AxisRequest): FetchedFacts {
    const keyFields = request.hasRecords ? this.#axis.keyFields : [];
    return factsOf(readPage(answer, this.#axis, request), answer, keyFields);
  }

  /** The failure of the request alone, or the error that ends the run. */
  async #judge(
    error: unknown,
    request: AxisRequest,
    copy: number,
    answersBefore: number,
  ): Promise<unknown> {
    const isOwn = error instanceof PortalError && isOwnClass(error);
    if (!isOwn) return error;
    const { service } = request;
    const { store } = this.#run;
    const key = requestKey(request);
    const previous = store.findFailure(key);
    if (error.class === 'request') {
      const failure = failureAfter(previous, error, this.#isSecondLook);
      return this.#recordFailure(new RequestFailed(request, copy, failure));
    }
    if (!this.#isSecondLook) this.#failedFirst.add(service);
    if (!this.isAnswering(service)) return error;
    // The next run begins with the other requests, also if this is an outage.
    store.putFailure(key, failureAfter(previous, error, false));
    if (error.code === 'circuit_open') return error;
    if (this.#services.countAnswers(service) === answersBefore) {
      const outage = await this.#services.test(service);
      if (outage !== null) return outage.class === 'retry' ? error : outage;
    }
    const failure = failureAfter(previous, error, this.#isSecondLook);
    return this.#recordFailure(new RequestFailed(request, copy, failure));
  }

  #recordFailure(failed: RequestFailed): RequestFailed {
    const key = requestKey(failed.request);
    if (this.isAnswering(failed.request.service)) this.#run.store.putFailure(key, failed.failure);
    else this.#unproven.set(key, failed);
    return failed;
  }

  /** Records that a service answers: its refusals concern their requests alone, and a resumed run knows them. */
  #recordAnswer(request: AxisRequest, isFetched: boolean): void {
    const isFirst = !this.isAnswering(request.service);
    this.#services.recordAnswer(request, isFetched);
    if (!isFirst) return;
    for (const [key, { request: refused, failure }] of this.#unproven) {
      if (refused.service !== request.service) continue;
      this.#run.store.putFailure(key, failure);
      this.#unproven.delete(key);
    }
  }

  async #waitForTurn(): Promise<void> {
    // Several failing pages at once would open the circuit, which looks like an outage.
    while (this.#callsUnderway >= (this.#isSecondLook ? 1 : runLimits.callsAtOnceMax)) {
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

const noRows: AnswerRows = { columns: [], rows: [], unknownFields: [], missingFields: [] };

/** False for an error that every request would get, such as a spent quota or a refused key. */
function isOwnClass(error: PortalError): boolean {
  return error.class === 'request' || error.class === 'retry';
}

/** True for an error that ends the run, but that other requests under way may not get. */
function isTemporary(error: unknown): boolean {
  return error instanceof PortalError && error.class === 'retry';
}
