import assert from 'node:assert/strict';
import test from 'node:test';
import { parseTerms } from '../../data/korean/terms.ts';
import { fixtureStore } from '../fixture.ts';

async function find(q: string, limit = 100): Promise<{ titles: string[]; total: number }> {
  const terms = parseTerms(q);
  const text = terms.map((term) => term.text).join(' ');
  const { hits, total } = await fixtureStore().search({ terms, text, offset: 0, limit });
  const titles = hits.map(({ record }) => {
    const row = JSON.parse(record.toString()) as { 주차장명?: string; dateName?: string };
    return row.주차장명 ?? row.dateName ?? '';
  });
  return { titles, total };
}

test('a whole field comes first, then names that begin so, the shorter first', async () => {
  const { titles } = await find('강남역');
  assert.equal(titles[0], '강남역');
  assert.equal(titles[1], '강남역의 날');
  const lengths = titles.slice(1).map((title) => title.length);
  assert.deepEqual(
    lengths,
    lengths.toSorted((a, b) => a - b),
  );
});

test('every term must occur, in any field, and a phrase keeps its blanks', async () => {
  assert.equal((await find('강남역 종로구')).total, 0);
  assert.equal((await find('한마음 종로구')).total, 15);
  assert.equal((await find('"1호점 주차장"')).total, 6);
  assert.equal((await find('"호점주차장"')).total, 0);
});

test('hits come page by page in one order', async () => {
  const store = fixtureStore();
  const terms = parseTerms('주차장');
  const rows: number[] = [];
  for (let offset = 0; offset < 60; offset += 7) {
    const query = { terms, text: '주차장', offset, limit: 7 };
    rows.push(...(await store.search(query)).hits.map((hit) => hit.row));
  }
  assert.equal(new Set(rows).size, 59);
  assert.equal(rows.length, 59);
});

test('the catalog is newest first, and types are counted without the filter', async () => {
  const store = fixtureStore();
  const all = await store.catalogSearch({ terms: [], text: '', offset: 0, limit: 9 });
  const ids = all.hits.map(({ record }) => (JSON.parse(record.toString()) as { id: string }).id);
  assert.deepEqual(ids, ['STD:15012896', 'FILE:15012896', 'API:15012690', 'LINKED:15099999']);
  const one = await store.catalogSearch({ terms: [], text: '', type: 'API', offset: 0, limit: 9 });
  assert.equal(one.total, 1);
  assert.deepEqual(one.types, { API: 1, FILE: 1, LINKED: 1, STD: 1 });
  assert.deepEqual(one.held, { true: 1, false: 0 });
});
