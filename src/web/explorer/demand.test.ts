import assert from 'node:assert/strict';
import test from 'node:test';
import { request } from '../../../test/fixtures/inject.ts';
import { fixtureStore } from '../../../test/fixtures/lookup.ts';
import { pageSite, pageText } from '../../../test/fixtures/pages.ts';

test('the ranking leads from keywords to their datasets, the search and the catalog', async () => {
  const shown = await pageText(pageSite(), '/demand');
  assert.match(shown, /<h1>검색 수요 <\/h1>/);
  assert.match(shown, /href="\/data\/file_15012896">전국 주차장 표준데이터</);
  assert.match(shown, /예시 데이터<\/span>\s*<a href="\/data\/gen_restdeinfo">/);
  assert.match(shown, /측정 한계 미만/);
  assert.match(shown, /href="\/search\?q=%EC%A3%BC%EC%B0%A8%EC%9E%A5">주차장</);
});

test('keywords without data are a part of their own, with the ranks of the whole list', async () => {
  const router = pageSite();
  const gap = await pageText(router, '/demand?gap=1');
  assert.match(gap, /aria-current="true">찾지만 없는 데이터 3</);
  assert.doesNotMatch(gap, /공휴일|보유 데이터/);
  assert.match(gap, /병원<\/a\s*><\/th>\s*<td\s+class="number">4</);
  const both = await request(router, '/demand?gap=1&held=1', { headers: { accept: 'text/html' } });
  assert.equal(both.status, 400);
  assert.match(await pageText(router, '/demand?offset=50&lang=en'), /The list ends after 5/);
});

test('a keyword that only names of records have is about no dataset', async () => {
  const store = fixtureStore();
  const items = store.demand!.items.map((item) => ({
    ...item,
    axes: item.axes.map((link) => ({ ...link, match: 'name' as const })),
  }));
  Object.assign(store, { demand: { ...store.demand!, items } });
  const shown = await pageText(pageSite(store), '/demand');
  assert.match(shown, /이름에 이 말이 있는 레코드만/);
  assert.doesNotMatch(shown, /href="\/data\/file_15012896"/);
});

test('a keyword that is only a name in a list of codes has no data', async () => {
  assert.match(await heldWithin(['주차장명', '소재지']), />주차장</);
  assert.doesNotMatch(await heldWithin(['법정동코드', '시군구명']), />주차장</);
});

/** The page of keywords with data, whose links are names of records with fields of these labels. */
function heldWithin(labels: readonly string[]): Promise<string> {
  const store = fixtureStore();
  const stored = store.axes.get('file_15012896')!;
  Object.assign(stored, { fields: labels.map((label) => ({ ...stored.fields[0]!, label })) });
  const items = store.demand!.items.map((item) => ({
    ...item,
    axes: item.axes.map((link) => ({ ...link, match: 'name' as const })),
  }));
  Object.assign(store, { demand: { ...store.demand!, items } });
  return pageText(pageSite(store), '/demand?held=1');
}
