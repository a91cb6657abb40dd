import type { Row } from '../../data/axis.ts';
import type { UpstreamRequest } from '../client/request.ts';
import {
  choicesOf,
  stampsOf,
  yearsNewestFirst,
  type Choice,
  type CollectionTime,
} from './choices.ts';
import type { AxisDefinition } from './definition.ts';
import type {
  Enumeration,
  ListLoop,
  NewestYearLoop,
  RecordsLoop,
  WalkLoop,
} from './enumeration.ts';

/** Request of one page: of an axis's records, or of a list whose rows lead to other requests (a list request). */
export interface AxisRequest extends UpstreamRequest {
  readonly axis: string;
  /** From 1. */
  readonly page: number;
  /** Values for fields that the answer leaves out, from the request. */
  readonly stamps: Readonly<Record<string, string>>;
  /** False for a list request: its rows are not records of the axis. */
  readonly hasRecords: boolean;
}

interface CollectionContext extends CollectionTime {
  /** The collected records of another axis. */
  recordsOf(code: string): AsyncIterable<Row>;
  /**
   * The rows of all pages of a yielded request, once it is settled. Rows of a list request have the names of the
   * list's own fields.
   */
  answerRows(request: AxisRequest): Promise<readonly Row[]>;
}

/**
 * Yields the first page of every request that an axis needs; `pageOf` makes the other pages. The generator
 * waits only for answers that the next request depends on, so a caller may settle several requests at once.
 */
export function requestsOf(
  axis: AxisDefinition,
  context: CollectionContext,
  enumeration: Enumeration = axis.enumeration,
): AsyncGenerator<AxisRequest, void, undefined> {
  return requestsWithin(axis, context, enumeration, { parameters: {}, stamps: {} });
}

/** Makes the request of another page. */
export function pageOf(axis: AxisDefinition, request: AxisRequest, page: number): AxisRequest {
  const parameters = { ...request.parameters, [axis.paging.page]: String(page) };
  return { ...request, page, parameters };
}

async function* requestsWithin(
  axis: AxisDefinition,
  context: CollectionContext,
  loops: Enumeration,
  outer: Choice,
): AsyncGenerator<AxisRequest, void, undefined> {
  const [loop, ...inner] = loops;
  if (loop === undefined) yield requestFor(axis, outer);
  else if (loop.kind === 'newest-year') yield* requestsByYear(axis, context, loop, outer);
  else if (loop.kind === 'walk') yield* requestsByWalk(axis, context, loop, outer);
  else if (loop.kind === 'list') yield* requestsByList(axis, context, loop, inner, outer);
  else if (loop.kind === 'records') {
    for await (const choice of choicesOfRecords(axis, loop, context.recordsOf(loop.axis))) {
      yield* requestsWithin(axis, context, inner, combine(outer, choice));
    }
  } else {
    for (const choice of choicesOf(loop, outer.parameters, context)) {
      yield* requestsWithin(axis, context, inner, combine(outer, choice));
    }
  }
}

async function* requestsByYear(
  axis: AxisDefinition,
  context: CollectionContext,
  loop: NewestYearLoop,
  outer: Choice,
): AsyncGenerator<AxisRequest, void, undefined> {
  for (const year of yearsNewestFirst(loop.back, context.now)) {
    const parameters = { [loop.parameter]: String(year) };
    const request = requestFor(axis, combine(outer, { parameters, stamps: {} }));
    yield request;
    if ((await context.answerRows(request)).length > 0) return;
  }
}

/** Walks level by level, so that `most` ends the walk before a deeper level begins. */
async function* requestsByWalk(
  axis: AxisDefinition,
  context: CollectionContext,
  loop: WalkLoop,
  root: Choice,
): AsyncGenerator<AxisRequest, void, undefined> {
  let level = [root];
  let requestCount = 0;
  for (const parameter of [...loop.parameters, null]) {
    const nextLevel: Choice[] = [];
    for (const choice of level) {
      if (++requestCount > loop.most)
        throw tooManyRequests(axis, `its own ${loop.field}`, loop.most);
      const request = requestFor(axis, choice);
      yield request;
      if (parameter === null) continue;
      for (const row of await context.answerRows(request)) {
        const value = textOf(row[loop.field]);
        if (value !== null) {
          nextLevel.push(combine(choice, { parameters: { [parameter]: value }, stamps: {} }));
        }
      }
    }
    level = nextLevel;
  }
}

async function* requestsByList(
  axis: AxisDefinition,
  context: CollectionContext,
  loop: ListLoop,
  inner: Enumeration,
  outer: Choice,
): AsyncGenerator<AxisRequest, void, undefined> {
  const seenKeys = new Set<string>();
  for await (const choice of listChoices(axis, context, loop)) {
    const template = requestFor(axis, combine({ parameters: loop.parameters, stamps: {} }, choice));
    const { path, portalId = axis.portalId } = loop;
    const service = path.slice(0, path.lastIndexOf('/'));
    const request = { ...template, path, service, portalId, hasRecords: false };
    yield request;
    const rows = await context.answerRows(request);
    for (const listedChoice of newChoices(axis, loop, rows, seenKeys, path)) {
      yield* requestsWithin(axis, context, inner, combine(outer, listedChoice));
    }
  }
  if (loop.also === undefined) return;
  const { also, most } = loop;
  const records = choicesOfRecords(axis, { ...also, most }, context.recordsOf(also.axis), seenKeys);
  for await (const choice of records) {
    yield* requestsWithin(axis, context, inner, combine(outer, choice));
  }
}

/** Yields the parameters of the list's requests: one request, or one for each record of another axis. */
async function* listChoices(
  axis: AxisDefinition,
  context: CollectionContext,
  { each, most }: ListLoop,
): AsyncGenerator<Choice, void, undefined> {
  if (each === undefined) yield { parameters: {}, stamps: {} };
  else yield* choicesOfRecords(axis, { ...each, most }, context.recordsOf(each.axis));
}

/** Yields the choices of another axis's records, without those whose key is in `seenKeys`. */
async function* choicesOfRecords(
  axis: AxisDefinition,
  loop: Omit<RecordsLoop, 'kind' | 'expect'>,
  records: AsyncIterable<Row>,
  seenKeys = new Set<string>(),
): AsyncGenerator<Choice, void, undefined> {
  for await (const row of records) {
    if (!isWanted(loop, row)) continue;
    yield* newChoices(axis, loop, [row], seenKeys, loop.axis);
  }
}

/** Returns the choices of rows whose keys are not in `seenKeys` yet, and adds the keys. Throws for more than `most`. */
function newChoices(
  axis: AxisDefinition,
  loop: Pick<ListLoop, 'take' | 'stamp' | 'most'>,
  rows: readonly Row[],
  seenKeys: Set<string>,
  source: string,
): Choice[] {
  return rows.flatMap((row) => {
    const choice = choiceOfRow(loop, row);
    const key = choice === null ? undefined : Object.values(choice.parameters).join('\n');
    if (choice === null || key === undefined || seenKeys.has(key)) return [];
    if (seenKeys.size === loop.most) throw tooManyRequests(axis, source, loop.most);
    seenKeys.add(key);
    return [choice];
  });
}

function isWanted(loop: Pick<RecordsLoop, 'only' | 'from'>, row: Row): boolean {
  for (const [field, values] of Object.entries(loop.only ?? {})) {
    if (!values.split(' ').includes(textOf(row[field]) ?? '')) return false;
  }
  for (const [field, lowest] of Object.entries(loop.from ?? {})) {
    if ((textOf(row[field]) ?? '') < lowest) return false;
  }
  return true;
}

/** The choice of one row; null for a row without a value that the request needs. */
function choiceOfRow(loop: Pick<ListLoop, 'take' | 'stamp'>, row: Row): Choice | null {
  const parameters: Record<string, string> = {};
  for (const [parameter, field] of Object.entries(loop.take)) {
    const value = textOf(row[field]);
    if (value === null) return null;
    parameters[parameter] = value;
  }
  const values: Record<string, string> = {};
  for (const source of Object.values(loop.stamp ?? {})) {
    const value = textOf(row[source]);
    if (value !== null) values[source] = value;
  }
  return { parameters, stamps: stampsOf(loop.stamp, values) };
}

function requestFor(axis: AxisDefinition, outer: Choice): AxisRequest {
  const { paging, json } = axis;
  return {
    axis: axis.code,
    path: axis.path,
    service: axis.service,
    key: { in: 'query', name: axis.keyParameter },
    parameters: {
      ...axis.parameters,
      ...(json === null ? {} : { [json.parameter]: json.value }),
      ...outer.parameters,
      [paging.page]: '1',
      [paging.size]: String(paging.pageSize),
    },
    page: 1,
    stamps: outer.stamps,
    hasRecords: true,
    dailyQuota: axis.dailyQuota,
    portalId: axis.portalId,
  };
}

function combine(outer: Choice, inner: Choice): Choice {
  return {
    parameters: { ...outer.parameters, ...inner.parameters },
    stamps: { ...outer.stamps, ...inner.stamps },
  };
}

function textOf(value: Row[string] | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}

function tooManyRequests(axis: AxisDefinition, source: string, most: number): Error {
  return new Error(
    `${axis.code} would take more than ${most} requests for the values of ${source}. ` +
      `Check these records, and raise \`most\` in axes.json if they are right.`,
  );
}
