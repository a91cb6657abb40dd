import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axisDefinition } from '../operations/definitions.ts';
import type { AxisRequest } from '../operations/requests.ts';
import { PortalError } from '../client/portal-error.ts';
import { runLimits } from './limits.ts';
import { factsOf, type FetchedFacts } from './page-facts.ts';
import { settleRequest, type FetchCopy } from './paged-request.ts';

const axis = { ...axisDefinition('std_library')! };
const size = axis.paging.pageSize;
const first: AxisRequest = {
  axis: axis.code,
  path: axis.path,
  service: axis.service,
  key: null,
  parameters: {},
  page: 1,
  stamps: {},
  hasRecords: true,
  dailyQuota: 1,
  portalId: null,
};

/** A page with the rows from `from` to `to` (exclusive) of a list. */
function pageFacts(from: number, to: number, total: number | null): FetchedFacts {
  return factsOfRows(
    Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at),
    total,
  );
}

function factsOfRows(rows: readonly number[], total: number | null): FetchedFacts {
  const cells = rows.map((row) => [String(row)]);
  const answer = { columns: ['number'], rows: cells, unknownFields: [], missingFields: [] };
  return factsOf(answer, { total, isMended: false });
}

/** A page of a list of `total` records from a portal without faults. */
function faultless(page: number, total: number, cut = size): FetchedFacts {
  return pageFacts((page - 1) * cut, Math.min(page * cut, total), total);
}

async function settle(fetchCopy: FetchCopy) {
  const requested: number[] = [];
  const settled = await settleRequest(
    axis,
    first,
    (request, at) => {
      requested.push(request.page);
      return fetchCopy(request, at);
    },
    false,
  );
  return { ...settled, requested };
}

test('a short first page is fetched again before it decides the page size', async () => {
  const total = 5 * size - 7;
  const settled = await settle((request, copy) =>
    Promise.resolve(
      request.page === 1 && copy === 0
        ? pageFacts(0, size - 100, total)
        : faultless(request.page, total),
    ),
  );
  assert.deepEqual([settled.rows, settled.missing], [total, 0]);
  assert.deepEqual(settled.requested, [1, 1, 2, 3, 4, 5]);
});

test('no record is lost when the first copy of every page is empty', async () => {
  const total = 5 * size - 7;
  const settled = await settle(({ page }, copy) =>
    Promise.resolve(copy === 0 ? pageFacts(0, 0, 0) : faultless(page, total)),
  );
  assert.deepEqual([settled.rows, settled.missing, settled.changedTotals], [total, 0, null]);
});

test('more pages are requested from a service that shortens every page', async () => {
  const cut = 100;
  const settled = await settle(({ page }) => Promise.resolve(faultless(page, 250, cut)));
  assert.deepEqual([settled.rows, settled.missing, settled.pages.length], [250, 0, 3]);
});

test('a page with invalid bytes is fetched again, and accepted if the second copy is equal', async () => {
  const broken = { ...faultless(1, 5), digest: 'broken', damagedRows: 1 };
  const passing = await settle((_, copy) => Promise.resolve(copy === 0 ? broken : faultless(1, 5)));
  assert.equal(passing.pages[0]?.facts.damagedRows, 0);
  const staying = await settle(() => Promise.resolve(broken));
  assert.deepEqual([staying.requested, staying.pages[0]?.facts.damagedRows], [[1, 1], 1]);
});

test('a list that changes while it is paged is reported as changed, not as a mismatch', async () => {
  const settled = await settle(({ page }, copy) =>
    Promise.resolve(faultless(page, 30 * size + 10 + page + copy)),
  );
  assert.equal(settled.missing, 0);
  const [least, most] = settled.changedTotals ?? [0, 0];
  assert.ok(least < most);
  const steady = await settle(({ page }) => Promise.resolve(faultless(page, 30 * size + 10)));
  assert.equal(steady.changedTotals, null);
});

test('an impossible total is ignored and the list read to its end', async () => {
  const impossible = size * runLimits.pagesMax + 1;
  const passing = await settle(({ page }, copy) =>
    Promise.resolve(copy === 0 ? pageFacts(0, size, impossible) : faultless(page, size + 5)),
  );
  assert.equal(passing.rows, size + 5);
  const staying = await settle(({ page }) =>
    Promise.resolve({ ...faultless(page, 2 * size + 5), total: impossible }),
  );
  assert.deepEqual([staying.rows, staying.missing], [2 * size + 5, 0]);
});

test('an endless list ends with an error after `pagesMax` pages', async () => {
  const short = { ...axis, paging: { ...axis.paging, pageSize: 2 } };
  let calls = 0;
  const endless: FetchCopy = ({ page }) => {
    calls++;
    return Promise.resolve(pageFacts(page * 2, page * 2 + 2, null));
  };
  await assert.rejects(
    settleRequest(short, first, endless, false),
    /would take more than 10000 pages/,
  );
  assert.equal(calls, runLimits.pagesMax);
});

test('full pages beyond a total are read, since some services count only up to a bound', async () => {
  const all = 7 * size + 5;
  for (const bound of [2 * size, 2 * size + 500, 120]) {
    const settled = await settle(({ page }) =>
      Promise.resolve({ ...faultless(page, all), total: bound }),
    );
    assert.deepEqual([settled.rows, settled.missing, settled.surplus], [all, 0, all - bound]);
    assert.ok(settled.requested.length <= 12, settled.requested.join(' '));
  }
});

test('totals that count a single page neither end the list nor hide missing rows', async () => {
  const all = 7 * size + 5;
  const counted = await settle(({ page }) =>
    Promise.resolve({ ...faultless(page, all), ...(page > 1 ? { total: size } : {}) }),
  );
  assert.deepEqual([counted.rows, counted.missing], [all, 0]);
  const short = await settle(({ page }) =>
    Promise.resolve(page === 3 ? pageFacts(2 * size, 2 * size + 120, 120) : faultless(page, all)),
  );
  assert.deepEqual([short.missing, short.changedTotals], [size - 120, [120, all]]);
});

test('pages from two states of a list report how many rows may be missing', async () => {
  const settled = await settle(({ page }) =>
    Promise.resolve(
      page === 3
        ? pageFacts(2 * size + 40, 3 * size + 40, 6 * size - 40)
        : faultless(page, 6 * size),
    ),
  );
  assert.deepEqual([settled.missing, settled.possiblyMissing], [0, 40]);
});

test('a page with the row keys of another page is its repetition, even if other values differ', async () => {
  const all = 5 * size;
  let answers = 0;
  const stamped = (page: number, number = page): FetchedFacts => {
    const from = (page - 1) * size;
    const rows = Array.from({ length: Math.min(size, all - from) }, (_, at) => [
      String(from + at),
      `${number} ${answers}`,
    ]);
    answers++;
    const answer = { columns: ['id', 'at'], rows, unknownFields: [], missingFields: [] };
    return factsOf(answer, { total: all, isMended: false }, ['id']);
  };
  const passing = await settle(({ page }, copy) =>
    Promise.resolve(stamped(page === 3 && copy === 0 ? 1 : page)),
  );
  assert.deepEqual([passing.rows, passing.missing], [all, 0]);
  const staying = await settle(({ page }) => Promise.resolve(stamped(page === 3 ? 1 : page, page)));
  assert.deepEqual([staying.rows, staying.missing, staying.pages.length], [4 * size, size, 5]);
  const endless = await settle(({ page }) =>
    Promise.resolve({ ...stamped(Math.min(page, 5), page), total: null }),
  );
  assert.deepEqual([endless.rows, endless.missing, endless.requested.at(-1)], [all, 0, 7]);
});

test('a list without a total is complete although its last page repeats endlessly', async () => {
  const all = 5 * size;
  const settled = await settle(({ page }) =>
    Promise.resolve({ ...faultless(Math.min(page, 5), all), total: null }),
  );
  assert.deepEqual([settled.rows, settled.total, settled.missing], [all, all, 0]);
});

test('a total far above the number of rows costs few calls; the difference counts as missing', async () => {
  const total = 9_000 * size;
  const settled = await settle(({ page }) =>
    Promise.resolve({ ...faultless(page, 3 * size), total }),
  );
  assert.deepEqual([settled.rows, settled.missing], [3 * size, total - 3 * size]);
  assert.ok(settled.requested.length < 100, `${settled.requested.length} calls`);
});

test('a failure is thrown only after all other pages have ended', async () => {
  let underway = 0;
  const fetchCopy: FetchCopy = async ({ page }) => {
    underway++;
    for (let turn = 0; turn < page; turn++) await Promise.resolve();
    underway--;
    if (page === 2) throw refusal;
    return faultless(page, 9 * size);
  };
  await assert.rejects(settle(fetchCopy), (error) => error === refusal && underway === 0);
});

const refusal = new PortalError({
  code: '22',
  class: 'quota',
  reason: '',
  advice: '',
  operation: axis.path,
  status: 200,
  attempts: 1,
  retryAt: null,
});
