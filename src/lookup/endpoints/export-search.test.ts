import assert from 'node:assert/strict';
import test from 'node:test';
import { parse } from 'csv-parse/sync';
import { createServerContext } from '../../kernel/http/server-context.ts';
import type { Router } from '../../kernel/http/router.ts';
import { silentLog } from '../../kernel/log.ts';
import { StoreHolder } from '../current-store.ts';
import { createLookupApp } from '../app.ts';
import { request } from '../../../test/fixtures/inject.ts';
import { fixtureStore } from '../../../test/fixtures/lookup.ts';
import { foundRecordsMax } from './export-search.ts';

function app(store = fixtureStore(), base: string | null = 'https://maru.example/'): Router {
  const holder = new StoreHolder();
  void holder.replace(store);
  const server = createServerContext(silentLog);
  return createLookupApp({ holder, server, settings: { MARU_BASE_URL: base } });
}

async function total(router: Router, query: string): Promise<number> {
  const response = await request(router, `/api/data/search?limit=0&${query}`);
  return ((await response.json()) as { total: number }).total;
}

test('the file of a search has every record that the search counts, with dataset and address', async () => {
  const router = app();
  for (const query of ['q=강남역', 'q=주차장', 'q=서울 강남역', 'q=강남역&sido=부산', 'q=없는말']) {
    const csv = await request(router, `/api/export/search/csv?${query}&header=name`);
    assert.equal(csv.status, 200, query);
    const rows = parse<Record<string, string>>(await csv.text(), { columns: true, bom: true });
    assert.equal(rows.length, await total(router, query), query);
    assert.equal(csv.headers.get('x-total-count'), String(rows.length));
    for (const { page } of rows) {
      assert.match(page!, /^https:\/\/maru\.example\/data\/\w+\/[0-9a-f]{16}$/);
      const id = page!.split('/').at(-1);
      const axis = page!.split('/').at(-2);
      const found = await request(router, `/api/data/record?axis=${axis}&id=${id}`);
      assert.equal(found.status, 200);
    }
  }
});

test('the file of a search has the same records as CSV, NDJSON and XLSX, sample data last', async () => {
  const router = app();
  const csv = await request(router, '/api/export/search/csv?q=강남역');
  const rows = parse<Record<string, string>>(await csv.text(), { columns: true, bom: true });
  assert.deepEqual(
    [...new Set(rows.map((row) => row['데이터셋']))],
    ['전국 주차장 표준데이터', '공휴일 정보'],
  );
  assert.match(rows[0]!['모든 값']!, /^관리번호: 00000 · 주차장명: 강남역 · /);
  const ndjson = await request(router, '/api/export/search/ndjson?q=강남역');
  const lines = (await ndjson.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { page: string; record: object });
  assert.deepEqual(
    lines.map(({ page }) => page),
    rows.map((row) => row['레코드 주소']),
  );
  assert.equal(Object.keys(lines[0]!.record)[0], '관리번호');
  const xlsx = await request(router, '/api/export/search/xlsx?q=강남역');
  assert.match(xlsx.headers.get('content-disposition')!, /search\.xlsx.*%EA%B0%95/);
  assert.equal(Buffer.from(await xlsx.bytes()).toString('latin1', 0, 2), 'PK');
});

test('a search of more records than a file has, or of another format, is refused', async () => {
  const store = fixtureStore();
  const search = store.search.bind(store);
  store.search = async (query, isAbandoned) => ({
    ...(await search(query, isAbandoned)),
    total: foundRecordsMax + 1,
  });
  const tooLarge = await request(app(store), '/api/export/search/csv?q=강남역');
  assert.equal(tooLarge.status, 400);
  assert.equal(((await tooLarge.json()) as { code: string }).code, 'search_too_large');
  const router = app();
  assert.equal((await request(router, '/api/export/search/pdf?q=강남역')).status, 404);
  assert.equal((await request(router, '/api/export/search/csv')).status, 400);
});
