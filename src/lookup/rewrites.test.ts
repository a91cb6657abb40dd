import assert from 'node:assert/strict';
import test from 'node:test';
import { buildAxis } from '../../test/build-axis.ts';
import { buildCatalog, testEntry } from '../../test/build-catalog.ts';
import type { ParsedQuery } from '../data/korean/terms.ts';
import { fixtureStore } from '../../test/fixtures/lookup.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { namesWithInitials } from './known-names.ts';
import { rewritesWithResults } from './rewrites.ts';
import { SnapshotStore } from './store/snapshot.ts';
import { suggest } from './suggestions/suggest.ts';

test('initial consonants suggest regions, with 시 added only to cities: 서울시, not 경남시', () => {
  const store = fixtureStore();
  assert.ok(namesWithInitials('ㅅㅇㅅ', store).includes('서울시'));
  const names = namesWithInitials('ㄱㄴ', store);
  assert.ok(names.includes('경남'), names.join());
  assert.ok(!namesWithInitials('ㄱㄴㅅ', store).includes('경남시'));
});

test('the subjects of known names are looked up once, however often their initials are typed', () => {
  const store = fixtureStore();
  let lookedUp = 0;
  const subjectsOf = store.topics.subjectsOf.bind(store.topics);
  store.topics.subjectsOf = (terms) => {
    lookedUp++;
    return subjectsOf(terms);
  };
  const first = namesWithInitials('ㅅㅇㅅ', store);
  const once = lookedUp;
  assert.ok(once > 0);
  assert.deepEqual(namesWithInitials('ㅅㅇㅅ', store), first);
  assert.equal(lookedUp, once);
});

test('initial consonants are read as the subject of most records, then as a region', async () => {
  using data = temporaryFolder();
  const titles: readonly (readonly [title: string, rows: number])[] = [
    ['법정동코드 전체자료', 9],
    ['행정동 연계', 9],
    ['전국주차장정보표준데이터', 3],
    ['공공도서관 통계', 2],
    ['인구 통계', 1],
    ['pharmacy', 4],
  ];
  let id = '';
  for (const [at, [title, rows]] of titles.entries()) {
    const records = Array.from({ length: rows }, (_, row) => [`${row}호`, null]);
    id = buildAxis(data.path, `file_${at}`, records, null, undefined, { title });
  }
  await using store = new SnapshotStore(data.path, id);
  for (const [typed, read] of [
    ['ㅈㅊㅈ', '주차장'],
    ['ㄷㅅㄱ', '도서관'],
    ['ㅇㄱ', '약국'],
    ['ㄱㄴㄱ', '강남구'],
  ] as const) {
    assert.equal(namesWithInitials(typed, store)[0], read);
    const [suggested] = (await suggest(typed, 8, store)).filter(({ kind }) => kind !== 'name');
    if (read !== '강남구') assert.equal(suggested?.text, read);
  }
});

test('a query without results loses its region before its topic', async () => {
  const searched = { store: fixtureStore(), scope: 'catalog', count: countOf } as const;
  const [first] = await rewritesWithResults('해운대구 주차장', searched);
  assert.deepEqual(first, { text: '주차장', reason: 'words' });
});

test('the number of a dataset in an address or a sentence is read alone', async () => {
  const searched = { store: fixtureStore(), scope: 'catalog', count: countOf } as const;
  for (const typed of ['https://www.data.go.kr/data/15012896/standard.do', '15012896번 데이터']) {
    const [first] = await rewritesWithResults(typed, searched);
    assert.deepEqual(first, { text: '15012896', reason: 'fillers' }, typed);
  }
  assert.deepEqual(await rewritesWithResults('150128961', searched), []);
});

test('a former region without data is not corrected to another region', async () => {
  using data = temporaryFolder();
  const titles = ['철원군 도서관', '도서관 장서'];
  const entries = titles.map((title, at) =>
    testEntry({ type: 'FILE', portalId: String(at + 1), title }),
  );
  await using store = new SnapshotStore(data.path, buildCatalog(data.path, entries));
  const count = async ({ text }: { readonly text: string }): Promise<number> =>
    Number(titles.some((title) => title.includes(text)));
  const textsOf = async (typed: string): Promise<string[]> => {
    const rewrites = await rewritesWithResults(typed, { store, scope: 'catalog', count });
    return rewrites.map(({ text }) => text);
  };
  assert.deepEqual(await textsOf('청원군 도서관'), ['도서관']);
  assert.equal((await textsOf('도서관 쟝서'))[0], '도서관 장서');
});

test('a word with a synonym or an everyday meaning is not corrected by a letter', async () => {
  using data = temporaryFolder();
  const titles = ['동선 안내', '2020 공원 동선'];
  const entries = titles.map((title, at) =>
    testEntry({ type: 'FILE', portalId: String(at + 1), title }),
  );
  await using store = new SnapshotStore(data.path, buildCatalog(data.path, entries));
  const count = async ({ text }: { readonly text: string }): Promise<number> =>
    Number(titles.some((title) => title.includes(text)));
  for (const typed of ['총선', '2020 총선']) {
    const rewrites = await rewritesWithResults(typed, { store, scope: 'catalog', count });
    assert.ok(
      rewrites.every(({ reason }) => reason !== 'typo'),
      typed,
    );
  }
  const [corrected] = await rewritesWithResults('동썬', { store, scope: 'catalog', count });
  assert.deepEqual(corrected, { text: '동선', reason: 'typo' });
});

test('a query without blanks is divided into words of the catalog’s titles', async () => {
  using data = temporaryFolder();
  const titles = ['순천시_음식물쓰레기 다량 배출사업장', '음식물쓰레기 수거', '순천시 통계'];
  const entries = titles.map((title, at) =>
    testEntry({ type: 'FILE', portalId: String(at + 1), title }),
  );
  await using store = new SnapshotStore(data.path, buildCatalog(data.path, entries));
  const count = async ({ terms }: ParsedQuery): Promise<number> =>
    titles.filter((title) => terms.every(({ text }) => title.includes(text))).length;
  const searched = { store, scope: 'catalog', count } as const;
  const [first] = await rewritesWithResults('현황 순천시음식물쓰레기다량', searched);
  assert.deepEqual(first, { text: '순천시 음식물쓰레기 다량', reason: 'spacing' });
});

test('a word of the catalog is not corrected to a similar one of records', async () => {
  const store = Object.assign(fixtureStore(), { similarWords: async () => ['주자장'] });
  const searched = { store, scope: 'records', count: countOfMistake } as const;
  assert.deepEqual(await rewritesWithResults('주차장', searched), []);
  const [first] = await rewritesWithResults('주차잔', searched);
  assert.deepEqual(first, { text: '주자장', reason: 'typo' });
});

test('a word of one or two entries of the catalog may be a mistake, and is corrected', async () => {
  for (const total of [2, 3]) {
    const store = fixtureStore();
    const empty = await store.catalogSearch({ terms: [], text: '', offset: 0, limit: 0 });
    Object.assign(store, {
      similarWords: async () => ['주자장'],
      catalogSearch: async () => ({ ...empty, total }),
    });
    const searched = { store, scope: 'records', count: countOfMistake } as const;
    const [first] = await rewritesWithResults('주차잔', searched);
    assert.deepEqual(first, total === 2 ? { text: '주자장', reason: 'typo' } : undefined);
  }
});

test('a query that compares regions keeps them, and never loses all but the word that compares', async () => {
  const counted: string[] = [];
  const count = async ({ text }: { readonly text: string }): Promise<number> => {
    counted.push(text);
    return Number(['해운대구', '비교'].includes(text));
  };
  const searched = { store: fixtureStore(), scope: 'catalog', count } as const;
  const rewrites = await rewritesWithResults('해운대구 강남구 비교', searched);
  assert.deepEqual(rewrites[0], { text: '해운대구', reason: 'words' });
  assert.ok(rewrites.every(({ text }) => text !== '비교'));
  assert.ok(counted.indexOf('해운대구 강남구') < counted.indexOf('강남구 비교'));
});

async function countOf({ text }: { readonly text: string }): Promise<number> {
  return Number(['해운대구', '주차장', '15012896'].includes(text));
}

async function countOfMistake({ text }: { readonly text: string }): Promise<number> {
  return Number(text === '주자장');
}
