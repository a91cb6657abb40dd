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

/** A list of `total` records, as a portal without a fault pages it. */
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

test('a first page that is short once is fetched again before it decides the page size', async () => {
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

test('a service that is empty once on every page loses no records', async () => {
  const total = 5 * size - 7;
  const settled = await settle(({ page }, copy) =>
    Promise.resolve(copy === 0 ? pageFacts(0, 0, 0) : faultless(page, total)),
  );
  assert.deepEqual([settled.rows, settled.missing, settled.changedTotals], [total, 0, null]);
});

test('a service that shortens every page is requested for more pages', async () => {
  const cut = 100;
  const settled = await settle(({ page }) => Promise.resolve(faultless(page, 250, cut)));
  assert.deepEqual([settled.rows, settled.missing, settled.pages.length], [250, 0, 3]);
});

test('a page with invalid bytes is fetched again, and believed when it stays so', async () => {
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

test('an impossible total is ignored when temporary, and refused when it stays', async () => {
  const impossible = size * runLimits.pagesMax + 1;
  const passing = await settle(({ page }, copy) =>
    Promise.resolve(copy === 0 ? pageFacts(0, size, impossible) : faultless(page, size + 5)),
  );
  assert.equal(passing.rows, size + 5);
  const requested: number[] = [];
  await assert.rejects(
    settle(({ page }) => {
      requested.push(page);
      return Promise.resolve(pageFacts(0, size, impossible));
    }),
    /would take more than 10000 pages/,
  );
  assert.deepEqual(requested, [1, 1]);
});

test('a failure is thrown once no other page is under way', async () => {
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
