import assert from 'node:assert/strict';
import test from 'node:test';
import { convertHangulToQwerty, getChoseong } from 'es-hangul';
import fc from 'fast-check';
import { buildAxis } from '../../../test/build-axis.ts';
import { fixtureStore } from '../../../test/fixtures/lookup.ts';
import { json, setUp } from '../../../test/fixtures/lookup-app.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { isStartOf, typedReadings } from '../../data/korean/typed-text.ts';
import { regionTable } from '../../data/regions/region-table.ts';
import { SnapshotStore } from '../store/snapshot.ts';
import { suggest } from './suggest.ts';

test('a dataset is suggested by a synonym of its title, which is shown in Korean', async () => {
  using data = temporaryFolder();
  const rows = [['현대아파트', null]];
  const id = buildAxis(data.path, 'file_1', rows, null, undefined, { title: 'elevator' });
  await using store = new SnapshotStore(data.path, id);
  for (const typed of ['엘리베이터', '승강기']) {
    const [first] = (await suggest(typed, 8, store)).filter(({ kind }) => kind === 'dataset');
    assert.deepEqual([first?.text, first?.query], ['승강기 (elevator)', 'elevator'], typed);
  }
});

test('a dataset here with all typed words is suggested, names of regions aside', async () => {
  using data = temporaryFolder();
  const title = '국토교통부 실거래가 공개시스템 아파트(매매)';
  buildAxis(data.path, 'file_2', [['은마', '강남구 대치동']], null, undefined, { title });
  const rows = [['탄천', '강남구 삼성동']];
  const id = buildAxis(data.path, 'file_1', rows, null, undefined, { title: '전국주차장정보' });
  await using store = new SnapshotStore(data.path, id);
  const first = async (typed: string) => {
    const [item] = await suggest(typed, 8, store);
    return item && [item.kind, item.text, item.query];
  };
  const flats = ['dataset', title, title.replace('(', ' ').replace(')', '')];
  assert.deepEqual((await first('아파트 실거래가'))?.slice(0, 2), flats.slice(0, 2));
  assert.deepEqual((await first('아파트 매매'))?.slice(0, 2), flats.slice(0, 2));
  assert.deepEqual(await first('강남구 주차장'), [
    'dataset',
    '전국주차장정보',
    '강남구 전국주차장정보',
  ]);
});

test('every suggestion’s search finds records or a dataset', async () => {
  const { router, store } = setUp();
  const texts = [
    ...[...store.axes.values()].flatMap(({ axis, fields }) => [
      axis.title,
      ...fields.map(({ label }) => label),
    ]),
    ...(await store.catalogSearch({ terms: [], text: '', offset: 0, limit: 50 })).hits.map(
      ({ record }) => (JSON.parse(record.toString()) as { title: string }).title,
    ),
    ...regionTable.map(({ name }) => name),
    '강남역',
    '한마음 1호점',
    'ＳＫ',
    '㈜누리',
    '설날',
    'Gangnam',
    'parking',
  ];
  const typed = fc
    .tuple(fc.constantFrom(...texts), fc.nat(4), fc.nat(8))
    .map(([text, form, length]) => {
      const forms = [text, convertHangulToQwerty(text), getChoseong(text), `${text}ㄱ`];
      return (forms[form] ?? text).slice(0, 1 + length);
    });
  await fc.assert(
    fc.asyncProperty(typed, async (q) => {
      if (q.trim() === '') return;
      const { items } = await json(router, `/api/suggest?q=${encodeURIComponent(q)}&limit=20`);
      const firstSample = items.findIndex(({ origin }) => origin === 'sample');
      const after = firstSample < 0 ? [] : items.slice(firstSample);
      assert.ok(
        after.every(({ origin }) => origin === 'sample'),
        'Sample data stands last.',
      );
      for (const { query, links } of items) {
        const { search } = links as { search: string };
        const { total, datasets } = await json(router, search);
        assert.ok((total as number) > 0 || (datasets as []).length > 0, `${q} → ${String(query)}`);
      }
    }),
    { numRuns: 60 },
  );
});

test('a half-typed title, a former and a romanised region, a label and a name are suggested', async () => {
  const store = fixtureStore();
  const first = async (typed: string) => {
    const [item] = await suggest(typed, 10, store);
    return item && [item.kind, item.text];
  };
  assert.deepEqual(await first('주차자'), ['dataset', '전국 주차장 표준데이터']);
  assert.deepEqual(await first('wncK'), ['reading', '주차']);
  assert.deepEqual(await first('Jongn'), ['region', '서울특별시 종로구']);
  assert.deepEqual(await first('jongno'), ['reading', '종로']);
  assert.deepEqual(await first('광주광역시 북구'), ['region', '광주광역시 북구']);
  assert.deepEqual(await first('한ㅁ'), ['name', '한마음 1호점 주차장']);
  assert.deepEqual(await first('관리버'), ['word', '관리번호']);
  assert.deepEqual(await suggest('주차', 0, store), []);
});

test('texts with the typed syllable come before those that it may become', async () => {
  const items = await suggest('주', 20, fixtureStore());
  const areExact = items
    .filter(({ origin }) => origin !== 'sample')
    .map(({ text }) => text.includes('주'));
  assert.ok(areExact.includes(false) && areExact[0] === true);
  assert.ok(areExact.indexOf(false) > areExact.lastIndexOf(true));
});

test('names of a snapshot begin with the typed text, those of sample data last', async () => {
  using data = temporaryFolder();
  buildAxis(data.path, 'file_2', [
    ['도서관 강남점', null],
    ['도시락', null],
  ]);
  const id = buildAxis(data.path, 'file_1', [
    ['도서관', '가'],
    ['도서관', '나'],
    ['도서벽지학교', null],
    ['강남 도서관', null],
    ['GS25 역삼점', null],
  ]);
  await using store = new SnapshotStore(data.path, id);
  const namesOf = async (typed: string) => {
    const [reading] = typedReadings(typed);
    const found = await store.typedNames(reading!);
    const names = found.map(
      ({ record }) => (JSON.parse(record.toString()) as { 이름: string }).이름,
    );
    for (const name of names) assert.ok(isStartOf(reading!, name), `${typed} ${name}`);
    return names;
  };
  assert.deepEqual(await namesOf('도석'), ['도서관', '도서관 강남점']);
  assert.deepEqual(await namesOf('도ㅅ'), ['도서관', '도시락', '도서벽지학교', '도서관 강남점']);
  assert.deepEqual(await namesOf('도서관 ㄱ'), ['도서관 강남점']);
  assert.deepEqual(await namesOf('gs2'), ['GS25 역삼점']);
  assert.deepEqual(await namesOf('ㄷㅅㅂ'), ['도서벽지학교']);
  assert.deepEqual(await namesOf('ㄱ'), []);
});
