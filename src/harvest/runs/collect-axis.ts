import type { Row } from '../../data/axis.ts';
import type { AxisDefinition } from '../operations/definition.ts';
import type { Enumeration } from '../operations/enumeration.ts';
import { requestsOf, type AxisRequest } from '../operations/requests.ts';
import type { PortalError } from '../client/portal-error.ts';
import { requestKey } from '../client/request.ts';
import type { AxisResponses } from './axis-responses.ts';
import { doubtfulRequests, markSiblings, type RequestState } from './empty-requests.ts';
import { runLimits } from './limits.ts';
import type { PageFacts } from './page-facts.ts';
import { settleRequest, type PagedRequest } from './paged-request.ts';
import { isGone, listNames, RequestFailed, requestName } from './request-failed.ts';

/** The settled requests of an axis; their responses are in the response store. */
export interface CollectedResponses {
  readonly requests: readonly PagedRequest[];
  readonly refused: RefusedRequests;
}

/** Requests without an answer: refused for good, or failed in `failedRunsMax` runs while others were answered. */
interface RefusedRequests {
  readonly count: number;
  /** Further pages of answered requests that are missing for the same reasons. */
  readonly pages: number;
  /** Names of both. */
  readonly names: readonly string[];
  /** Error of the first request or page; null for none. */
  readonly first: PortalError | null;
}

interface CollectAxisOptions {
  readonly responses: AxisResponses;
  /** Time that all requests treat as now, in milliseconds since 1970. */
  readonly now: number;
  /** Time of the last complete collection; null for the first. */
  readonly since: number | null;
  readonly recordsOf: (code: string) => AsyncIterable<Row>;
  /** True to send every request even if all are refused; false to try smaller pages first. */
  readonly isSizeCertain?: boolean;
  /** True for the key of a request that had records in the last published run, false for none, null if not sent. */
  readonly hadRecords: (key: string) => boolean | null;
}

/**
 * Settles every request of an axis, several at once, and at the end those again that failed by themselves. Throws
 * `PortalError` if further requests make no sense today, or if all were refused; throws an `Error` while requests
 * have failed in too few runs. The responses until then stay stored.
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
  const smaller = await collectByEnumeration(small, small.enumeration, options);
  if (smaller.requests.length > 0) return smaller;
  const whole = { ...options, isSizeCertain: true };
  const all = await collectByEnumeration(axis, axis.enumeration, whole);
  return throwIfRefused(await orFallback(axis, all, whole));
}

/** The responses of the axis's fallback if some requests were refused and no other has records. */
async function orFallback(
  axis: AxisDefinition,
  collected: CollectedResponses,
  options: CollectAxisOptions,
): Promise<CollectedResponses> {
  const { refused, requests } = collected;
  const needsFallback = refused.count > 0 && requests.every(({ rows }) => rows === 0);
  if (axis.fallback === null || !needsFallback) return collected;
  return await collectByEnumeration(axis, axis.fallback, options);
}

/** The axis with pages that every service accepts; null if it has such. Limits of pages are seldom documented. */
function withSmallPages(axis: AxisDefinition): AxisDefinition | null {
  const { pageSizeRefused: size } = runLimits;
  if (axis.paging.pageSize <= size) return null;
  return { ...axis, paging: { ...axis.paging, pageSize: size } };
}

/** True if every request was refused for its parameters, of which the page size is one. */
function isParameterRefused({ requests, refused }: CollectedResponses): boolean {
  const { first } = refused;
  return requests.length === 0 && first !== null && first.class === 'request' && !isGone(first);
}

/** Throws the first refusal if all requests were refused, which is not an empty list. */
function throwIfRefused(collected: CollectedResponses): CollectedResponses {
  const { requests, refused } = collected;
  if (requests.length === 0 && refused.first !== null) throw refused.first;
  return collected;
}

/** Repeats the enumeration, from stored responses, when a list is answered late: further requests follow from it. */
async function collectByEnumeration(
  axis: AxisDefinition,
  enumeration: Enumeration,
  options: CollectAxisOptions,
): Promise<CollectedResponses> {
  for (let round = 1; ; round++) {
    const requests = new EnumeratedRequests(axis, enumeration, options);
    await requests.settleAll();
    await requests.settleEmpty();
    const hasNewList = await requests.settleFailed();
    if (!hasNewList || round === runLimits.roundsMax) return requests.result();
  }
}

/** The requests of one enumeration, as far as they are settled. */
class EnumeratedRequests {
  readonly #axis: AxisDefinition;
  readonly #enumeration: Enumeration;
  readonly #options: CollectAxisOptions;
  readonly #requests: AxisRequest[] = [];
  readonly #settled = new Map<AxisRequest, PagedRequest>();
  readonly #failed = new Map<AxisRequest, RequestFailed>();
  readonly #results = new WeakMap<AxisRequest, Promise<PagedRequest | null>>();
  /** Requests without records, in more than one response. */
  readonly #confirmedEmpty = new Set<AxisRequest>();
  /** True if one of them had records in its second response. */
  #hasFalseEmpty = false;
  /** Failed requests that others follow from. */
  readonly #lists = new Set<AxisRequest>();

  constructor(axis: AxisDefinition, enumeration: Enumeration, options: CollectAxisOptions) {
    this.#axis = axis;
    this.#enumeration = enumeration;
    this.#options = options;
  }

  /** Settles the requests that do not fail by themselves. Throws the error that ends the run. */
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

  /** Sends doubtful empty requests again; all of them, once one has records after all. */
  async settleEmpty(): Promise<void> {
    const requests = this.#requests.filter(({ hasRecords }) => hasRecords);
    const states = requests.map((request) => this.#stateOf(request));
    const doubtful = doubtfulRequests(states, markSiblings(requests));
    await this.#confirmAll(doubtful.map((at) => requests[at]!));
    if (!this.#hasFalseEmpty) return;
    await this.#confirmAll(requests.filter((request) => this.#stateOf(request) === 'empty'));
  }

  async #confirmAll(requests: readonly AxisRequest[]): Promise<void> {
    const looks = requests.map((request) => this.#confirmEmpty(request));
    // Throws after all have ended, since the caller then closes the response store.
    for (const look of await Promise.allSettled(looks)) {
      if (look.status === 'rejected') throw look.reason;
    }
  }

  #stateOf(request: AxisRequest): RequestState {
    const settled = this.#settled.get(request);
    if (settled === undefined) return 'failed';
    if (settled.rows > 0) return 'records';
    if (this.#confirmedEmpty.has(request)) return 'known_empty';
    const hadRecords = this.#options.hadRecords(requestKey(request));
    return hadRecords === null ? 'empty' : hadRecords ? 'emptied' : 'known_empty';
  }

  /** Sends an empty request again, until two responses are equal. */
  async #confirmEmpty(request: AxisRequest): Promise<PagedRequest | null> {
    this.#confirmedEmpty.add(request);
    const settled = await this.#settle(request, this.#settled.get(request)?.pages[0]?.facts);
    if (settled !== null && settled.rows > 0) this.#hasFalseEmpty = true;
    return settled;
  }

  /** Sends failed requests once more, one at a time. Returns true if others follow from one that is settled now. */
  async settleFailed(): Promise<boolean> {
    const { responses } = this.#options;
    let [hasNewList, confirmed] = [false, 0];
    // A request that is settled now leaves the map.
    const failed = Array.from(this.#failed);
    if (failed.length > 0) await responses.endFirstLook();
    for (const [request, { failure }] of failed) {
      const isRefusal = failure.error.class === 'request';
      if (isRefusal && !responses.isAnswering(request.service)) continue;
      if (isRefusal && confirmed >= runLimits.confirmedRefusalsMax) continue;
      const settled = await responses.requestAgain(() => this.#settle(request));
      if (isRefusal) confirmed = settled === null ? confirmed + 1 : 0;
      if (settled !== null && this.#lists.has(request)) hasNewList = true;
    }
    return hasNewList;
  }

  /** Throws if a request failed, but not yet in enough runs to go on without it. */
  result(): CollectedResponses {
    const failed = [...this.#failed.values()];
    const waiting = failed.filter((each) => !each.isFinal && each.failure.error.class === 'retry');
    if (waiting.length > 0) throw this.#errorOf(waiting);
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
    return { requests, refused: { count: failed.length, pages: absent.length, names, first } };
  }

  /**
   * Settles a request; null if it failed by itself. An empty page is doubtful if it is `empty`, the first copy of
   * before, or a list, since other requests follow from it.
   */
  async #settle(request: AxisRequest, empty?: PageFacts): Promise<PagedRequest | null> {
    const { responses, hadRecords } = this.#options;
    const isNewList = !request.hasRecords && hadRecords(requestKey(request)) !== false;
    const isEmptyDoubtful = empty !== undefined || isNewList;
    const first = empty === undefined ? null : { ...empty, rowHashes: new Uint32Array() };
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
        const isPartial = page.page > 1 || copy > 0;
        // A further page that failed for good is absent from the next round.
        const key = `${requestKey(page)} ${copy}`;
        if (!isFinal || !isPartial || key === failedPage) return null;
        failedPage = key;
      }
    }
  }

  async #answerRows(request: AxisRequest): Promise<readonly Row[]> {
    let result = await this.#results.get(request);
    if (result?.rows === 0 && this.#stateOf(request) !== 'known_empty') {
      result = await this.#confirmEmpty(request);
    }
    if (result === null || result === undefined) {
      this.#lists.add(request);
      return [];
    }
    const { responses } = this.#options;
    const copies = [...result.pages, ...result.extraCopies];
    return copies.flatMap(({ request: page, copy }) => rowsOfPage(responses, page, copy));
  }

  /** True if the operation seems gone, or refuses the size of its pages: many refusals, and no answer. */
  #isRefusedFromTheFirst(): boolean {
    if (this.#settled.size > 0 || this.#failed.size < runLimits.refusedFirstMax) return false;
    const isSizeDoubtful = !this.#options.isSizeCertain && withSmallPages(this.#axis) !== null;
    return [...this.#failed.values()].every(
      ({ failure: { error } }) => isGone(error) || (isSizeDoubtful && error.class === 'request'),
    );
  }

  #errorOf(waiting: readonly RequestFailed[]): Error {
    const names = waiting.map(({ request }) => requestName(this.#axis, request));
    const runs = Math.max(...waiting.map(({ failure }) => failure.runs));
    return new Error(
      `${waiting.length} of ${this.#requests.length} requests failed while others were answered, in ${runs} of ` +
        `${runLimits.failedRunsMax} runs: ${listNames(names)}. First: ${waiting[0]!.failure.error.reason}. ` +
        'All other responses are stored: run again later. After the last of these runs the axis is judged without them.',
    );
  }
}

function rowsOfPage(responses: AxisResponses, request: AxisRequest, copy: number): Row[] {
  const { columns, rows } = responses.page(request, copy);
  return rows.map((cells) =>
    Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? null])),
  );
}
