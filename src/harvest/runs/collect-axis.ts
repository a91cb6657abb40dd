import type { Row } from '../../data/axis.ts';
import type { AxisDefinition } from '../operations/definition.ts';
import type { Enumeration } from '../operations/enumeration.ts';
import { requestsOf, type AxisRequest } from '../operations/requests.ts';
import { PortalError } from '../client/portal-error.ts';
import { requestKey } from '../client/request.ts';
import type { AxisResponses } from './axis-responses.ts';
import { runLimits } from './limits.ts';
import { settleRequest, type PagedRequest } from './paged-request.ts';

/** The settled requests of an axis; their responses are in the response store. */
export interface CollectedResponses {
  readonly requests: readonly PagedRequest[];
  /** Requests that were refused for good, and the error of the first. */
  readonly refused: { readonly count: number; readonly first: PortalError | null };
}

interface CollectAxisOptions {
  readonly responses: AxisResponses;
  /** Time that all requests treat as now, in milliseconds since 1970. */
  readonly now: number;
  /** Time of the last complete collection; null for the first. */
  readonly since: number | null;
  readonly recordsOf: (code: string) => AsyncIterable<Row>;
  /** True for the key of a request that had no record in the last published run. */
  readonly wasEmpty: (key: string) => boolean;
}

/**
 * Settles every request of an axis, several at once. Throws `PortalError` if further requests make no sense today,
 * or if all were refused; the responses until then stay stored.
 */
export async function collectAxis(
  axis: AxisDefinition,
  options: CollectAxisOptions,
): Promise<CollectedResponses> {
  const collected = await collectByEnumeration(axis, axis.enumeration, options);
  const { refused, requests } = collected;
  const needsFallback = refused.count > 0 && requests.every(({ rows }) => rows === 0);
  if (axis.fallback === null || !needsFallback) return throwIfRefused(collected);
  return throwIfRefused(await collectByEnumeration(axis, axis.fallback, options));
}

/** True if the operation itself is gone; any other refusal may concern one request alone. */
function isGone({ code }: PortalError): boolean {
  return goneCodes.has(code);
}

const goneCodes: ReadonlySet<string> = new Set(
  '12 api_not_found redirect_elsewhere http_404 http_410'.split(' '),
);

/** Throws the first refusal if all requests were refused, which is not an empty list. */
function throwIfRefused(collected: CollectedResponses): CollectedResponses {
  const { requests, refused } = collected;
  if (requests.length === 0 && refused.first !== null) throw refused.first;
  return collected;
}

async function collectByEnumeration(
  axis: AxisDefinition,
  enumeration: Enumeration,
  { responses, now, since, recordsOf, wasEmpty }: CollectAxisOptions,
): Promise<CollectedResponses> {
  const settled: (PagedRequest | null)[] = [];
  const underway = new Set<Promise<void>>();
  const resultsByRequest = new WeakMap<AxisRequest, Promise<PagedRequest | null>>();
  const refused: PortalError[] = [];
  const failures: unknown[] = [];
  let hasAnswer = false;

  async function answerRows(request: AxisRequest): Promise<readonly Row[]> {
    const result = await resultsByRequest.get(request);
    if (result === null || result === undefined) return [];
    return result.pages.flatMap((page) => rowsOfPage(responses, page.request, page.copy));
  }

  async function settle(request: AxisRequest): Promise<PagedRequest | null> {
    try {
      const isKnownEmpty = wasEmpty(requestKey(request));
      return await settleRequest(
        axis,
        request,
        (page, copy) => responses.facts(page, copy),
        isKnownEmpty,
      );
    } catch (error) {
      if (!(error instanceof PortalError) || error.class !== 'request') throw error;
      refused.push(error);
      return null;
    }
  }

  const context = { now, since, recordsOf, answerRows };
  try {
    for await (const request of requestsOf(axis, context, enumeration)) {
      const at = settled.push(null) - 1;
      const result = settle(request);
      resultsByRequest.set(request, result);
      const done = result
        .then((each) => {
          if (each !== null) hasAnswer = true;
          if (request.hasRecords) settled[at] = each;
        })
        .catch((error: unknown) => void failures.push(error))
        .finally(() => underway.delete(done));
      underway.add(done);
      if (underway.size >= runLimits.requestsAtOnceMax) await Promise.race(underway);
      if (failures.length > 0) break;
      if (!hasAnswer && refused.filter(isGone).length >= runLimits.refusedFirstMax) break;
    }
  } finally {
    await Promise.all(underway);
  }
  if (failures.length > 0) throw failures[0];
  const requests = settled.filter((each) => each !== null);
  return { requests, refused: { count: refused.length, first: refused[0] ?? null } };
}

function rowsOfPage(responses: AxisResponses, request: AxisRequest, copy: number): Row[] {
  const { columns, rows } = responses.page(request, copy);
  return rows.map((cells) =>
    Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? null])),
  );
}
