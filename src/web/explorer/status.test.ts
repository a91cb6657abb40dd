import assert from 'node:assert/strict';
import test from 'node:test';
import { request } from '../../../test/fixtures/inject.ts';
import { fixtureStore } from '../../../test/fixtures/lookup.ts';
import { pageSite, pageText } from '../../../test/fixtures/pages.ts';

test('the state has the numbers of the endpoint, and names the datasets that are out of date', async () => {
  const router = pageSite();
  const shown = await pageText(router, '/status');
  const answer = (await (await request(router, '/api/stats')).json()) as {
    axes: { total: number; stale: number };
    rows: { total: number };
  };
  assert.ok(shown.includes(`데이터셋 ${answer.axes.total}개, 레코드 ${answer.rows.total}건`));
  assert.match(shown, /이 가운데 1개는 예시 데이터/);
  assert.match(shown, /20261121-0001/);
  assert.match(shown, /2026-11-21 10:02에 만든 데이터/);
  assert.equal(/id="overdue"/.test(shown), answer.axes.stale > 0);
  assert.match(shown, /확인할 점이 없습니다/);
  assert.match(await pageText(router, '/status?lang=en'), /Nothing has been collected yet/);
});

test('the state counts the 구 of cities apart from 시군구', async () => {
  const store = fixtureStore();
  const regions = ['41', '41130', '41135', '11', '11680'].map((code) => ({
    code,
    rows: 1,
    basis: [],
  }));
  for (const stored of store.axes.values()) Object.assign(stored, { regions });
  const shown = await pageText(pageSite(store), '/status');
  assert.match(shown, /시도 2곳, 시군구 2곳, 시 안의 구 1곳/);
});

test('the state has the ages of datasets without a known cycle, and leaves sample data out', async () => {
  const store = fixtureStore();
  const { axis } = store.axes.get('file_15012896')!;
  const dated = { ...axis, updateCycle: null, sourceModified: '2016-05-01' };
  Object.assign(store.axes.get('file_15012896')!, { axis: dated });
  const shown = await pageText(pageSite(store), '/status');
  const [, ages] = /id="ages"([^]*?)<\/section>/.exec(shown)!;
  assert.match(ages!, /3년 넘음[^]*?>1</);
  assert.match(ages!, /기준일 2016-05-01/);
});

test('the freshness of sample data counts only while there is no other', async () => {
  const store = fixtureStore();
  const shown = await pageText(pageSite(store), '/status');
  assert.match(shown, /예시 데이터 1개는 세지 않음/);
  assert.equal(
    freshnessCounts(shown).reduce((sum, count) => sum + count, 0),
    store.axes.size - 1,
  );
  Object.assign(store.axes.get('file_15012896')!.axis, { origin: 'sample' });
  assert.match(await pageText(pageSite(store), '/status'), /모두 예시 데이터/);
});

function freshnessCounts(shown: string): number[] {
  const [, section] = /id="freshness"([^]*?)<\/section>/.exec(shown)!;
  return Array.from(section!.matchAll(/>\s*([\d,]+)\s*</g), ([, count]) => Number(count));
}
