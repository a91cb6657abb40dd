import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildAxis, testFields } from '../../../test/build-axis.ts';
import { addCatalog, buildCatalog, testEntry } from '../../../test/build-catalog.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { CatalogType } from '../../data/axis.ts';
import type { CatalogEntry } from '../../data/catalog.ts';
import { findInCatalog } from '../endpoints/catalog.ts';
import { parseQuery } from '../../data/korean/terms.ts';
import { SnapshotStore } from './snapshot.ts';

test('the rows of a region are its records, in order and with an exact total', async () => {
  using data = temporaryFolder();
  const rows = Array.from({ length: 90 }, (_, i) => [`${i}`, i % 3 === 0 ? '11110' : '11140']);
  const id = buildAxis(data.path, 'file_1', rows, (values) => ({
    codes: ['11', String(values[1])],
    basis: 'code',
  }));
  await using store = new SnapshotStore(data.path, id);
  const page = await store.page('file_1', { offset: 5, limit: 3, regions: ['11110'] });
  assert.deepEqual(
    (JSON.parse(`[${page.items.toString()}]`) as { 이름: string }[]).map((row) => row.이름),
    ['15', '18', '21'],
  );
  assert.deepEqual([page.count, page.total], [3, 30]);
  const both = await store.page('file_1', { offset: 88, limit: 5, regions: ['11110', '11140'] });
  assert.deepEqual([both.count, both.total], [2, 90]);
  assert.deepEqual(store.axes.get('file_1')!.regions, [
    { code: '11', rows: 90, basis: ['code'] },
    { code: '11110', rows: 30, basis: ['code'] },
    { code: '11140', rows: 60, basis: ['code'] },
  ]);
});

test('the total of a search inside one axis equals the count of its facet', async () => {
  using data = temporaryFolder();
  buildAxis(data.path, 'file_1', [
    ['강남도서관', null],
    ['서초도서관', '강남'],
    ['강북', null],
  ]);
  const id = buildAxis(data.path, 'file_2', [['강남주차장', null]]);
  await using store = new SnapshotStore(data.path, id);
  const search = (axis?: string) =>
    store.search({
      ...parseQuery('강남'),
      offset: 0,
      limit: 10,
      ...(axis === undefined ? {} : { axis }),
    });
  const everywhere = await search();
  assert.deepEqual(everywhere.axes.first(100), [
    { axis: 'file_1', count: 2, relation: 'eq' },
    { axis: 'file_2', count: 1, relation: 'eq' },
  ]);
  for (const { axis, count } of everywhere.axes.first(100))
    assert.equal((await search(axis)).total, count);
  assert.equal((await search('file_9')).total, 0);
});

test('the name of a sido finds the records that lie there, and by match=record its text alone', async () => {
  using data = temporaryFolder();
  const rows = [
    ['하나', '강남구'],
    ['둘', '강남구'],
    ['셋', '서울특별시 강남구'],
    ['넷', '강남구'],
  ];
  const sidos = new Map([
    ['하나', '11'],
    ['둘', '11'],
    ['넷', '26'],
  ]);
  const id = buildAxis(data.path, 'file_1', rows, (values) => {
    const sido = sidos.get(String(values[0]));
    return sido === undefined ? null : { codes: [sido], basis: 'field' };
  });
  await using store = new SnapshotStore(data.path, id);
  const namesOf = async (text: string, match: 'topic' | 'record' = 'topic') => {
    const { hits, total } = await store.search({ ...parseQuery(text), match, offset: 0, limit: 9 });
    assert.equal(hits.length, total);
    return hits
      .map(({ record }) => (JSON.parse(record.toString()) as { 이름: string }).이름)
      .sort();
  };
  for (const sido of ['서울', '서울시', '서울특별시']) {
    assert.deepEqual(
      await namesOf(`${sido} 강남구`),
      sido === '서울시' ? ['둘', '하나'] : ['둘', '셋', '하나'],
    );
  }
  assert.deepEqual(await namesOf('부산'), ['넷']);
  assert.deepEqual(await namesOf('서울 강남구', 'record'), ['셋']);
  assert.deepEqual(await namesOf('"서울" 강남구'), ['셋']);
  assert.equal(await store.hasMatch(parseQuery('부산 강남구')), true);
});

test('a record of an earlier snapshot is read as it was, and of no other folder', async () => {
  using data = temporaryFolder();
  const earlier = buildAxis(data.path, 'file_1', [['강남', '옛 값']]);
  const id = buildAxis(data.path, 'file_1', [
    ['서초', null],
    ['강남', '새 값'],
  ]);
  await using store = new SnapshotStore(data.path, earlier);
  const [record] = store.additions('file_1', [0]);
  await using current = new SnapshotStore(data.path, id);
  const query = { snapshot: earlier, code: 'file_1', id: record!._id };
  const found = await current.earlierRecord(query);
  assert.match(found!.record.toString(), /옛 값/);
  assert.equal(found!.stored.rows, 1);
  for (const other of [{ snapshot: '..' }, { code: '../..' }, { id: 'f'.repeat(16) }]) {
    assert.equal(await current.earlierRecord({ ...query, ...other }), null);
  }
});

test('the catalog is found by words, type and number; without a query, newest first', async () => {
  using data = temporaryFolder();
  const id = buildCatalog(data.path, [
    testEntry({ type: 'FILE', portalId: '1', title: '서울 도서관', modified: '2024-01-01' }),
    testEntry({ type: 'API', portalId: '1', title: '도서관 조회', modified: '2026-01-01' }),
    testEntry({ type: 'STD', portalId: '2', title: '주차장', modified: '2025-01-01' }),
  ]);
  await using store = new SnapshotStore(data.path, id);
  const search = async (text: string, type?: CatalogType) => {
    const result = await store.catalogSearch({
      ...parseQuery(text),
      offset: 0,
      limit: 10,
      ...(type === undefined ? {} : { type }),
    });
    return {
      ...result,
      ids: result.hits.map(({ record }) => (JSON.parse(record.toString()) as CatalogEntry).id),
    };
  };
  assert.deepEqual((await search('')).ids, ['API:1', 'STD:2', 'FILE:1']);
  assert.deepEqual((await search('', 'FILE')).ids, ['FILE:1']);
  const libraries = await search('도서관');
  assert.deepEqual(libraries.ids, ['API:1', 'FILE:1']);
  assert.deepEqual(libraries.types, { API: 1, FILE: 1, LINKED: 0, STD: 0 });
  assert.deepEqual(libraries.held, { true: 1, false: 1 });
  const files = await search('도서관', 'FILE');
  assert.deepEqual(files.types, libraries.types);
  assert.deepEqual(files.held, { true: 1, false: 0 });
  assert.equal(store.catalog.held, 1);
});

test('entries of the type that a query names come first, and the others are found too', async () => {
  using data = temporaryFolder();
  const entries = (['FILE', 'API', 'STD'] as const).map((type, at) =>
    testEntry({ type, portalId: String(at + 1), title: `주차장${'요금'.repeat(at)}` }),
  );
  await using store = new SnapshotStore(data.path, buildCatalog(data.path, entries));
  const typesOf = async (q: string): Promise<string[]> => {
    const { hits } = await store.catalogSearch({ ...parseQuery(q), offset: 0, limit: 9 });
    return hits.map(({ record }) => (JSON.parse(record.toString()) as CatalogEntry).type);
  };
  assert.deepEqual(await typesOf('주차장'), ['FILE', 'API', 'STD']);
  assert.deepEqual(await typesOf('주차장 API'), ['API', 'FILE', 'STD']);
  assert.deepEqual(await typesOf('주차장 표준데이터'), ['STD', 'FILE', 'API']);
});

test('an everyday phrase without entries is not corrected as a typing mistake', async () => {
  using data = temporaryFolder();
  const titles = ['제주_애 밭길 곳', '서울_어린이집 현황'];
  const entries = titles.map((title, at) =>
    testEntry({ type: 'FILE', portalId: String(at + 1), title }),
  );
  await using store = new SnapshotStore(data.path, buildCatalog(data.path, entries));
  const params = { q: '애 맡길 곳', type: undefined, rewrite: '1', limit: 10, offset: 0 } as const;
  const { rewritten, near } = await findInCatalog(params, store, () => false);
  assert.equal(rewritten, null);
  assert.equal(near[0]?.title, '서울_어린이집 현황');
});

test('a provider that only the catalog names is found by its name', async () => {
  using data = temporaryFolder();
  buildAxis(data.path, 'file_1', [['하나', null]], null, testFields, { provider: null });
  const entry = {
    type: 'FILE',
    portalId: '1',
    title: '시험 목록',
    provider: '한국시험공단',
  } as const;
  await using store = new SnapshotStore(data.path, addCatalog(data.path, [testEntry(entry)]));
  const found = store.topics.providersWith(parseQuery('한국시험공단').terms);
  assert.deepEqual([...found.keys()], ['file_1']);
});
