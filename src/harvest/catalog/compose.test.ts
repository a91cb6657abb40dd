import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testEntry } from '../../../test/build-catalog.ts';
import type { CatalogEntry, CatalogSummary } from '../../data/catalog.ts';
import { composeCatalog, type PartEntries } from './compose.ts';
import { EntryTable } from '../../ingest/catalog/entry-table.ts';
import type { StoredCatalog } from './stored-catalog.ts';
import { lossFindings, mergeEntries } from './merge.ts';

const collectedAt = '2026-11-21T03:20:00.000Z';

function entry(portalId: string, facts: Partial<CatalogEntry> = {}): CatalogEntry {
  return testEntry({ type: 'FILE', portalId, title: `자료 ${portalId}`, ...facts });
}

function partEntries(
  entries: readonly CatalogEntry[],
  deleted: readonly string[] = [],
  name = '',
): PartEntries {
  return { part: 'list', collectedAt, entries: tableOf(entries), deleted: new Set(deleted), name };
}

function tableOf(entries: readonly CatalogEntry[]): EntryTable {
  const table = new EntryTable(':memory:');
  for (const each of entries) table.put(each);
  return table;
}

function served(
  entries: readonly CatalogEntry[],
  parts: CatalogSummary['parts'] = [],
): StoredCatalog {
  const byType = { API: 0, FILE: entries.length, LINKED: 0, STD: 0 };
  return {
    summary: { total: entries.length, byType, date: '2026-08-31', origin: 'portal', parts },
    entries: () => entries,
  };
}

test('of two entries the later wins, or the list’s on the same day, and its gaps are filled', () => {
  using list = tableOf([
    entry('1', { modified: '2026-05-01', provider: '가온시', views: 7 }),
    entry('2', { modified: '2026-05-01', title: '목록의 말', keywords: ['그늘'] }),
  ]);
  const api = [
    entry('1', { modified: '2026-06-01', title: '새 이름', license: null }),
    entry('2', { modified: '2026-05-01', title: '창구의 말', category: '환경' }),
    entry('3'),
  ];
  mergeEntries(list, api);
  assert.deepEqual(
    Array.from(list, ({ title, provider, views, keywords, category }) => [
      title,
      provider,
      views,
      keywords,
      category,
    ]),
    [
      ['새 이름', '시험기관', 7, [], null],
      ['목록의 말', '시험기관', null, ['그늘'], '환경'],
      ['자료 3', '시험기관', null, [], null],
    ],
  );
});

test('a dataset deleted in the meta API is removed from the list, too', () => {
  const parts = new Map([
    ['list', partEntries([entry('1'), entry('2')])],
    ['api', partEntries([entry('1')], ['FILE:2'])],
  ] as const);
  using entries = tableOf([]);
  composeCatalog(entries, parts, null, new Set(), 'portal');
  assert.deepEqual(
    Array.from(entries, ({ id }) => id),
    ['FILE:1'],
  );
});

test('a failed meta API keeps its entries newer than the list and is marked as kept', () => {
  const before = served(
    [entry('1', { modified: '2026-11-02' }), entry('2', { modified: '2026-10-30' })],
    [{ part: 'api', entries: 2, collectedAt: '2026-11-03T00:00:00.000Z', kept: false }],
  );
  const parts = new Map([
    ['list', partEntries([entry('3')], [], '목록개방현황_20261031.csv')],
  ] as const);
  using entries = tableOf([]);
  const summary = composeCatalog(entries, parts, before, new Set(['api']), 'portal');
  assert.deepEqual(Array.from(entries, ({ id }) => id).toSorted(), ['FILE:1', 'FILE:3']);
  assert.equal(summary.date, '2026-10-31');
  assert.deepEqual(summary.parts, [
    { part: 'list', entries: 1, collectedAt, kept: false },
    { part: 'api', entries: 2, collectedAt: '2026-11-03T00:00:00.000Z', kept: true },
  ]);
});

test('without a list the previous list and its date stay', () => {
  const linked = entry('9', { type: 'LINKED' });
  const parts = new Map([['linked', partEntries([linked])]] as const);
  using entries = tableOf([]);
  const before = served([entry('1')]);
  const summary = composeCatalog(entries, parts, before, new Set(['list']), 'portal');
  assert.deepEqual(
    Array.from(entries, ({ portalId }) => portalId),
    ['1', '9'],
  );
  assert.equal(summary.date, '2026-08-31');
});

test('a loss of up to 30 % is published at once, a larger one only in the second run', () => {
  const before = { API: 0, FILE: 10, LINKED: 0, STD: 2 };
  const kinds = (files: number, standards: number, previousLoss = 0) => {
    const now = { API: 0, FILE: files, LINKED: 0, STD: standards };
    return lossFindings(now, before, ['FILE', 'STD'], previousLoss).map(({ kind }) => kind);
  };
  assert.deepEqual(kinds(7, 2), []);
  assert.deepEqual(kinds(6, 2), ['rows_lost']);
  assert.deepEqual(kinds(6, 2, 4), ['rows_lost_twice']);
  assert.deepEqual(kinds(10, 0, 2), ['no_records']);
});
