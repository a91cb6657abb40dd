import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { isLongForm } from '../../../test/long-form.ts';
import { ByteSink } from '../byte-sink.ts';
import { FileRange } from '../file-range.ts';
import { matchingText } from '../korean/normalise.ts';
import { parseQuery } from '../korean/terms.ts';
import { SearchIndexBuilder } from './builder.ts';
import { dividedWord } from './divided-word.ts';
import { fieldSeparator, tagKey } from './gram.ts';
import { SearchIndex } from './index-file.ts';
import { namesWithInitials } from './initials.ts';
import { wordsWithInitials } from './words-with-initials.ts';
import { similarWords } from './spellings.ts';
import { compareRanks, rankOf, type Query } from './rank.ts';
import { rankedMax, Search, searchIndexes, type Matches } from './search.ts';
import type { SearchedIndex } from './searched-indexes.ts';

test('search finds exactly what a scan finds, in rank order, for any query and topics', () => {
  fc.assert(
    fc.property(
      fc.array(record, { maxLength: 60 }),
      anyQuery,
      anyTopics,
      anyNameWords,
      anyTags,
      (records, text, topics, nameSynonyms, { termTags, recordTags }) => {
        const tags = records.map((_, at) => recordTags[at] ?? []);
        const runs = [records.slice(0, 30), records.slice(30)];
        const tagRuns = [tags.slice(0, 30), tags.slice(30)];
        using store = writeIndexes(runs, tagRuns);
        const query = withTags(withNameSynonyms(parseQuery(text), nameSynonyms), termTags);
        if (query.terms.length === 0) return;
        const indexes = store.indexes.map((searched, at) => ({ ...searched, ...topics[at]! }));
        const result = searchIndexes(indexes, query, { offset: 0, limit: 200 });
        const expected = scan(runs, query, topics, tagRuns);
        assert.deepEqual(
          result.matches.map(({ index, document }) => [index, document]),
          expected,
        );
        assert.equal(result.total, expected.length);
        assert.equal(result.totalRelation, 'eq');
      },
    ),
    { numRuns: isLongForm ? 2_000 : 100 },
  );
});

test('search finds every substring of a record, at any length', () => {
  fc.assert(
    fc.property(
      fc.array(record, { minLength: 1, maxLength: 20 }),
      fc.nat(),
      fc.nat(),
      fc.integer({ min: 1, max: 8 }),
      (records, which, at, length) => {
        const text = matchingText(records[which % records.length]!.join(' '));
        const start = at % Math.max(1, text.length);
        const query = parseQuery(text.slice(start, start + length));
        if (query.terms.length === 0) return;
        using store = writeIndexes([records]);
        const { total } = searchIndexes(store.indexes, query, { offset: 0, limit: 0 });
        assert.equal(total, scan([records], query).length);
      },
    ),
    { numRuns: isLongForm ? 2_000 : 100 },
  );
});

test('consecutive pages have each match once, across chunks and past the ranked matches', () => {
  const records = Array.from({ length: 70_000 }, (_, i) => [
    i % 3 === 0 ? `강남구청 ${i}` : `서초구 ${i}`,
    i % 2 === 0 ? '주차장 시설관리공단' : '강남 도서관',
  ]);
  using store = writeIndexes([records]);
  for (const text of ['강남', '시설관리공단', '구 주차장', '"강남 도서관"']) {
    const query = parseQuery(text);
    const { total } = searchIndexes(store.indexes, query, { offset: 0, limit: 0 });
    const start = rankedMax - 5;
    const whole = searchIndexes(store.indexes, query, { offset: start, limit: 40 }).matches;
    const pages = [0, 10, 20, 30].flatMap(
      (at) => searchIndexes(store.indexes, query, { offset: start + at, limit: 10 }).matches,
    );
    assert.deepEqual(pages, whole, text);
    const last = searchIndexes(store.indexes, query, { offset: total - 3, limit: 10 }).matches;
    assert.ok(last.length >= 3, text);
    const seen = new Set(whole.map(({ document }) => document));
    assert.equal(seen.size, whole.length);
  }
});

test('pages of a grouped search have each match once, also those moved to the front', () => {
  const many = Array.from({ length: 1_500 }, (_, i) => [`강남구청 ${i % 1_400}`, '주차장']);
  const few = Array.from({ length: 9 }, (_, i) => [`서초 ${i}`, '강남구청 옆']);
  using store = writeIndexes([many, many, few]);
  const query = parseQuery('강남구청');
  const pageAt = (offset: number) =>
    searchIndexes(store.indexes, query, { offset, limit: 50, isGrouped: true });
  const { hits, total } = pageAt(0);
  const pages = Array.from({ length: Math.ceil(hits / 50) }, (_, at) => pageAt(at * 50).matches);
  const all = pages.flat();
  assert.equal(total, 3_009);
  assert.equal(all.length, hits);
  assert.equal(new Set(all.map(({ index, document }) => `${index} ${document}`)).size, hits);
  assert.equal(
    all.reduce((sum, { more }) => sum + 1 + more, 0),
    total,
  );
  const first = all.slice(0, 10).map(({ index }) => index);
  assert.deepEqual(first.filter((index) => index === 2).length, 3);
});

test('names are found by their initials, and similar words are one letter apart', () => {
  using store = writeIndexes([[['서울 아산병원'], ['서울아산의원'], ['부산대병원'], ['서울시청']]]);
  const { chunks } = store.indexes[0]!.index;
  assert.deepEqual(resultOf(namesWithInitials(chunks, 'ㅅㅇㅇㅅㅂㅇ')), ['서울 아산병원']);
  assert.deepEqual(resultOf(namesWithInitials(chunks, 'ㅅㅇㅅ')), ['서울시청']);
  assert.deepEqual(resultOf(namesWithInitials(chunks, 'ㅅㅇ')), []);
  assert.deepEqual(resultOf(similarWords(chunks, '아산병언')), ['아산병원']);
  assert.deepEqual(resultOf(similarWords(chunks, '강남')), []);
});

test('a text without blanks is divided into frequent words of names', () => {
  const titles = ['순천시_음식물쓰레기 현황', '음식물쓰레기 배출', '다량 배출사업장', '음식 배달'];
  using store = writeIndexes([titles.map((title) => [title])]);
  const { chunks } = store.indexes[0]!.index;
  const divided = (text: string) => resultOf(dividedWord(chunks, text));
  assert.deepEqual(divided('순천시음식물쓰레기배출'), ['순천시', '음식물쓰레기', '배출']);
  assert.deepEqual(divided('다량배출사업장'), ['다량', '배출사업장']);
  assert.deepEqual(divided('배출사업장'), null);
  assert.deepEqual(divided('배출도서관'), null);
});

test('words of names are found by their initials, whole words before parts of compounds', () => {
  const titles = [
    '부산광역시_교통사고 통계',
    '교통사고현황',
    '경찰청_교통사고',
    '고탄소강',
    '교통소굴',
  ];
  using store = writeIndexes([[...titles, '관태사가', '관태사가무'].map((title) => [title])]);
  const { chunks } = store.indexes[0]!.index;
  assert.deepEqual(resultOf(wordsWithInitials(chunks, 'ㄱㅌㅅㄱ')), [
    '교통사고',
    '관태사가',
    '고탄소강',
    '교통소굴',
  ]);
  assert.deepEqual(resultOf(wordsWithInitials(chunks, 'ㅌㄱ')), ['통계']);
  assert.deepEqual(resultOf(wordsWithInitials(chunks, 'ㅅㄱㅎ')), []);
  assert.deepEqual(resultOf(wordsWithInitials(chunks, 'ㄱ')), []);
});

test('a word of one name is found by its initials, although 100 similar words have more names', () => {
  const common = Array.from(
    { length: 100 },
    (_, at) => `가나다${String.fromCharCode(0xac00 + at)}라`,
  );
  const names = [...common, ...common, '가나다긱'].map((name) => [name]);
  using store = writeIndexes([[...names]]);
  const { chunks } = store.indexes[0]!.index;
  assert.equal(resultOf(wordsWithInitials(chunks, 'ㄱㄴㄷㄱ'))[0], '가나다긱');
});

test('a long common word has a lower bound as total, a short one an exact total', () => {
  const records = Array.from({ length: 25_000 }, (_, i) => [`${i}`, '서울특별시 강남구']);
  using store = writeIndexes([records]);
  const long = searchIndexes(store.indexes, parseQuery('서울특별시'), { offset: 0, limit: 1 });
  assert.equal(long.totalRelation, 'gte');
  assert.ok(long.total >= 10_000 && long.total <= 25_000);
  const short = searchIndexes(store.indexes, parseQuery('강남구'), { offset: 0, limit: 1 });
  assert.deepEqual([short.total, short.totalRelation], [25_000, 'eq']);
});

test('a rare word of frequent grams is counted exactly, although many texts are read', () => {
  const records = Array.from({ length: 210_000 }, (_, i) => [
    i % 30_000 === 7 ? '1212121' : '1212112121',
  ]);
  using store = writeIndexes([records]);
  const { total, totalRelation, matches } = searchIndexes(store.indexes, parseQuery('1212121'), {
    offset: 0,
    limit: 20,
  });
  assert.deepEqual([total, totalRelation, matches.length], [7, 'eq', 7]);
});

test('a search for a run of one digit reads no text of records with shorter runs', () => {
  const records = Array.from({ length: 30_000 }, (_, i) => [
    i % 10_000 === 7 ? '10000000' : `${1 + (i % 9)}000000 원`,
  ]);
  using store = writeIndexes([records]);
  const stepsOf = (query: string) => {
    const search = new Search(store.indexes, parseQuery(query));
    return [...inSteps(search.page({ offset: 0, limit: 20 }))];
  };
  const steps = stepsOf('0000000');
  assert.equal(steps.at(-1)!.total, 3);
  // Counting and each tier with matches read a few texts at once; 30,000 texts take dozens of steps.
  assert.ok(steps.length < 6, `${steps.length}`);
  assert.equal(stepsOf('00000000').at(-1)!.total, 0);
});

test('a search for runs of one unit equals a scan, in an index of an earlier version too', () => {
  const runs = fc.string({
    unit: fc.constantFrom('0', '0', '0', '0', '1', '가', ' '),
    maxLength: 24,
  });
  fc.assert(
    fc.property(fc.array(fc.tuple(runs, runs), { maxLength: 12 }), runs, (records, text) => {
      const query = parseQuery(text);
      if (query.terms.length === 0) return;
      using store = writeIndexes([records]);
      using earlier = writeIndexes([records], [], (file) =>
        // An index of an earlier version has no keys for runs; `null` keeps the length of the footer.
        Buffer.from(file.toString('latin1').replaceAll('"runs":true', '"runs":null'), 'latin1'),
      );
      const expected = scan([records], query);
      for (const { indexes } of [store, earlier]) {
        const { matches } = searchIndexes(indexes, query, { offset: 0, limit: 200 });
        assert.deepEqual(
          matches.map(({ index, document }) => [index, document]),
          expected,
        );
      }
    }),
    { numRuns: isLongForm ? 2_000 : 60 },
  );
});

test('the cache of a search changes no page', () => {
  const records = Array.from({ length: 30_000 }, (_, i) => [
    i % 5 === 0 ? '서울특별시청' : `${i}`,
    i % 2 === 0 ? '서울특별시 강남구' : '서울시 특별시',
  ]);
  using store = writeIndexes([records]);
  const query = parseQuery('서울특별시');
  const search = new Search(store.indexes, query);
  for (const offset of [12_000, 0, 600, 17_990, 3]) {
    const range = { offset, limit: 7 };
    const cached = [...inSteps(search.page(range))].at(-1);
    assert.deepEqual(cached, searchIndexes(store.indexes, query, range), `${offset}`);
  }
});

test('two pages of one search may be computed in alternating steps', () => {
  const records = Array.from({ length: 20_000 }, (_, i) => [`${i}`, '서울특별시 강남구']);
  using store = writeIndexes([records]);
  const query = parseQuery('서울특별시');
  const search = new Search(store.indexes, query);
  const ranges = [
    { offset: 9_000, limit: 5 },
    { offset: 15_000, limit: 5 },
  ];
  const running = ranges.map((range) => inSteps(search.page(range)));
  const results: (Matches | undefined)[] = [];
  for (let open = running.length; open > 0;) {
    for (const [at, steps] of running.entries()) {
      const step = steps.next();
      if (step.done === true) continue;
      results[at] = step.value ?? results[at];
      if (step.value !== undefined) open--;
    }
  }
  assert.deepEqual(
    results,
    ranges.map((range) => searchIndexes(store.indexes, query, range)),
  );
});

test('past the bound of exact totals every index with a match has a count above 0', () => {
  const many = Array.from({ length: 15_000 }, (_, i) => [`${i}`, '서울특별시 강남구']);
  using store = writeIndexes([many, many, [['하나', '서울특별시']], [['둘', '부산광역시']]]);
  const result = searchIndexes(store.indexes, parseQuery('서울특별시'), { offset: 0, limit: 1 });
  assert.equal(result.totalRelation, 'gte');
  assert.deepEqual(
    Array.from(result.counts, (count) => count > 0),
    [true, true, true, false],
  );
  assert.deepEqual([...result.areLowerBounds], [1, 1, 0, 0]);
});

test('a search with a tag finds only the documents that have it', () => {
  using store = writeIndexes(
    [
      [
        ['가나다', '라'],
        ['가나라', '마'],
        ['다가나', '바'],
      ],
    ],
    [[[7], [8], [7, 8]]],
  );
  const documents = (tag: number) =>
    searchIndexes(store.indexes, parseQuery('가나'), { offset: 0, limit: 10, tag: tagKey(tag) })
      .matches.map(({ document }) => document)
      .sort((a, b) => a - b);
  assert.deepEqual(documents(7), [0, 2]);
  assert.deepEqual(documents(8), [1, 2]);
  assert.deepEqual(documents(9), []);
});

const syllable = fc.constantFrom(...'강남서울시역구로대학교병원도서관1호점Ska-2４Ｋ가각ｶ');
const word = fc.string({ unit: syllable, minLength: 1, maxLength: 9 });
const cell = fc.oneof(
  fc.array(word, { maxLength: 3 }).map((words) => words.join(' ')),
  word.map((text) => text.normalize('NFD')),
  fc.constantFrom('서울특별시 강남구', '강남', '1호점', 'SK주유소', ''),
);
const record = fc.array(cell, { minLength: 1, maxLength: 4 });
const anyQuery = fc
  .array(
    fc.oneof(
      word,
      word.map((text) => `"${text} ${text.slice(0, 1)}"`),
    ),
    { maxLength: 3 },
  )
  .map((words) => words.join(' '));

/** Terms that are topics of each of two datasets, and true if its matches come last. */
const anyTopics = fc.tuple(
  ...[0, 1].map(() => fc.record({ fulfilled: fc.nat({ max: 7 }), isLast: fc.boolean() })),
);

/** Synonyms of the first terms, for names. */
const anyNameWords = fc.array(fc.array(word.map(matchingText), { maxLength: 2 }), { maxLength: 2 });

/** Tags of the first terms, and of records; a record with the tag of a term fulfils the term. */
const anyTags = fc.record({
  termTags: fc.array(fc.option(fc.constantFrom(7, 8)), { maxLength: 3 }),
  recordTags: fc.array(fc.subarray([7, 8]), { maxLength: 60 }),
});

function withTags(query: Query, tags: readonly (number | null)[]): Query {
  const terms = query.terms.map((term, at) => {
    const tag = tags[at] ?? null;
    return tag === null ? term : { ...term, tag: tagKey(tag) };
  });
  return { ...query, terms };
}

function withNameSynonyms(query: Query, nameSynonyms: readonly (readonly string[])[]): Query {
  const terms = query.terms.map((term, at) => ({ ...term, nameSynonyms: nameSynonyms[at] ?? [] }));
  return { ...query, terms, ranksTitles: true };
}

function resultOf<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** Yields undefined for each step of a search, then its result. */
function* inSteps(steps: Generator<void, Matches>): Generator<Matches | undefined> {
  for (let step = steps.next(); ; step = steps.next()) {
    yield step.done === true ? step.value : undefined;
    if (step.done === true) return;
  }
}

/** Finds matches by reading every record, as the oracle. */
function scan(
  collections: readonly (readonly string[])[][],
  query: Query,
  topics: readonly { readonly fulfilled: number; readonly isLast: boolean }[] = [],
  tags: readonly (readonly number[])[][] = [],
): number[][] {
  const matches = collections.flatMap((records, index) =>
    records.flatMap((fields, document) => {
      const { fulfilled, isLast } = topics[index] ?? { fulfilled: 0, isLast: false };
      const documentTags = tags[index]?.[document] ?? [];
      const tagged = query.terms.reduce(
        (bits, { tag }, at) =>
          documentTags.some((one) => tagKey(one).low === tag?.low) ? bits | (1 << at) : bits,
        0,
      );
      const rank = rankOf(fields.map(matchingText).join(fieldSeparator), query, fulfilled, tagged);
      return rank === null ? [] : [{ index, document, rank, isLast }];
    }),
  );
  matches.sort((a, b) => Number(a.isLast) - Number(b.isLast) || compareRanks(a.rank, b.rank));
  return matches.map(({ index, document }) => [index, document]);
}

function writeIndexes(
  collections: readonly (readonly string[])[][],
  tags: readonly (readonly number[])[][] = [],
  rewrite: ((file: Buffer) => Buffer) | null = null,
): { indexes: SearchedIndex[] } & Disposable {
  const folder = mkdtempSync(join(tmpdir(), 'maru-search-'));
  const indexes = collections.map((records, at) => {
    const path = join(folder, `${at}.bin`);
    using sink = new ByteSink(path);
    const builder = new SearchIndexBuilder(sink);
    for (const [i, fields] of records.entries()) {
      const [name, ...texts] = fields.map(matchingText);
      builder.add(name!, texts, tags[at]?.[i] ?? []);
    }
    builder.finish();
    sink.close();
    if (rewrite !== null) writeFileSync(path, rewrite(readFileSync(path)));
    return { index: SearchIndex.open(FileRange.of(path)) };
  });
  return {
    indexes,
    [Symbol.dispose]() {
      for (const { index } of indexes) index[Symbol.dispose]();
      rmSync(folder, { recursive: true });
    },
  };
}
