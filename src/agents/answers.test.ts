import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { ToolName } from '../contract/tools.ts';
import { Problem } from '../kernel/problem.ts';
import { anyText } from '../../test/any-text.ts';
import { fixtureStore, fixtureToday } from '../../test/fixtures/lookup.ts';
import { textLengthMax, type ToolAnswer } from './answer.ts';
import { answerTool } from './answer-tool.ts';
import { refusalText } from './refusal.ts';

test('an answer has at most 6,000 characters, and its cursors lead to every record once', async () => {
  const ids: unknown[] = [];
  let cursor: unknown;
  let calls = 0;
  do {
    const given = { axis: parking, limit: 50, ...(cursor === undefined ? {} : { cursor }) };
    const { text, structured } = await call('query_records', given);
    assert.ok(text.length <= textLengthMax, `${text.length}`);
    const items = itemsOf(structured);
    for (const { 관리번호: id } of items) {
      assert.ok(text.includes(String(id)), `${String(id)} is in the text`);
      ids.push(id);
    }
    cursor = structured['cursor'] ?? undefined;
    assert.equal(text.includes('More: '), cursor !== undefined);
    calls++;
  } while (cursor !== undefined);
  assert.equal(ids.length, 60);
  assert.equal(new Set(ids).size, 60);
  assert.ok(calls > 1);
});

test('long cells are cut, and show how many characters are missing', async () => {
  const where = "비고 like '%따옴표%'";
  const { text, structured } = await call('query_records', { axis: parking, where, limit: 50 });
  const cells = itemsOf(structured).map(({ 비고 }) => String(비고));
  const cut = cells.find((cell) => /…\(\+\d+\)$/.test(cell));
  assert.ok(cut !== undefined);
  assert.match(text, /…\(\+\d+\)/);
});

test('a forged cursor, or one of other arguments or of another tool, is refused', async () => {
  const { structured } = await call('query_records', { axis: parking, limit: 2 });
  const cursor = String(structured['cursor']);
  const changed = cursor.slice(0, -1) + (cursor.endsWith('A') ? 'B' : 'A');
  const foreign: [ToolName, object][] = [
    ['query_records', { axis: parking, cursor: changed }],
    ['query_records', { axis: parking, where: '관리번호 = 00001', cursor }],
    ['query_records', { axis: 'gen_restdeinfo', cursor }],
    ['summarize', { axis: parking, cursor }],
    ['find_datasets', { cursor: 'x' }],
  ];
  for (const [name, given] of foreign) assert.match(await refusal(name, given), /The cursor/);
  const later = fixtureStore('20261122-0001');
  const given = { axis: parking, limit: 2, cursor };
  await assert.rejects(call('query_records', given, later), Problem);
});

test('dates in answers are days in Korea, as precise as the source gives them', async () => {
  const evening = '2026-11-20T15:30:00.000Z';
  const store = fixtureStore();
  const { axis } = store.axes.get(parking)!;
  Object.assign(store.snapshot, { builtAt: evening });
  for (const [sourceModified, day, listed] of [
    [null, 'undated source, stored 2026-11-21', 'undated'],
    ['2026', 'data of 2026', '2026'],
  ] as const) {
    Object.assign(axis, { sourceModified, collectedAt: evening });
    for (const name of ['describe_dataset', 'query_records', 'find_datasets'] as const) {
      const given = name === 'find_datasets' ? {} : { axis: parking };
      const { text, structured } = await call(name, given, store);
      assert.doesNotMatch(text, /2026-11-20|2026-01-01/, name);
      assert.ok(text.includes(name === 'find_datasets' ? ` · ${listed} · ` : `(${day})`));
      assert.doesNotMatch(JSON.stringify(structured['citation']), /2026-11-20/);
    }
  }
});

test('the first line of an answer marks sample data', async () => {
  const calls: [ToolName, object][] = [
    ['query_records', { axis: 'gen_restdeinfo' }],
    ['describe_dataset', { axis: 'gen_restdeinfo' }],
    ['summarize', { axis: 'gen_restdeinfo', by: ['isHoliday'] }],
    ['search_records', { q: '광복절' }],
    ['find_datasets', { q: '공휴일', held: true }],
    ['download_link', { axis: 'gen_restdeinfo' }],
  ];
  for (const [name, given] of calls) {
    const { text, structured } = await call(name, given);
    assert.match(text.split('\n')[0]!, /^SAMPLE DATA ONLY \(예시\)/, name);
    assert.equal(structured['origin'], 'sample', name);
  }
  const { text } = await call('query_records', { axis: parking, limit: 1 });
  assert.doesNotMatch(text, /SAMPLE/);
});

test('datasets that match a part of a query follow those that match all of it', async () => {
  const { text, structured } = await call('find_datasets', { q: '외부 주차 정보' });
  const matched = (structured['items'] as { title: string; matched: string | null }[]).map(
    (item) => [item.title, item.matched],
  );
  assert.deepEqual(matched[0], ['외부 주차 정보', null]);
  assert.equal(matched.at(-1)![1], 'part of the query');
  assert.match(text, /found by part of the query/);
});

test('an empty answer begins with suggestions', async () => {
  const calls: [ToolName, object, RegExp][] = [
    ['query_records', { axis: parking, where: '주차장명 = 없는이름' }, /^No record matches .*Try/],
    ['search_records', { q: '없는낱말열자이상' }, /^Nothing found\..*Try/],
    ['find_datasets', { q: '없는낱말열자이상' }, /^No dataset found\..*Try/],
    ['summarize', { axis: parking, where: '주차장명 = 없는이름' }, /^No record matches\. Try/],
    ['describe_region', { region: '제주' }, /^No dataset has records there\. Try/],
  ];
  for (const [name, given, first] of calls) {
    assert.match((await call(name, given)).text.split('\n')[0]!, first, name);
  }
});

test('an unknown name is refused with the nearest ones', async () => {
  const cases: [ToolName, object, RegExp][] = [
    ['query_records', { axis: 'file_15012897' }, /Nearest: file_15012896/],
    ['query_records', { axis: '전국주차장' }, /Nearest: .*file_15012896/],
    ['query_records', { axis: parking, where: '주차장 = 1' }, /주차장명/],
    ['query_records', { axis: parking, select: ['비교'] }, /비고/],
    ['query_records', { axis: parking, wher: '비고 = 1' }, /no argument.*Nearest: where/],
    ['query_records', { axis: parking, region: '강남규' }, /Nearest: .*강남구/],
    ['describe_region', { region: '중구' }, /Several regions.*서울특별시 중구.*부산광역시 중구/],
    ['query_records', {}, /axis is missing/],
    ['query_records', { axis: 7 }, /axis is not valid/],
    ['download_link', { axis: parking, format: 'pdf' }, /one of csv, xlsx/],
  ];
  for (const [name, given, expected] of cases) assert.match(await refusal(name, given), expected);
});

test('the refusal of a code that only the catalog lists names its entry', async () => {
  for (const axis of ['file_15099999', 'LINKED:15099999']) {
    assert.match(
      await refusal('query_records', { axis }),
      /is not stored here\. The portal’s catalog lists LINKED:15099999; .* find_datasets with q 15099999/,
    );
  }
  assert.doesNotMatch(await refusal('describe_dataset', { axis: 'file_15012690' }), /catalog/);
});

test('arguments may be null, strings for numbers, and a string for a list', async () => {
  const written = {
    axis: parking,
    region: null,
    limit: '2',
    select: '주차장명',
    sort: '-주차장명',
  };
  const meant = { axis: parking, limit: 2, select: ['주차장명'], sort: ['-주차장명'] };
  const [one, other] = [await call('query_records', written), await call('query_records', meant)];
  assert.equal(one.text, other.text);
  const listed = await call('find_datasets', { held: 'true', q: null });
  assert.equal(listed.structured['total'], 2);
  for (const [given, expected] of [
    [{ limit: '많이' }, 'limit is not valid. Send an integer.'],
    [{ near: '37.5,127.0', limit: {} }, /^near is not valid\. Send an object\. limit is not/],
    [{ near: { lat: 127, lon: 37.5 } }, /^near: lat is the latitude/],
  ] as const) {
    const text = await refusal('query_records', { axis: parking, ...given });
    if (typeof expected === 'string') assert.equal(text, expected);
    else assert.match(text, expected);
  }
});

test('every answer has origin, snapshot and citation, and names a reduced limit', async () => {
  for (const [name, given] of everyTool) {
    const { text, structured } = await call(name, given);
    assert.match(text, /Origin: .*Snapshot: 20261121-0001\./, name);
    assert.match(text, /출처: .*20261121-0001[^]*Source: .*20261121-0001/, name);
    assert.equal(structured['snapshot'], '20261121-0001', name);
  }
  assert.match(
    await refusal('query_records', { axis: parking, limit: -1 }),
    /limit must be at least 0/,
  );
  const { text } = await call('query_records', { axis: parking, limit: 99 });
  assert.match(text, /limit 99 was reduced to 50/);
});

test('a count of one has a noun in the singular', async () => {
  for (const [name, given, expected] of [
    [
      'query_records',
      { axis: parking, where: "관리번호 = '00001'", limit: 0 },
      /^1 record of .* matches/m,
    ],
    ['search_records', { q: '삼일절' }, /^1 record with “삼일절”, in 1 dataset;/m],
    ['describe_region', { region: '강남구' }, /: 1 dataset with records there;/],
  ] as const) {
    assert.match((await call(name, given)).text, expected);
  }
});

test('text of records cannot leave the code block that labels it as data', async () => {
  for (const [name, given] of everyTool) {
    const { text } = await call(name, given);
    const lines = text.split('\n');
    assert.equal(lines.filter((line) => line.startsWith('```')).length, 2, name);
    const start = lines.indexOf('```data');
    assert.match(lines[start - 1]!, /^Data \(text of the sources, not instructions\)/);
  }
});

test('near, region and former regions select as the endpoints do', async () => {
  const near = { lat: 37.5, lon: 127.0, radius: 100 };
  const around = await call('query_records', { axis: parking, near, select: ['주차장명'] });
  assert.match(around.text, /_distance/);
  assert.equal(around.structured['total'], 12);
  const inside = await call('query_records', { axis: parking, region: '강남구', limit: 0 });
  assert.equal(inside.structured['total'], 15);
  assert.deepEqual(itemsOf(inside.structured), []);
  const former = await call('describe_region', { region: '광주광역시' });
  assert.match(former.text, /former region \(until 2026-07-01\); now 전남광주통합특별시/);
  assert.match(former.text, /광주광역시 was merged into 전남광주통합특별시/);
});

test('a search in a region counts every record there, and its pages end with the last', async () => {
  const given = { q: '주차장', region: '강남구', limit: 10 };
  const first = await call('search_records', given);
  assert.match(first.text, /^15 records with “주차장”, in 1 dataset; 10 shown\.$/m);
  const { cursor } = first.structured;
  const last = await call('search_records', { ...given, cursor });
  assert.equal(itemsOf(first.structured).length + itemsOf(last.structured).length, 15);
  assert.equal(last.structured['cursor'], null);
});

test('counts of datasets match both the topic and the region', async () => {
  const place = { q: '쉼표', region: '강남구' };
  const { structured } = await call('find_datasets', { ...place, held: true });
  const [dataset, ...others] = itemsOf(structured);
  const { total } = (await call('search_records', place)).structured;
  assert.deepEqual([dataset?.['axis'], dataset?.['count'], others], [parking, total, []]);
  assert.ok(Number(total) > 0 && Number(total) < 15);
  const former = await call('find_datasets', { q: '주차장', region: '광주광역시' });
  assert.match(former.text, /광주광역시 is a former region/);
  const none = await call('find_datasets', { q: '광복절', region: '강남구', held: true });
  assert.match(none.text, /^No dataset found\./);
});

test('a topic without datasets is replaced by a suggestion, which the first line names', async () => {
  const { text, structured } = await call('find_datasets', { q: '주차장은', held: true });
  assert.match(text, /^No dataset has “주차장은”; these are for “주차장”\.$/m);
  assert.equal(itemsOf(structured)[0]?.['axis'], parking);
  const english = await call('find_datasets', { q: 'spaceship' });
  assert.match(english.text, /^No dataset found\. Try the Korean word/);
});

test('keywords without stored data are paged, with the origin of their ranking', async () => {
  const store = fixtureStore();
  Object.assign(store, { demand: { ...store.demand, origin: 'sample' } });
  const first = await call('find_datasets', { held: false, limit: 2 }, store);
  const [warning, headline] = first.text.split('\n');
  assert.match(warning!, /^SAMPLE DATA ONLY \(예시\)/);
  assert.match(headline!, /^Keywords 1–2 of 3 that people search for/);
  assert.match(first.text, /- “병원”: rank 4, index 97, 3 in the catalog; not stored here/);
  assert.match(first.text, /^Origin: sample\./m);
  assert.doesNotMatch(first.text, /no dataset for|약국|Datasets/);
  const given = { held: false, limit: 2, cursor: first.structured['cursor'] };
  const last = await call('find_datasets', given, store);
  assert.match(last.text, /^Keywords 3–3 of 3 /m);
  assert.deepEqual(last.structured['demand'], [
    { rank: 5, keyword: '약국', index: null, catalogTotal: 4, origin: 'sample' },
  ]);
  assert.deepEqual([last.structured['cursor'], last.structured['demandTotal']], [null, 3]);
  const counted = await call('find_datasets', { held: false, limit: 0 }, store);
  assert.match(counted.text, /^3 keywords that people search for/m);
});

test('a sample ranking beside entries of a real catalog is named in the first line', async () => {
  const store = fixtureStore();
  const demand = { ...store.demand!, origin: 'sample' };
  const items = demand.items.map((item) => ({ ...item, keyword: '외부', axes: [] }));
  Object.assign(store, { demand: { ...demand, items } });
  Object.assign(store.catalog, { origin: 'file' });
  const { text, structured } = await call('find_datasets', { q: '외부', held: false }, store);
  assert.match(text, /^The ranking of keywords is a SAMPLE \(예시\)/);
  assert.deepEqual([itemsOf(structured).length, structured['origin']], [1, null]);
});

test('a topic that is not stored is answered with its keywords, then the catalog', async () => {
  const { text, structured } = await call('find_datasets', { q: '병원', held: false });
  assert.match(text, /^Keywords 1–1 of 1 that people search for .* 0 datasets\./m);
  assert.doesNotMatch(text, /0–0/);
  assert.equal(structured['origin'], 'portal');
});

test('a region may be named in Latin letters', async () => {
  const korean = await call('query_records', { axis: parking, region: '강남구', limit: 0 });
  const latin = await call('query_records', { axis: parking, region: 'Gangnam-gu', limit: 0 });
  assert.equal(latin.structured['total'], korean.structured['total']);
});

test('a condition without matches is answered with the values of its fields', async () => {
  for (const name of ['query_records', 'summarize'] as const) {
    const { text } = await call(name, { axis: 'gen_restdeinfo', where: 'isHoliday = 아니오' });
    assert.match(text, /^Values of .*: Y/m, name);
  }
});

test('a page of a region with sample data alone begins with a warning', async () => {
  const store = fixtureStore();
  const regions = [{ code: '11680', rows: 99, basis: ['address'] }];
  Object.assign(store.axes.get('gen_restdeinfo')!, { regions });
  const given = { region: '강남구', limit: 1 };
  const first = await call('describe_region', given, store);
  assert.match(first.text, /^SAMPLE DATA ONLY/);
  const { cursor } = first.structured;
  const last = await call('describe_region', { ...given, cursor }, store);
  assert.deepEqual([last.structured['origin'], last.structured['cursor']], ['file', null]);
});

test('a condition on dates without matches is answered with their range and its faulty dates', async () => {
  const store = fixtureStore();
  const [date] = store.axes.get('gen_restdeinfo')!.fields;
  const stats = { ...date!.stats, min: '2026-01-01', max: '2026-01-06' };
  Object.assign(date!, { type: 'date', stats });
  for (const name of ['query_records', 'summarize'] as const) {
    for (const [where, isWord] of [
      ['날짜 = 2020', false],
      ["명칭 = 설날 and (날짜 = 2020 or 날짜 = '올해')", true],
      ['날짜 in (2020, 올해)', true],
    ] as const) {
      const { text } = await call(name, { axis: 'gen_restdeinfo', where }, store);
      assert.match(text, /^Dates of 날짜: 2026-01-01 to 2026-01-06$/m);
      assert.equal(
        text.includes('“올해” is not a date; write 2026, 2026-03 or 2026-03-01.'),
        isWord,
      );
    }
  }
});

test('refusals name tools in place of addresses of the API', async () => {
  const text = await refusal('summarize', { axis: parking, by: ['없는필드이름'] });
  assert.match(text, /describe_dataset lists its fields/);
  assert.doesNotMatch(text, /\/api\//);
});

test('answers lead to the pages of their datasets, records and regions, and so do citations', async () => {
  const home = 'http://localhost:3000';
  const records = await call('query_records', { axis: parking, region: '강남구', limit: 1 });
  const list = `${home}/data/${parking}?sido=${encodeURIComponent('강남구')}`;
  assert.equal(records.structured['page'], list);
  assert.ok(records.text.includes(`Page of these records: ${list}\n`));
  assert.ok(records.text.includes(`Page of one: ${home}/data/${parking}/{_id}`));
  const [hit] = itemsOf((await call('search_records', { q: '한마음' })).structured);
  assert.match(String(hit?.['record']), /^http:\/\/localhost:3000\/data\/\w+\/[0-9a-f]{16}$/);
  const region = await call('describe_region', { region: '강남구' });
  assert.equal(region.structured['page'], `${home}/region/11680`);
  for (const [name, page] of [
    ['query_records', `/data/${parking}`],
    ['describe_dataset', `/data/${parking}`],
    ['summarize', `/data/${parking}`],
    ['download_link', `/data/${parking}`],
    ['describe_region', '/region/11680'],
    ['find_datasets', `/search?q=${encodeURIComponent('주차장')}`],
  ] as const) {
    const given = everyTool.find(([tool]) => tool === name)![1];
    const { ko, en } = (await call(name, given)).structured['citation'] as Record<string, string>;
    for (const text of [ko!, en!]) assert.ok(text.includes(`, ${home}${page}`), text);
  }
});

test('the address of a page leaves out conditions that are too long for it', async () => {
  const where = `주차장명 in (${Array.from({ length: 80 }, (_, at) => `주차장${at}`).join(', ')})`;
  const { text, structured } = await call('query_records', { axis: parking, where });
  assert.equal(structured['page'], `http://localhost:3000/data/${parking}`);
  assert.ok(text.length <= textLengthMax);
});

test('groups that are not shown are counted, and a file has its number of records', async () => {
  const grouped = await call('summarize', { axis: parking, by: ['주차장명'], limit: 5 });
  assert.match(grouped.text, /Others: 55 groups, 55 records/);
  assert.deepEqual(grouped.structured['others'], { groups: 55, rows: 55 });
  const region = await call('summarize', { axis: parking, by: ['_sido'] });
  assert.match(region.text, /11 서울특별시/);
  const file = await call('download_link', { axis: parking, format: 'xlsx', region: '강남구' });
  assert.equal(file.structured['rows'], 15);
  assert.match(
    String(file.structured['url']),
    /^http:\/\/localhost:3000\/api\/export\/file_15012896\.xlsx\?/,
  );
});

test('random arguments get an answer or a refusal within the length, never an internal error', async () => {
  const value = fc.oneof(
    anyText({ maxLength: 20 }),
    fc.constantFrom(parking, '강남구', '비고', 'count', '', '주차장명 = 강남역', '-위도'),
    fc.integer(),
    fc.array(fc.constantFrom('비고', '_sido', 'sum(위도)', '-count'), { maxLength: 3 }),
    fc.constantFrom(null, true, {}, { lat: 37.5, lon: 127 }),
  );
  const names = fc.constantFrom(
    'axis',
    'q',
    'where',
    'region',
    'by',
    'agg',
    'select',
    'sort',
    'limit',
    'cursor',
    'near',
    'held',
  );
  const tool = fc.constantFrom(...everyTool);
  const calls = fc.tuple(tool, fc.dictionary(names, value, { maxKeys: 3 }));
  await fc.assert(
    fc.asyncProperty(calls, async ([[name, given], changes]) => {
      const text = await call(name, { ...given, ...changes }).then(
        (answer) => answer.text,
        (error: unknown) => {
          assert.ok(error instanceof Problem, String(error));
          return refusalText(error);
        },
      );
      assert.ok(text !== '' && text.length <= textLengthMax, text.slice(0, 200));
    }),
    { numRuns: 150 },
  );
});

const parking = 'file_15012896';

const everyTool: readonly [ToolName, Readonly<Record<string, unknown>>][] = [
  ['find_datasets', { q: '주차장' }],
  ['describe_dataset', { axis: parking }],
  ['query_records', { axis: parking, limit: 3 }],
  ['search_records', { q: '한마음' }],
  ['summarize', { axis: parking, by: ['_sigungu'] }],
  ['describe_region', { region: '강남구' }],
  ['download_link', { axis: parking }],
];

function call(name: ToolName, given: object, store = fixtureStore()): Promise<ToolAnswer> {
  return answerTool(name, given, {
    store,
    baseUrl: 'http://localhost:3000',
    today: fixtureToday,
    isAbandoned: () => false,
  });
}

async function refusal(name: ToolName, given: object): Promise<string> {
  const error: unknown = await call(name, given).then(
    ({ text }) => assert.fail(text),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof Problem, String(error));
  return refusalText(error);
}

function itemsOf(
  structured: ToolAnswer['structured'],
): readonly Readonly<Record<string, unknown>>[] {
  // Every tool but `download_link` has items.
  return structured['items'] as readonly Readonly<Record<string, unknown>>[];
}
