import assert from 'node:assert/strict';
import { test } from 'node:test';
import XLSX from '@e965/xlsx';
import { parquetReadObjects } from 'hyparquet';
import { request } from '../../../test/fixtures/inject.ts';
import { json, setUp, type Answer } from '../../../test/fixtures/lookup-app.ts';
import { MemoryStore } from '../../../test/fixtures/memory-store.ts';
import { compressors } from '../../../test/parquet-compressors.ts';
import type { Router } from '../../kernel/http/router.ts';

type Parameters = Readonly<Record<string, string>>;

function query(parameters: Parameters): string {
  return new URLSearchParams(parameters).toString().replaceAll('+', '%20');
}

function exported(router: Router, format: string, parameters: Parameters) {
  return request(router, `/api/export/file_15012896.${format}?${query(parameters)}`);
}

async function bytesOf(router: Router, format: string, parameters: Parameters): Promise<Buffer> {
  const answer = await exported(router, format, parameters);
  assert.equal(answer.status, 200);
  return Buffer.from(await answer.arrayBuffer());
}

async function ndjson(router: Router, parameters: Parameters): Promise<unknown[]> {
  const text = (await bytesOf(router, 'ndjson', parameters)).toString();
  return text === ''
    ? []
    : text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown);
}

async function parquet(router: Router, parameters: Parameters) {
  const file = new Uint8Array(await bytesOf(router, 'parquet', parameters)).buffer;
  return parquetReadObjects({ file, compressors });
}

async function sheet(router: Router, parameters: Parameters): Promise<unknown[][]> {
  const book = XLSX.read(await bytesOf(router, 'xlsx', parameters));
  return XLSX.utils.sheet_to_json<unknown[]>(book.Sheets[book.SheetNames[0]!]!, {
    header: 1,
    defval: null,
  });
}

async function features(router: Router, parameters: Parameters) {
  return JSON.parse((await bytesOf(router, 'geojson', parameters)).toString()) as {
    readonly total: number;
    readonly features: readonly { readonly properties: object; readonly geometry: unknown }[];
  };
}

function rowsOf(router: Router, parameters: Parameters): Promise<Answer> {
  return json(router, `/api/data/axis?axis=file_15012896&limit=500&${query(parameters)}`);
}

const selected = {
  where: "위도 > 36 and 주차장명 like '%주차장%'",
  sort: '-주차장명',
  select: '주차장명,관리번호',
  with: 'region,id',
};

test('every format of a selection has the rows of the page, in its order and columns', async () => {
  const { router } = setUp();
  const { items } = await rowsOf(router, selected);
  const names = ['주차장명', '관리번호', '_sido', '_sigungu', '_id'];
  assert.ok(items.length > 10 && items.length < 60);
  assert.deepEqual(Object.keys(items[0]!), names);
  assert.deepEqual(await ndjson(router, selected), items);
  assert.deepEqual(await parquet(router, selected), items);
  const table = await sheet(router, { ...selected, header: 'name' });
  assert.deepEqual(table, [names, ...items.map((item) => Object.values(item))]);
  const page = await request(
    router,
    `/api/data/axis?axis=file_15012896&format=csv&limit=500&${query(selected)}`,
  );
  const csv = (await bytesOf(router, 'csv', selected)).toString();
  assert.equal(csv, Buffer.from(await page.arrayBuffer()).toString());
  const collection = await features(router, selected);
  assert.equal(collection.total, items.length);
  assert.deepEqual(
    collection.features.map(({ properties }) => properties),
    items,
  );
  assert.ok(collection.features.every(({ geometry }) => geometry !== null));
});

test('each way to select gives a file with the records of the page', async () => {
  const { router } = setUp();
  for (const parameters of [
    { sido: '서울', sigungu: '강남구' },
    { q: '강남역', sort: '-관리번호' },
    { near: '37.5,127.0', radius: '20000', select: '관리번호' },
    { bbox: '128,35,130,36' },
    { sample: '7', seed: '3' },
    { with: 'region' },
    { sido: '서울', where: '비고 is null' },
  ] satisfies Parameters[]) {
    const page = await rowsOf(router, parameters);
    const records = await ndjson(router, parameters);
    assert.deepEqual(records, page.items, JSON.stringify(parameters));
    const answer = await exported(router, 'csv', parameters);
    assert.equal(answer.headers.get('x-total-count'), String(records.length));
    await answer.body?.cancel();
  }
});

test('a selection of nothing is a file without records in every format', async () => {
  const { router } = setUp();
  for (const parameters of [{ where: '위도 > 80' }, { sido: '없는도' }] satisfies Parameters[]) {
    assert.deepEqual(await ndjson(router, parameters), []);
    assert.deepEqual(await parquet(router, parameters), []);
    assert.equal((await sheet(router, parameters)).length, 1);
    assert.deepEqual((await features(router, parameters)).features, []);
    const csv = (await bytesOf(router, 'csv', { ...parameters, bom: '0' })).toString();
    assert.match(csv, /^관리번호,[^\r\n]*\r\n$/);
  }
  const unknown = await exported(router, 'csv', { sido: '없는도' });
  assert.match(unknown.headers.get('maru-warnings')!, /unknown_region/);
  await unknown.body?.cancel();
});

test('a fault in a condition, or a parameter of pages, is 400 before the first byte', async () => {
  const { router } = setUp();
  for (const [parameters, code] of [
    [{ where: '위도 >' }, 'invalid_where'],
    [{ where: '없는필드 = 1' }, 'invalid_where'],
    [{ sort: '없는필드' }, 'invalid_parameter'],
    [{ select: '없는필드' }, 'invalid_parameter'],
    [{ with: 'all' }, 'invalid_parameter'],
    [{ sigungu: '강남구' }, 'missing_parameter'],
    [{ limit: '5' }, 'invalid_parameter'],
    [{ offset: '5' }, 'invalid_parameter'],
    [{ cursor: 'abc' }, 'invalid_parameter'],
  ] satisfies [Parameters, string][]) {
    for (const format of ['csv', 'ndjson', 'geojson', 'xlsx', 'parquet']) {
      const answer = await exported(router, format, parameters);
      assert.equal(answer.status, 400, `${format} ${JSON.stringify(parameters)}`);
      assert.equal(((await answer.json()) as { code: string }).code, code);
    }
  }
});

test('filters of another dialect are named in the warnings of a file', async () => {
  const { router } = setUp();
  const answer = await exported(router, 'csv', { 비고: '좋음' });
  assert.match(answer.headers.get('maru-warnings')!, /filter_ignored/);
  await answer.body?.cancel();
});

test('a sorted file of many blocks has every selected record once, in order', async () => {
  const { router, store, holder } = setUp();
  const count = 66_000;
  const rows = Array.from({ length: count }, (_, at) => ({
    locdate: (at * 7919) % count,
    dateName: 'ab'[at % 2]!,
  }));
  const stored = { ...store.axes.get('gen_restdeinfo')!, rows: count };
  await holder.replace(new MemoryStore({ snapshot: store.snapshot, axes: [{ stored, rows }] }));
  const parameters = { where: 'locdate >= 1', sort: '-dateName', select: 'locdate', bom: '0' };
  const answer = await request(router, `/api/export/gen_restdeinfo.csv?${query(parameters)}`);
  const part = (name: string) => rows.filter((row) => row.dateName === name && row.locdate >= 1);
  const lines = [...part('b'), ...part('a')].map(({ locdate }) => `${locdate}\r\n`);
  assert.equal(await answer.text(), `locdate\r\n${lines.join('')}`);
});
