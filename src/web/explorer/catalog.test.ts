import assert from 'node:assert/strict';
import test from 'node:test';
import { fixtureStore } from '../../../test/fixtures/lookup.ts';
import { pageSite, pageText } from '../../../test/fixtures/pages.ts';

test('the catalog is listed by type, and stored entries lead to their dataset', async () => {
  const router = pageSite();
  const all = await pageText(router, '/catalog');
  assert.match(all, /aria-current="true">전체 4</);
  assert.match(all, /href="\/data\/file_15012896">전국주차장표준데이터</);
  assert.match(all, /특일 정보<\/a>\s*<span class="badge sample">/);
  const linked = await pageText(router, '/catalog?type=linked');
  assert.match(linked, /외부 주차 정보/);
  assert.match(linked, /보유하지 않음/);
  assert.match(linked, /밖의 정보입니다. 매월 고칩니다.<\/p>/);
  assert.doesNotMatch(linked, /특일 정보/);
});

test('a catalog search keeps its text, and without results offers other readings', async () => {
  const router = pageSite();
  const shown = await pageText(router, '/catalog?q=주차&lang=en');
  assert.match(shown, /“주차” in the portal catalog/);
  assert.match(shown, /name="q"\s+value="주차"/);
  assert.match(await pageText(router, '/catalog?q=없는말입니다'), /목록에 없습니다/);
  assert.match(await pageText(router, '/catalog?q=wnck'), /“wnck”에 맞는 데이터가 없어/);
  const typed = await pageText(router, '/catalog?q=wnck&rewrite=0');
  assert.match(typed, /“wnck”에 맞는 데이터가 목록에 없습니다/);
  assert.match(typed, /class="chip"[^>]*>주차</);
  const near = await pageText(router, '/catalog?q=주차장 낙타');
  assert.match(near, /비슷한 데이터<\/h2>[^]*전국주차장표준데이터/);
  const search = await pageText(router, '/search?q=주차장 낙타&rewrite=0');
  assert.match(search, /비슷한 데이터<\/h2>[^]*전국주차장표준데이터/);
  assert.match(await pageText(router, '/catalog?offset=90'), /목록은 4개에서 끝납니다/);
});

test('entries of the catalog have its date, and its age if it is older than a year', async () => {
  const store = fixtureStore();
  Object.assign(store, { catalog: { ...store.catalog, origin: 'file', date: '2022-06-30' } });
  const router = pageSite(store);
  const age = /\d년 전인 2022-06-30에 만든 목록이라 그 뒤의 데이터는 없습니다/;
  for (const target of ['/catalog', '/search?q=외부 정보', '/search?q=강남구 주차장']) {
    assert.match(await pageText(router, target), age, target);
  }
});
