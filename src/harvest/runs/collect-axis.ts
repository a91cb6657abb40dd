import type { Row } from '../../data/axis.ts';
import type { AxisDefinition } from '../operations/definition.ts';
import type { Enumeration } from '../operations/enumeration.ts';
import { requestsOf, type AxisRequest } from '../operations/requests.ts';
import type { PortalError } from '../client/portal-error.ts';
import { requestKey } from '../client/request.ts';
import type { AxisResponses } from './axis-responses.ts';
import { doubtfulRequests, siblingsOfPrevious, type RequestState } from './empty-requests.ts';
import { runLimits } from './limits.ts';
import type { PageFacts } from './page-facts.ts';
import { settleRequest, type PagedRequest } from './paged-request.ts';
import { isGone, listNames, RequestFailed, requestName } from './request-failed.ts';

/** The settled requests of an axis; their responses are in the response store. */
export interface CollectedResponses {
  readonly requests: readonly PagedRequest[];
  readonly unanswered: UnansweredRequests;
}

/** Requests that are given up: refused for good, or failed in `failedRunsMax` runs while others were answered. */
interface UnansweredRequests {
  readonly count: number;
  /** Pages after the first that are missing for the same reasons, although their request was answered. */
  readonly pages: number;
  /** Names of these requests and pages. */
  readonly names: readonly string[];
  /** Error of the first of them; null for none. */
  readonly first: PortalError | null;
}

interface CollectAxisOptions {
  readonly responses: AxisResponses;
  /** Time that all requests treat as now, in milliseconds since 1970. */
  readonly now: number;
  /** Time of the last complete collection; null for the first. */
  readonly since: number | null;
  readonly recordsOf: (code: string) => AsyncIterable<Row>;
  /** True if refusals cannot come from the page size, so that every request is sent even if all are refused. */
  readonly isPageSizeRuledOut?: boolean;
  /** True for the key of a request that had records in the last published run, false for none, null if not sent. */
  readonly hadRecords: (key: string) => boolean | null;
}

/**
 * Settles all requests of an axis, several at once, and retries the failed ones at the end. Throws `PortalError` if
 * every request was refused, or for a fault that every request would get, such as a spent quota. Throws an `Error` if
 * a request failed, but not yet in `failedRunsMax` runs. The responses received before an error stay stored.
 */
export async function collectAxis(
  axis: AxisDefinition,
  options: CollectAxisOptions,
): Promise<CollectedResponses> {
  const collected = await collectByEnumeration(axis, axis.enumeration, options);
  const small = withSmallPages(axis);
  if (small === null || !isParameterRefused(collected)) {
    return throwIfRefused(await orFallback(axis, collected, options));
  }
  const withSmall = await collectByEnumeration(small, small.enumeration, options);
  if (withSmall.requests.length > 0) return withSmall;
  // Small pages are refused, too, so another parameter is at fault.
  const lastOptions = { ...options, isPageSizeRuledOut: true };
  const last = await collectByEnumeration(axis, axis.enumeration, lastOptions);
  return throwIfRefused(await orFallback(axis, last, lastOptions));
}

/** Collects by the axis's fallback if some requests have no answer and the others have no records. */
async function orFallback(
  axis: AxisDefinition,
  collected: CollectedResponses,
  options: CollectAxisOptions,
): Promise<CollectedResponses> {
  const { unanswered, requests } = collected;
  const needsFallback = unanswered.count > 0 && requests.every(({ rows }) => rows === 0);
  if (axis.fallback === null || !needsFallback) return collected;
  return await collectByEnumeration(axis, axis.fallback, options);
}

/** The axis with pages small enough for every service; null if its pages already are. Few limits are documented. */
function withSmallPages(axis: AxisDefinition): AxisDefinition | null {
  const { safePageSize: size } = runLimits;
  if (axis.paging.pageSize <= size) return null;
  return { ...axis, paging: { ...axis.paging, pageSize: size } };
}

/** True if every request was refused for its parameters, one of which is the page size. */
function isParameterRefused({ requests, unanswered }: CollectedResponses): boolean {
  const { first } = unanswered;
  return requests.length === 0 && first !== null && first.class === 'request' && !isGone(first);
}

/** Throws the first refusal if all requests were refused: an axis without answers must not pass for an empty one. */
function throwIfRefused(collected: CollectedResponses): CollectedResponses {
  const { requests, unanswered } = collected;
  if (requests.length === 0 && unanswered.first !== null) throw unanswered.first;
  return collected;
}

/**
 * Enumerates and settles requests. If a list request is answered only when it is retried, enumerates again from stored
 * responses, to include the requests made from its rows.
 */
async function collectByEnumeration(
  axis: AxisDefinition,
  enumeration: Enumeration,
  options: CollectAxisOptions,
): Promise<CollectedResponses> {
  for (let round = 1; ; round++) {
    const requests = new EnumeratedRequests(axis, enumeration, options);
    await requests.settleAll();
    await requests.settleEmpty();
    const isListAnswered = await requests.settleFailed();
    if (!isListAnswered || round === runLimits.roundsMax) return requests.result();
  }
}

/** The requests of one enumeration, with their results so far. */
class EnumeratedRequests {
  readonly #axis: AxisDefinition;
  readonly #enumeration: Enumeration;
  readonly #options: CollectAxisOptions;
  readonly #requests: AxisRequest[] = [];
  readonly #settled = new Map<AxisRequest, PagedRequest>();
  readonly #failed = new Map<AxisRequest, RequestFailed>();
  readonly #results = new WeakMap<AxisRequest, Promise<PagedRequest | null>>();
  /** Requests that were sent again because their answer was empty, whatever the second answer. */
  readonly #recheckedEmpty = new Set<AxisRequest>();
  /** True once a request that was empty had records in its second answer. */
  #hasFalseEmpty = false;
  /** Failed requests from whose rows other requests are made. */
  readonly #failedLists = new Set<AxisRequest>();

  constructor(axis: AxisDefinition, enumeration: Enumeration, options: CollectAxisOptions) {
    this.#axis = axis;
    this.#enumeration = enumeration;
    this.#options = options;
  }

  /** Sends all requests and settles the answered ones. Throws an error that every request would get. */
  async settleAll(): Promise<void> {
    const underway = new Set<Promise<void>>();
    const errors: unknown[] = [];
    const { now, since, recordsOf } = this.#options;
    const answerRows = (request: AxisRequest) => this.#answerRows(request);
    const context = { now, since, recordsOf, answerRows };
    try {
      for await (const request of requestsOf(this.#axis, context, this.#enumeration)) {
        this.#requests.push(request);
        const result = this.#settle(request);
        this.#results.set(request, result);
        const done = result
          .then(() => undefined)
          .catch((error: unknown) => void errors.push(error))
          .finally(() => underway.delete(done));
        underway.add(done);
        if (underway.size >= runLimits.requestsAtOnceMax) await Promise.race(underway);
        if (errors.length > 0 || this.#isRefusedFromTheFirst()) break;
      }
    } finally {
      await Promise.all(underway);
    }
    if (errors.length > 0) throw errors[0];
  }

  /**
   * Sends requests with a doubtful empty answer again. If one of them has records after all, sends every request with
   * an unconfirmed empty answer again.
   */
  async settleEmpty(): Promise<void> {
    const requests = this.#requests.filter(({ hasRecords }) => hasRecords);
    const states = requests.map((request) => this.#stateOf(request));
    const doubtful = doubtfulRequests(states, siblingsOfPrevious(requests));
    await this.#recheckAll(doubtful.map((at) => requests[at]!));
    if (!this.#hasFalseEmpty) return;
    await this.#recheckAll(
      requests.filter((request) => this.#stateOf(request) === 'unconfirmed_empty'),
    );
  }

  async #recheckAll(requests: readonly AxisRequest[]): Promise<void> {
    const rechecks = requests.map((request) => this.#recheckEmpty(request));
    // Throws only after all have ended, since the caller then closes the response store.
    for (const recheck of await Promise.allSettled(rechecks)) {
      if (recheck.status === 'rejected') throw recheck.reason;
    }
  }

  #stateOf(request: AxisRequest): RequestState {
    const settled = this.#settled.get(request);
    if (settled === undefined) return 'failed';
    if (settled.rows > 0) return 'records';
    if (this.#recheckedEmpty.has(request)) return 'confirmed_empty';
    const hadRecords = this.#options.hadRecords(requestKey(request));
    if (hadRecords === null) return 'unconfirmed_empty';
    return hadRecords ? 'lost_records' : 'confirmed_empty';
  }

  /** Sends a request with an empty answer again, until two responses are equal. */
  async #recheckEmpty(request: AxisRequest): Promise<PagedRequest | null> {
    this.#recheckedEmpty.add(request);
    const settled = await this.#settle(request, this.#settled.get(request)?.pages[0]?.facts);
    if (settled !== null && settled.rows > 0) this.#hasFalseEmpty = true;
    return settled;
  }

  /** Retries failed requests, one at a time. Returns true if one of the answered ones leads to further requests. */
  async settleFailed(): Promise<boolean> {
    const { responses } = this.#options;
    let [isListAnswered, confirmedRefusals] = [false, 0];
    // A copy, since `#settle` deletes answered requests from the map.
    const failed = Array.from(this.#failed);
    if (failed.length > 0) await responses.testFailedServices();
    for (const [request, { failure }] of failed) {
      const isRefusal = failure.error.class === 'request';
      if (isRefusal && !responses.isAnswering(request.service)) continue;
      if (isRefusal && confirmedRefusals >= runLimits.confirmedRefusalsMax) continue;
      const settled = await responses.retry(() => this.#settle(request));
      if (isRefusal) confirmedRefusals = settled === null ? confirmedRefusals + 1 : 0;
      if (settled !== null && this.#failedLists.has(request)) isListAnswered = true;
    }
    return isListAnswered;
  }

  /** Throws if a request failed, but not yet in `failedRunsMax` runs. */
  result(): CollectedResponses {
    const failed = [...this.#failed.values()];
    const retryable = failed.filter(
      (each) => !each.isFinal && each.failure.error.class === 'retry',
    );
    if (retryable.length > 0) throw this.#errorOf(retryable);
    const requests = this.#requests.flatMap((request) => {
      const settled = request.hasRecords ? this.#settled.get(request) : undefined;
      return settled === undefined ? [] : [settled];
    });
    const absent = [...this.#settled.values()].flatMap(({ pages }) =>
      pages.filter(({ facts }) => facts.isAbsent === true),
    );
    const errors = absent.map(({ request }) => this.#options.responses.errorOf(request));
    const names = [...failed, ...absent].map(({ request }) => requestName(this.#axis, request));
    const first = failed[0]?.failure.error ?? errors.find((error) => error !== null) ?? null;
    return { requests, unanswered: { count: failed.length, pages: absent.length, names, first } };
  }

  /**
   * Settles a request; null if it failed. `emptyPage` is the empty first page of a request that is sent again, and
   * counts as its first copy. The empty answer of such a request, or of a list request, needs two equal copies.
   */
  async #settle(request: AxisRequest, emptyPage?: PageFacts): Promise<PagedRequest | null> {
    const { responses, hadRecords } = this.#options;
    const isDoubtfulList = !request.hasRecords && hadRecords(requestKey(request)) !== false;
    const isEmptyDoubtful = emptyPage !== undefined || isDoubtfulList;
    const first = emptyPage === undefined ? null : { ...emptyPage, rowHashes: new Uint32Array() };
    for (let failedPage = ''; ;) {
      try {
        const settled = await settleRequest(
          this.#axis,
          request,
          async (page, copy) =>
            copy === 0 && page.page === 1 && first !== null
              ? first
              : await responses.facts(page, copy),
          !isEmptyDoubtful,
        );
        this.#settled.set(request, settled);
        this.#failed.delete(request);
        return settled;
      } catch (error) {
        if (!(error instanceof RequestFailed)) throw error;
        this.#failed.set(request, error);
        this.#settled.delete(request);
        const { isFinal, request: page, copy } = error;
        const isFurtherResponse = page.page > 1 || copy > 0;
        // A further page or copy that failed for good counts as absent in the next attempt.
        const key = `${requestKey(page)} ${copy}`;
        if (!isFinal || !isFurtherResponse || key === failedPage) return null;
        failedPage = key;
      }
    }
  }

  async #answerRows(request: AxisRequest): Promise<readonly Row[]> {
    let result = await this.#results.get(request);
    if (result?.rows === 0 && this.#stateOf(request) !== 'confirmed_empty') {
      result = await this.#recheckEmpty(request);
    }
    if (result === null || result === undefined) {
      this.#failedLists.add(request);
      return [];
    }
    const { responses } = this.#options;
    const copies = [...result.pages, ...result.extraCopies];
    return copies.flatMap(({ request: page, copy }) => rowsOfPage(responses, page, copy));
  }

  /** True if no request was answered and many were refused: the operation seems gone, or refuses the page size. */
  #isRefusedFromTheFirst(): boolean {
    if (this.#settled.size > 0 || this.#failed.size < runLimits.firstRefusalsMax) return false;
    const isSizeDoubtful = !this.#options.isPageSizeRuledOut && withSmallPages(this.#axis) !== null;
    return [...this.#failed.values()].every(
      ({ failure: { error } }) => isGone(error) || (isSizeDoubtful && error.class === 'request'),
    );
  }

  #errorOf(failed: readonly RequestFailed[]): Error {
    const names = failed.map(({ request }) => requestName(this.#axis, request));
    const runs = Math.max(...failed.map(({ failure }) => failure.runs));
    const { failedRunsMax } = runLimits;
    return new Error(
      `${failed.length} of ${this.#requests.length} requests failed while others were answered (run ${runs} of at ` +
        `most ${failedRunsMax}): ${listNames(names)}. First: ${failed[0]!.failure.error.reason}. All other ` +
        `responses are stored: run again later. Requests that still fail in run ${failedRunsMax} are left out.`,
    );
  }
}

function rowsOfPage(responses: AxisResponses, request: AxisRequest, copy: number): Row[] {
  const { columns, rows } = responses.page(request, copy);
  return rows.map((cells) =>
    Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? null])),
  );
}
