import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { readMeasurements } from './measurement.ts';
import { rankScores } from './ranking.ts';
import type { Finding } from '../../data/finding.ts';
import { readDemand } from './read.ts';
import { realData, realDataTest } from '../../../test/long-form.ts';

const fixtures = fileURLToPath(new URL('../../../test/fixtures/demand/', import.meta.url));

async function read(path: string) {
  const findings: Finding[] = [];
  const demand = await readDemand(path, (finding) => findings.push(finding));
  return { demand, findings };
}

async function readText(name: string, text: string) {
  const folder = await mkdtemp(join(tmpdir(), 'maru-demand-'));
  try {
    await writeFile(join(folder, name), text);
    return await read(join(folder, name));
  } finally {
    await rm(folder, { recursive: true });
  }
}

test('raw responses become one ranking relative to the anchor', async () => {
  const { demand, findings } = await read(`${fixtures}measurements.json`);
  assert.equal(demand.anchor, '하늘빛');
  assert.deepEqual(demand.items, [
    { rank: 1, keyword: '하늘빛', index: 100, belowResolution: false, errorClass: 'fine' },
    { rank: 2, keyword: '주차장', index: 50, belowResolution: false, errorClass: 'fine' },
    { rank: 3, keyword: '별마루', index: 10, belowResolution: false, errorClass: 'fine' },
    { rank: 4, keyword: '공중화장실', index: 2, belowResolution: false, errorClass: 'fine' },
    { rank: 5, keyword: '없는말', index: null, belowResolution: true, errorClass: null },
  ]);
  assert.deepEqual(demand.method.period, {
    from: '2026-01-01',
    to: '2026-03-31',
    timeUnit: 'month',
  });
  assert.deepEqual(
    findings.map(({ kind, row, detail }) => [kind, row, detail]),
    [['measurement_refused', 3, 'the service returned an error: Query limit exceeded.']],
  );
});

test('a custom list is imported with its anchor, and keywords without an index come last', async () => {
  const { demand, findings } = await read(`${fixtures}ranking.csv`);
  assert.equal(demand.anchor, '날씨');
  assert.deepEqual(
    demand.items.map(({ rank, keyword, index }) => [rank, keyword, index]),
    [
      [1, '날씨', 100],
      [2, '도서관', 88],
      [3, '약국', 42.5],
      [3, '주차장', 42.5],
      [4, '공중화장실', null],
    ],
  );
  assert.deepEqual(findings, []);
});

test('a marked row is the anchor, and every index becomes relative to it', async () => {
  const { demand, findings } = await readText(
    'list.csv',
    'keyword,index,anchor,from,to\n가나,50,Y,2026-01-01,2026-06-30\n다라,"1,000",,,\n마바,0,,,\n마바,9,,,\n사아,많음,,,\n',
  );
  assert.deepEqual(
    demand.items.map(({ keyword, index }) => [keyword, index]),
    [
      ['다라', 2000],
      ['가나', 100],
      ['마바', null],
    ],
  );
  assert.deepEqual(demand.method.period, {
    from: '2026-01-01',
    to: '2026-06-30',
    timeUnit: null,
  });
  assert.deepEqual(
    findings.map(({ kind }) => kind),
    ['duplicate', 'row_refused'],
  );
});

test('a file that is not a ranking is refused with the expected format', async () => {
  await assert.rejects(
    readText('a.csv', '키워드,월간검색량\n가나,120000\n다라,3\n'),
    /keyword and index/,
  );
  await assert.rejects(readText('a.csv', '키워드,지수\n가나,50\n다라,3\n'), /no anchor/);
  await assert.rejects(readText('a.json', '{"keyword": '), /not valid JSON\. Download it again/);
  await assert.rejects(readText('a.json', '{"items": []}'), /has no measurements/);
  await assert.rejects(readText('a.json', '[]'), /None of the measurements/);
  await assert.rejects(
    readText('a.json', '{"anchor":"바다","measurements":[]}'),
    /"바다" is in none/,
  );
});

test('measurements of different audiences are not mixed into one index', () => {
  const response = {
    startDate: '2026-01-01',
    endDate: '2026-01-31',
    timeUnit: 'month',
    results: [{ title: '가나', keywords: ['가나'], data: [{ period: '2026-01-01', ratio: 100 }] }],
  };
  const all = { request: {}, response };
  const mobile = { request: { device: 'mo' }, response };
  assert.throws(() => readMeasurements([all, mobile], () => {}), /one audience/);
  assert.equal(
    readMeasurements([all, { request: { ages: [] }, response }], () => {}).measurements.length,
    2,
  );
});

test('a period that had not ended when it was measured does not count', () => {
  const response = {
    startDate: '2026-01-01',
    endDate: '2026-02-20',
    timeUnit: 'month',
    results: [
      {
        title: '가나',
        keywords: ['가나'],
        data: [
          { period: '2026-01-01', ratio: 100 },
          { period: '2026-02-01', ratio: 60 },
        ],
      },
    ],
  };
  const sumAt = (measuredAt: string): number | undefined =>
    readMeasurements([{ response, measuredAt }], () => {}).measurements[0]?.groups[0]?.sum;
  assert.equal(sumAt('2026-02-28T14:59:59Z'), 100);
  assert.equal(sumAt('2026-02-28T15:00:00Z'), 160);
});

test('each response that is not a search trend is refused by itself', () => {
  const refusals: string[] = [];
  const broken = [
    null,
    { response: { results: [] } },
    {
      response: { startDate: '2026-01-01', endDate: '2026-01-31', timeUnit: 'month', results: [] },
    },
    {
      response: {
        startDate: '2026-01-01',
        endDate: '2026-01-31',
        timeUnit: 'month',
        results: [{ title: '가나', keywords: [], data: [{ period: '2026-01-01', ratio: 101 }] }],
      },
    },
  ];
  const { measurements } = readMeasurements(broken, ({ detail }) => refusals.push(detail));
  assert.equal(measurements.length, 0);
  assert.equal(refusals.length, broken.length);
});

test('equal indexes share a rank; all keywords below the resolution share the last', () => {
  const method = { source: '', unit: '', period: { from: '', to: '', timeUnit: '' }, note: '' };
  const { items } = rankScores('나', method, [
    ['라', null],
    ['나', 100],
    ['다', 7],
    ['가', 7],
    ['마', null],
    ['바', 1],
  ]);
  assert.deepEqual(
    items.map(({ rank, keyword }) => [rank, keyword]),
    [
      [1, '나'],
      [2, '가'],
      [2, '다'],
      [3, '바'],
      [4, '라'],
      [4, '마'],
    ],
  );
});

realDataTest(
  'real responses of the trend service are read, and shopping responses are refused',
  () => {
    const responses = [
      'naver_datalab_search_real_2019',
      'naver_doc_datalab_shopping_1',
      'naver_err_010_quota',
    ].map((name) => ({
      response: JSON.parse(
        readFileSync(join(realData, 'naver-datalab', `${name}.json`), 'utf8'),
      ) as unknown,
    }));
    const refusals: (number | null)[] = [];
    const { measurements } = readMeasurements(responses, ({ row }) => refusals.push(row));
    assert.equal(measurements[0]?.groups[0]?.keyword, '큐로홀딩스');
    assert.deepEqual(refusals, [2, 3]);
  },
);
