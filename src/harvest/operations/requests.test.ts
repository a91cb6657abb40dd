import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Row } from '../../data/axis.ts';
import { requestKey } from '../client/request.ts';
import { axisDefinition, axisDefinitions } from './definitions.ts';
import { plannedRequests } from './plan.ts';
import { pageOf, requestsOf, type AxisRequest } from './requests.ts';

/** 2026-11-21 12:30 in Korea. */
const now = Date.parse('2026-11-21T03:30:00Z');

interface Upstream {
  readonly records?: Readonly<Record<string, readonly Row[]>>;
  readonly answer?: (request: AxisRequest) => readonly Row[];
  readonly since?: number;
  readonly fallback?: boolean;
}

async function requestsFor(code: string, upstream: Upstream = {}): Promise<AxisRequest[]> {
  const axis = axisDefinition(code)!;
  const context = {
    now,
    since: upstream.since ?? null,
    async *recordsOf(parent: string) {
      yield* upstream.records?.[parent] ?? [];
    },
    answerRows: (request: AxisRequest) => Promise.resolve(upstream.answer?.(request) ?? []),
  };
  const enumeration = upstream.fallback === true ? axis.fallback! : axis.enumeration;
  return Array.fromAsync(requestsOf(axis, context, enumeration));
}

async function parameters(code: string, names: string, upstream?: Upstream): Promise<string[]> {
  const requests = await requestsFor(code, upstream);
  return requests.map((request) =>
    names
      .split(' ')
      .map((name) => request.parameters[name] ?? '-')
      .join(' '),
  );
}

test('an operation without loops is one request, with its format, page number and page size', async () => {
  const [request, ...more] = await requestsFor('gen_areabasedlist2');
  assert.equal(more.length, 0);
  assert.deepEqual(request!.parameters, {
    MobileOS: 'ETC',
    MobileApp: 'Maru',
    arrange: 'D',
    _type: 'json',
    pageNo: '1',
    numOfRows: '1000',
  });
  assert.deepEqual(request!.key, { in: 'query', name: 'serviceKey' });
  assert.equal(request!.service, 'apis.data.go.kr/B551011/KorService2');
});

test('a further page is the same request with another page number', async () => {
  const axis = axisDefinition('gen_period2')!;
  const [request] = await requestsFor('gen_period2');
  const third = pageOf(axis, request!, 3);
  assert.equal(third.parameters['PageNo'], '3');
  assert.equal(third.page, 3);
  assert.notEqual(requestKey(third), requestKey(request!));
});

test('stores are requested by the sigungu of today and of two years ago, cities by their 일반구', async () => {
  const codes = await parameters('gen_storelist', 'divId key');
  for (const code of [
    '11110',
    '41111',
    '36110',
    '12210',
    '29110',
    '28110',
    '28125',
    '41590',
    '41597',
  ]) {
    assert.ok(codes.includes(`signguCd ${code}`), code);
  }
  assert.ok(!codes.includes('signguCd 41110') && !codes.includes('signguCd 42110'));
  assert.equal(new Set(codes).size, codes.length);
});

test('warnings are requested for ten offices and the days that the upstream keeps', async () => {
  const windows = await parameters('gen_wthrwrnlist', 'stnId fromTmFc toTmFc');
  assert.equal(windows.length, 10);
  assert.equal(windows[0], '108 20261116 20261121');
  assert.deepEqual(await parameters('gen_eqkmsg', 'fromTmFc toTmFc'), ['20261119 20261121']);
});

test('requests use the days of Korea, not of the machine', async () => {
  const axis = axisDefinition('gen_eqkmsg')!;
  const late = { now: Date.parse('2026-12-31T15:00:00Z'), since: null };
  const context = { ...late, async *recordsOf() {}, answerRows: () => Promise.resolve([]) };
  const [request] = await Array.fromAsync(requestsOf(axis, context));
  assert.equal(request!.parameters['toTmFc'], '20270101');
});

test('observations are requested in windows from the first day, later for new days only', async () => {
  const all = await parameters('gen_wthrdatalist', 'stnIds startDt endDt');
  assert.equal(all.length, 97 * 4);
  assert.deepEqual(all.slice(0, 4), [
    '90 20200101 20211230',
    '90 20211231 20231230',
    '90 20231231 20251229',
    '90 20251230 20261120',
  ]);
  const later = await parameters('gen_wthrdatalist', 'stnIds startDt endDt', {
    since: now - 24 * 3_600_000,
  });
  assert.equal(later.length, 97);
  assert.equal(later[0], '90 20261113 20261120');
});

const hour = 3_600_000;

async function hours(since?: number): Promise<Set<string>> {
  const upstream = since === undefined ? {} : { since };
  return new Set(await parameters('kma_ncst', 'base_date base_time', upstream));
}

test('live observations are requested for the newest hour, or for the hours missed in a day', async () => {
  assert.deepEqual([...(await hours())], ['20261121 1200']);
  assert.deepEqual([...(await hours(now))], ['20261121 1200']);
  assert.deepEqual([...(await hours(now - 2 * hour))], ['20261121 1100', '20261121 1200']);
  assert.equal((await hours(now - 100 * hour)).size, 24);
});

test('years are requested up to two years ahead', async () => {
  const years = await parameters('gen_restdeinfo', 'solYear');
  assert.equal(years[0], '2000');
  assert.equal(years.at(-1), '2028');
});

test('years are requested from the newest until one has records', async () => {
  const years = await parameters('cltr_library', 'pblshYr', {
    answer: ({ parameters }) => (parameters['pblshYr'] === '2024' ? [{ instId: '1' }] : []),
  });
  assert.deepEqual(years, ['2026', '2025', '2024']);
  assert.equal((await requestsFor('cltr_library')).length, 6);
});

const elections: readonly Row[] = [
  { sgId: '20220601', sgTypecode: '0' },
  { sgId: '20220601', sgTypecode: '3' },
  { sgId: '20220601', sgTypecode: 11 },
  { sgId: '20040415', sgTypecode: '2' },
  { sgId: null, sgTypecode: '2' },
];

test('elections are requested by day and kind, without the row for the whole election day', async () => {
  const records = { nec_code: elections };
  const kinds = ['20220601 3', '20220601 11', '20040415 2'];
  assert.deepEqual(await parameters('nec_winner', 'sgId sgTypecode', { records }), kinds);
});

test('a field that the answer lacks is stamped from the request', async () => {
  const records = { nec_code: elections };
  const electors = await requestsFor('gen_elpcelcntinfoinqire', { records });
  assert.deepEqual(
    electors.map(({ stamps }) => stamps['sgTypecode']),
    ['3', '11', '2'],
  );
  const reasons = await requestsFor('nec_rpbe', { records });
  assert.deepEqual(
    reasons.map(({ stamps }) => stamps),
    [{ sgExctDate: '20220601' }, { sgExctDate: '20040415' }],
  );
  const areas = await requestsFor('gen_areacode2');
  assert.deepEqual(
    areas.slice(0, 2).map(({ stamps }) => stamps),
    [{}, { areaCode: '1' }],
  );
});

function sidosRequested(sgId: string): Promise<string[]> {
  return parameters('gen_prepolplcotlnmaptrnsportinfoinqire', 'sdName', {
    records: { nec_code: [{ sgId }, { sgId: '20120411' }] },
  });
}

test('polling places are requested by the region names of the day and of its councils', async () => {
  const before = await sidosRequested('20220601');
  assert.ok(before.includes('강원도') && !before.includes('강원특별자치도'));
  assert.equal(before.length, 17);
  assert.ok((await sidosRequested('20260603')).includes('전남광주통합특별시'));
});

test('children are requested once for each distinct parent', async () => {
  const records = { gen_period2: [{ seq: '7' }, { seq: 7 }, { seq: null }, { seq: '8' }] };
  assert.deepEqual(await parameters('gen_detail2', 'seq', { records }), ['7', '8']);
  const areas = { gen_storezoneinadmi: [{ trarNo: '9734' }] };
  assert.deepEqual(await parameters('gen_storezoneone', 'key', { records: areas }), ['9734']);
  const spots = { gen_areabasedlist2: [{ contentid: '125534' }] };
  assert.deepEqual(
    await parameters('gen_detailpettour2', 'contentId', { records: spots, fallback: true }),
    ['125534'],
  );
  assert.deepEqual(await parameters('gen_detailpettour2', 'contentId'), ['-']);
});

test('pledges are requested for the candidates of elections that have pledges', async () => {
  const candidate = { sgId: '20220601', huboid: '100' };
  const records = {
    nec_candidate_search: [
      { ...candidate, sgTypecode: '3' },
      { ...candidate, sgTypecode: '5', huboid: '101' },
    ],
  };
  assert.deepEqual(await parameters('nec_pledge', 'sgId sgTypecode cnddtId', { records }), [
    '20220601 3 100',
  ]);
});

test('candidates are requested once for each name of an election or of its winners', async () => {
  const codes = [
    { sgId: '20220601', sgTypecode: '3' },
    { sgId: '20220601', sgTypecode: '0' },
    { sgId: '20220309', sgTypecode: '1' },
  ];
  const requests = await requestsFor('nec_candidate_search', {
    records: { nec_code: codes, nec_winner: [{ name: '박견본' }, { name: '이보기' }] },
    answer: ({ hasRecords, parameters: { sgTypecode } }) =>
      hasRecords ? [] : [{ name: '김예시' }, { name: sgTypecode === '3' ? '박견본' : null }],
  });
  assert.deepEqual(
    requests.map(({ hasRecords, parameters: { sgId, sgTypecode, name } }) =>
      hasRecords ? name : `${sgId} ${sgTypecode}`,
    ),
    ['20220601 3', '김예시', '박견본', '20220309 1', '이보기'],
  );
  assert.deepEqual(
    requests.map(({ portalId }) => portalId),
    ['15000908', '15140045', '15140045', '15000908', '15140045'],
  );
});

test('bus stops are requested by listed city, with the city’s name in each record', async () => {
  const requests = await requestsFor('tago_busstops', {
    answer: ({ hasRecords }) =>
      hasRecords
        ? []
        : [
            { citycode: 25, cityname: '대전광역시/계룡시' },
            { citycode: 39, cityname: null },
          ],
  });
  assert.deepEqual(
    requests.map(({ hasRecords, stamps }) => ({ hasRecords, ...stamps })),
    [
      { hasRecords: false },
      { hasRecords: true, citycode: '25', cityname: '대전광역시/계룡시' },
      { hasRecords: true, citycode: '39' },
    ],
  );
  assert.match(requests[0]!.path, /getCtyCodeList$/);
  assert.equal(requests[1]!.parameters['cityCode'], '25');
});

function categoryOf({ parameters: { cat1 = '-', cat2 = '-' } }: AxisRequest): string {
  return `${cat1} ${cat2}`;
}

test('categories are walked level by level', async () => {
  const answers: Readonly<Record<string, readonly Row[]>> = {
    '- -': [{ code: 'A01' }, { code: 'B02' }],
    'A01 -': [{ code: 'A0101' }],
    'B02 -': [],
  };
  const requests = await requestsFor('gen_categorycode2', {
    answer: (one) => answers[categoryOf(one)] ?? [],
  });
  assert.deepEqual(requests.map(categoryOf), ['- -', 'A01 -', 'B02 -', 'A01 A0101']);
});

test('more parents than the bound end the collection with an error that states the bound', async () => {
  const axis = axisDefinition('gen_detail2')!;
  const [loop] = axis.enumeration;
  assert.ok(loop?.kind === 'records');
  const context = {
    now,
    since: null,
    async *recordsOf() {
      yield* [{ seq: '1' }, { seq: '2' }, { seq: '3' }];
    },
    answerRows: () => Promise.resolve([]),
  };
  const within = (most: number) => Array.fromAsync(requestsOf(axis, context, [{ ...loop, most }]));
  assert.equal((await within(3)).length, 3);
  await assert.rejects(within(2), /more than 2 requests .* gen_period2/);
});

test('the plan of every axis and fallback fits its quota within two months', () => {
  for (const axis of axisDefinitions) {
    for (const enumeration of [axis.enumeration, axis.fallback ?? []]) {
      const plan = plannedRequests(axis, { now, since: null }, enumeration);
      assert.ok(plan.pagedRequests >= 1 && plan.requests >= plan.pagedRequests, axis.code);
      assert.ok(plan.days <= 60, axis.code);
    }
  }
});

test('the plan of loops over fixed values has the exact number of requests', async () => {
  for (const axis of axisDefinitions) {
    if (axis.enumeration.some((loop) => 'expect' in loop)) continue;
    const requests = await requestsFor(axis.code);
    assert.equal(
      plannedRequests(axis, { now, since: null }).pagedRequests,
      requests.length,
      axis.code,
    );
    assert.equal(new Set(requests.map(requestKey)).size, requests.length, axis.code);
  }
});
