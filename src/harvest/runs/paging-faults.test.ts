import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isLongForm } from '../../../test/long-form.ts';
import { axisDefinition } from '../operations/definitions.ts';
import type { AxisRequest } from '../operations/requests.ts';
import { runLimits } from './limits.ts';
import { factsOf, type FetchedFacts } from './page-facts.ts';
import { settleRequest, type PagedRequest } from './paged-request.ts';

/** A source of paged rows, the numbers from 0 to `count` (exclusive). */
interface Source {
  readonly count: number;
  /** Requested rows a page. */
  readonly size: number;
  /** Most rows that the source returns on a page. */
  readonly cut: number;
  readonly hasTotal: boolean;
  /** True if the source lists every row twice. */
  readonly isDoubled: boolean;
  readonly faults: readonly PageFault[];
}

/** A fault in the first `until` copies of one page. */
interface PageFault {
  readonly kind:
    'other_page' | 'short' | 'empty' | 'swapped' | 'shuffled' | 'first_again' | 'total';
  readonly page: number;
  readonly until: number;
  readonly seed: number;
}

const definition = axisDefinition('std_library')!;

/** Collects from the source. `rows` are those of the copies that are used. */
async function collect(source: Source): Promise<{
  readonly settled: PagedRequest;
  readonly rows: ReadonlySet<number>;
  readonly calls: number;
}> {
  const axis = { ...definition, paging: { ...definition.paging, pageSize: source.size } };
  const answers = new Map<string, readonly number[]>();
  const settled = await settleRequest(
    axis,
    requestOf(axis.paging.page),
    ({ page }, copy) => {
      const { rows, total } = answerOf(source, page, copy);
      answers.set(`${page} ${copy}`, rows);
      return Promise.resolve(factsOfRows(rows, total));
    },
    false,
  );
  const copies = [...settled.pages, ...settled.extraCopies];
  const rows = new Set(
    copies.flatMap(({ request, copy }) => answers.get(`${request.page} ${copy}`)!),
  );
  return { settled, rows, calls: answers.size };
}

function answerOf(
  source: Source,
  page: number,
  copy: number,
): { readonly rows: readonly number[]; readonly total: number | null } {
  const { cut, hasTotal } = source;
  const list = listOf(source);
  let [rows, total] = [list.slice((page - 1) * cut, page * cut), list.length];
  for (const { kind, page: struck, until, seed } of source.faults) {
    if (struck !== page || copy >= until) continue;
    const other = seed % Math.max(1, Math.ceil(list.length / cut));
    if (kind === 'other_page') rows = list.slice(other * cut, (other + 1) * cut);
    else if (kind === 'short') rows = rows.slice(0, seed % (rows.length + 1));
    else if (kind === 'empty') [rows, total] = [[], 0];
    else if (kind === 'first_again') rows = [...rows, ...rows.slice(0, 1)];
    else if (kind === 'total') total = Math.max(0, total + (seed % 7) - 3);
    else if (kind === 'swapped') {
      const next = list[page * cut + 1];
      if (next !== undefined) rows = [...rows.slice(0, -1), next];
    } else rows = shuffle(list, seed + copy).slice((page - 1) * cut, page * cut);
  }
  return { rows, total: hasTotal ? total : null };
}

function listOf({ count, isDoubled }: Source): number[] {
  const list = Array.from({ length: count }, (_, row) => row);
  return isDoubled ? list.flatMap((row) => [row, row]) : list;
}

function shuffle(list: readonly number[], seed: number): number[] {
  return list.toSorted(
    (a, b) => ((a * 7919 + seed * 104_729) % 257) - ((b * 7919 + seed * 104_729) % 257) || a - b,
  );
}

function factsOfRows(rows: readonly number[], total: number | null): FetchedFacts {
  const cells = rows.map((row) => [String(row)]);
  const answer = { columns: ['number'], rows: cells, unknownFields: [], missingFields: [] };
  return factsOf(answer, { total, isMended: false });
}

function requestOf(pageParameter: string): AxisRequest {
  const { code, path, service } = definition;
  const about = { key: null, stamps: {}, hasRecords: true, dailyQuota: 1, portalId: null };
  return { axis: code, path, service, parameters: { [pageParameter]: '1' }, page: 1, ...about };
}

const lasting = 100;
const pages = fc.integer({ min: 1, max: 12 });
const seeds = fc.nat({ max: 1_000 });
/** Faults that a total reveals; they affect one or two copies, or all. */
const revealed = fc.record({
  kind: fc.constantFrom('other_page', 'short', 'swapped', 'shuffled'),
  page: pages,
  until: fc.constantFrom(1, 2, lasting),
  seed: seeds,
});
/** Faults of the first copy only: a source that always states a wrong total cannot be checked. */
const temporary = fc.record({
  kind: fc.constantFrom('empty', 'total', 'first_again'),
  page: pages,
  until: fc.constant(1),
  seed: seeds,
});
const listed = fc
  .record({
    count: fc.nat({ max: 60 }),
    size: fc.integer({ min: 1, max: 8 }),
    cut: fc.integer({ min: 1, max: 8 }),
    faults: fc.uniqueArray(revealed, { maxLength: 5, selector: ({ page }) => page }),
    once: fc.array(temporary, { maxLength: 1 }),
  })
  .map(({ once, faults, ...rest }) => {
    // A shortened page whose own total agrees with it cannot be distinguished from a short list.
    const total = once.find(({ kind }) => kind === 'total');
    return {
      ...rest,
      cut: total === undefined ? Math.min(rest.cut, rest.size) : rest.size,
      faults: [
        ...once,
        ...faults.filter(({ kind, page }) => kind !== 'short' || page !== total?.page),
      ] as PageFault[],
    };
  });

const numRuns = isLongForm ? 100_000 : 500;

test('a paged list with a total has every row, or the exact number of missing ones', async () => {
  await fc.assert(
    fc.asyncProperty(listed, async (given) => {
      const source = { ...given, hasTotal: true, isDoubled: false };
      const { settled, rows, calls } = await collect(source);
      const { missing, surplus, changedTotals } = settled;
      if (changedTotals === null) {
        assert.equal(missing, source.count - rows.size);
        assert.equal(surplus, 0);
      } else assert.ok(rows.size + missing >= changedTotals[0]);
      assert.ok(calls <= (source.count + 2) * runLimits.copiesMax);
    }),
    { numRuns },
  );
});

test('a paged list without a total has every row, or reports missing rows', async () => {
  await fc.assert(
    fc.asyncProperty(listed, async ({ faults, ...given }) => {
      // Without a total, a short page cannot be distinguished from the last one.
      const known = faults.filter(
        ({ kind, page, until }) =>
          kind === 'swapped' || (kind === 'other_page' && until === 1 && page > 1),
      );
      const source = {
        ...given,
        faults: known,
        cut: given.size,
        hasTotal: false,
        isDoubled: false,
      };
      const { settled, rows } = await collect(source);
      if (settled.missing === 0) assert.equal(rows.size, source.count);
    }),
    { numRuns },
  );
});

test('each page of a source without faults is requested once, and at most one page more', async () => {
  await fc.assert(
    fc.asyncProperty(listed, async ({ count, size, cut }) => {
      const quiet = { count, size, cut, hasTotal: true, isDoubled: false, faults: [] };
      const { settled, rows, calls } = await collect(quiet);
      assert.deepEqual([settled.missing, rows.size], [0, count]);
      const short = cut < Math.min(size, count) ? 1 : 0;
      assert.ok(calls <= Math.max(1, Math.ceil(count / cut)) + 1 + short, `${calls}`);
    }),
    { numRuns },
  );
});

test('a source with doubled rows, or with short pages and no total, is read completely', async () => {
  const doubled = { count: 50, size: 8, cut: 8, hasTotal: true, isDoubled: true, faults: [] };
  const cut = { count: 50, size: 40, cut: 10, hasTotal: false, isDoubled: false, faults: [] };
  for (const source of [doubled, cut]) {
    const { settled, rows } = await collect(source);
    assert.deepEqual([settled.missing, settled.surplus, rows.size], [0, 0, 50]);
  }
});

test('rows of a source without an order are gathered from several copies of its pages', async () => {
  const pagesOfAll = Array.from({ length: 8 }, (_, at) => at + 1);
  const faults = pagesOfAll.map((page) => ({
    kind: 'shuffled' as const,
    page,
    until: lasting,
    seed: page * 31,
  }));
  const source = { count: 60, size: 8, cut: 8, hasTotal: true, isDoubled: false, faults };
  const { settled, rows } = await collect(source);
  assert.equal(settled.missing, 60 - rows.size);
  assert.ok(settled.extraCopies.length > 0 && rows.size >= 54, `${rows.size}`);
});

test('few pages are fetched again from a source that lists some rows on two pages', async () => {
  const pagesOfAll = Array.from({ length: 100 }, (_, at) => at + 1);
  const faults = pagesOfAll.map((page) => ({
    kind: 'swapped' as const,
    page,
    until: lasting,
    seed: 0,
  }));
  const source = { count: 400, size: 4, cut: 4, hasTotal: true, isDoubled: false, faults };
  const { settled, rows, calls } = await collect(source);
  assert.equal(settled.missing, 400 - rows.size);
  assert.ok(calls <= 101 + 2 * runLimits.repeatsComparedMax, `${calls}`);
});
