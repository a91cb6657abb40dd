import assert from 'node:assert/strict';
import { test } from 'node:test';
import { request } from '../../../test/fixtures/inject.ts';
import { json, setUp, type Answer } from '../../../test/fixtures/lookup-app.ts';
import { fixtureStore } from '../../../test/fixtures/lookup.ts';
import { AxisCounts } from '../store/axis-counts.ts';
import { nothingFound } from '../store/store.ts';

const axis = '/api/data/axis?axis=file_15012896';

function encoded(parameters: Readonly<Record<string, string | number>>): string {
  return Object.entries(parameters)
    .map(([name, value]) => `&${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('');
}

test('where selects records by names and labels, and the answer repeats it as understood', async () => {
  const { router } = setUp();
  const where = '관리번호 >= 00010 AND (소재지 도로명주소 = x or 위도 > 37)';
  const refused = await json(router, axis + encoded({ where }));
  assert.equal(refused['code'], 'invalid_where');
  assert.deepEqual((refused['errors'] as Answer[])[0]!['suggestions'], ['"소재지 도로명주소"']);
  const written = where.replace('소재지 도로명주소', '"소재지 도로명주소"');
  const answer = await json(router, axis + encoded({ where: written, limit: 500 }));
  assert.equal(answer['where'], '관리번호 >= 00010 and ("소재지 도로명주소" = x or 위도 > 37)');
  assert.ok(answer.items.length > 10 && answer.items.length === answer['total']);
  assert.ok(
    answer.items.every((row) => String(row['관리번호']) >= '00010' && Number(row['위도']) > 37),
  );
});

test('where, region, search and order work together', async () => {
  const { router } = setUp();
  const parameters = { sido: '서울', q: '강남역', where: '위도 is not null', sort: '-관리번호' };
  const answer = await json(router, axis + encoded(parameters));
  const numbers = answer.items.map((row) => String(row['관리번호']));
  assert.ok(numbers.length > 3);
  assert.deepEqual(numbers, numbers.toSorted().reverse());
  assert.ok(answer.items.every((row) => String(row['소재지도로명주소']).startsWith('서울')));
  const nowhere = await json(router, axis + encoded({ sido: '서을', where: '위도 > 1' }));
  assert.equal(nowhere['total'], 0);
});

test('an answer about many datasets has the first 1,000 as facets and the number of all', async () => {
  const { router, store } = setUp();
  const codes = Array.from({ length: 1_001 }, (_, at) => `file_${10_000 + at}`);
  const counts = new Uint32Array(codes.length).fill(1);
  counts[1_000] = 2;
  const axes = new AxisCounts(codes, counts, new Uint8Array(codes.length));
  store.search = async () => ({ ...nothingFound, total: 1_002, axes });
  const { facets } = (await json(router, '/api/data/search?q=x')) as Answer & {
    facets: Answer;
  };
  const listed = facets['axis'] as Answer[];
  assert.deepEqual([facets['axisTotal'], listed.length], [1_001, 1_000]);
  assert.deepEqual(
    [listed[0]!['axis'], listed[1]!['axis'], listed[999]!['axis']],
    ['file_11000', 'file_10000', 'file_10998'],
  );
});

test('a search in a region finds its records alone, in every dataset', async () => {
  const { router } = setUp();
  const search = async (parameters: Record<string, string | number>) =>
    json(router, `/api/data/search?limit=200${encoded(parameters)}`);
  const place = { sido: '서울', sigungu: '강남구' };
  const found = await search({ q: '주차장', ...place });
  assert.equal(found['total'], 15);
  assert.deepEqual(found['region'], place);
  assert.ok(Number((await search({ q: '주차장' }))['total']) > 15);
  assert.deepEqual((found['facets'] as Answer)['axis'], [
    { axis: 'file_15012896', title: '전국 주차장 표준데이터', count: 15, relation: 'eq' },
  ]);
  const unknown = await search({ q: '주차장', sido: '강남규' });
  assert.equal(unknown['total'], 0);
  assert.equal((unknown['warnings'] as Answer[])[0]!['code'], 'unknown_region');
  const former = await search({ q: '주차장', sido: '광주광역시' });
  assert.equal((former['warnings'] as Answer[])[0]!['code'], 'former_region');
  const refused = await search({ q: '주차장', sigungu: '강남구' });
  assert.equal(refused['code'], 'missing_parameter');
});

test('the name of a sido in q selects the records that lie there', async () => {
  const { router } = setUp();
  const totalOf = async (parameters: Record<string, string | number>) =>
    (await json(router, axis + encoded({ ...parameters, limit: 0 })))['total'] as number;
  const inSeoul = await totalOf({ sido: '서울' });
  assert.ok(inSeoul > 0);
  assert.equal(await totalOf({ q: '서울시' }), inSeoul);
});

test('cursors of a sorted list cover every record once, forwards and backwards', async () => {
  const { router } = setUp();
  const seen: unknown[] = [];
  let last = '';
  let next: string | null = axis + encoded({ sort: '-위도,주차장명', limit: 7 });
  while (next !== null) {
    last = next;
    const page: Answer = await json(router, last);
    seen.push(...page.items.map((row) => row['관리번호']));
    next = page['next'] as string | null;
    assert.ok(next === null || /[?&]cursor=/.test(next));
  }
  assert.equal(new Set(seen).size, 60);
  assert.equal(seen.length, 60);
  let pages = 0;
  for (let prev: string | null = last; prev !== null; pages++) {
    prev = (await json(router, prev))['prev'] as string | null;
  }
  assert.equal(pages, 9);
});

test('a cursor that was changed, or of another query or snapshot, is 400 stale_cursor', async () => {
  const { router, holder } = setUp();
  const sorted = axis + encoded({ sort: '관리번호', limit: 5 });
  const next = (await json(router, sorted))['next'] as string;
  assert.equal(
    (await json(router, `${next}&where=${encodeURIComponent('위도 > 1')}`))['code'],
    'stale_cursor',
  );
  const changed = next.replace(/cursor=(.)/, (_, first) => `cursor=${first === 'B' ? 'C' : 'B'}`);
  for (const target of [
    changed,
    next.replace(/cursor=/, 'cursor=x'),
    next.replace(/cursor=.*/, 'cursor=1'),
  ]) {
    assert.equal((await json(router, target))['code'], 'stale_cursor', target);
  }
  assert.equal(
    (await json(router, next.replace('sort=', 'fields=0&x=')))['code'],
    'invalid_parameter',
  );
  await holder.replace(fixtureStore('20261122-0001'));
  assert.equal((await json(router, next))['code'], 'stale_cursor');
});

test('select, with and near shape the records in every format', async () => {
  const { router } = setUp();
  const shape = { select: '주차장명,위도', with: 'id,region', near: '37.5,127.0', limit: 1 };
  const names = ['주차장명', '위도', '_distance', '_sido', '_sigungu', '_id'];
  const answer = await json(router, axis + encoded(shape));
  assert.deepEqual(Object.keys(answer.items[0]!), names);
  assert.deepEqual(
    (answer['fields'] as Answer[]).map(({ name }) => name),
    names,
  );
  assert.deepEqual([answer.items[0]!['_distance'], answer.items[0]!['_sigungu']], [0, '11680']);
  const text = async (format: string): Promise<string> =>
    (await request(router, axis + encoded({ ...shape, format, bom: 0 }))).text();
  assert.deepEqual(JSON.parse(await text('ndjson')), answer.items[0]);
  assert.equal((await text('csv')).split('\r\n')[0], names.join());
  const { features } = JSON.parse(await text('geojson')) as { features: Answer[] };
  assert.deepEqual(features[0]!['properties'], answer.items[0]);
  // The longitude is not selected, and the point is there.
  assert.deepEqual(features[0]!['geometry'], { type: 'Point', coordinates: [127, 37.5] });
});

test('faults of select, sort, with, near, bbox and cursor are 400 with a reason', async () => {
  const { router } = setUp();
  const holidays = '/api/data/axis?axis=gen_restdeinfo';
  for (const [target, parameter] of [
    [axis + encoded({ select: '없는이름' }), 'select'],
    [axis + encoded({ select: '_sido' }), 'select'],
    [axis + encoded({ sort: 'a,b,c,d' }), 'sort'],
    [axis + encoded({ sort: '위도,경도,비고,관리번호' }), 'sort'],
    [axis + encoded({ with: 'everything' }), 'with'],
    [axis + encoded({ near: '127.0,37.5' }), 'near'],
    [axis + encoded({ near: 'here' }), 'near'],
    [axis + encoded({ bbox: '127,37,126,38' }), 'bbox'],
    [axis + encoded({ radius: 5 }), 'near'],
    [axis + encoded({ q: '""' }), 'q'],
    [axis + encoded({ cursor: 'x' }), 'cursor'],
    [holidays + encoded({ near: '37.5,127.0' }), 'near'],
    [holidays + encoded({ bbox: '126,37,127,38' }), 'bbox'],
  ] as const) {
    const response = await request(router, target);
    assert.equal(response.status, 400, target);
    const { errors } = (await response.json()) as { errors: { parameter: string }[] };
    assert.equal(errors[0]!.parameter, parameter, target);
  }
  const clamped = await json(
    router,
    axis + encoded({ near: '37.5,127.0', radius: 99_999, sample: 999 }),
  );
  assert.deepEqual(
    (clamped['warnings'] as Answer[]).map(({ code }) => code),
    ['radius_clamped', 'sample_clamped'],
  );
});

test('a sample is one page unless limit makes it several', async () => {
  const { router } = setUp();
  const sampled = async (query: string) => json(router, `${axis}${query}`);
  const whole = await sampled('&sample=50');
  assert.deepEqual([whole['count'], whole['limit'], whole['next']], [50, 50, null]);
  const rows: unknown[] = [];
  for (let next: unknown = `${axis}&sample=50&limit=20`; next !== null;) {
    const page = await json(router, next as string);
    rows.push(...page.items);
    next = page['next'];
  }
  assert.deepEqual(rows, whole.items);
  const tag = async (query: string) => (await request(router, axis + query)).headers.get('etag');
  assert.notEqual(await tag('&sample=50'), await tag('&sample=50&limit=20'));
  assert.equal(await tag('&sample=50'), await tag('&sample=50&limit=50'));
});

test('a long where is 400, and a fault in one is explained in both languages', async () => {
  const { router } = setUp();
  const long = await json(router, axis + encoded({ where: `비고 = ${'x'.repeat(2_000)}` }));
  assert.match(String(long['detail']), /2000/);
  for (const [language, text] of [
    ['ko', /6번째 글자.*숫자/],
    ['en', /character 6: .*a number/],
  ] as const) {
    const headers = { 'accept-language': language };
    const target = axis + encoded({ where: '위도 > 높음' });
    const problem = await json(router, target, { headers });
    assert.equal(problem['code'], 'invalid_where');
    assert.match(String(problem['detail']), text);
    const [error] = problem['errors'] as Answer[];
    assert.deepEqual(
      [error!['position'], error!['expected'], error!['value']],
      [5, ['value'], '높음'],
    );
  }
});

test('values lists distinct values, most first, and counts nulls', async () => {
  const { router } = setUp();
  const target = '/api/data/values?axis=file_15012896&field=위도';
  const answer = await json(router, encodeURI(target));
  const counts = answer.items.map(({ count }) => Number(count));
  assert.deepEqual(
    counts,
    counts.toSorted((a, b) => b - a),
  );
  assert.equal(counts.reduce((sum, one) => sum + one, 0) + Number(answer['nulls']), 60);
  const first = await json(router, encodeURI(`${target}&limit=1`));
  assert.deepEqual([first['count'], first['total']], [1, answer['total']]);
  const regions = await json(router, '/api/data/values?axis=file_15012896&field=_sigungu');
  assert.equal((regions['regions'] as Record<string, string>)['11680'], '서울특별시 강남구');
});

test('groups counts and averages by up to three keys, with having and sort', async () => {
  const { router } = setUp();
  const parameters = {
    by: '_sido,주차장 명',
    agg: 'count, avg(위도),max(위도)',
    having: 'count >= 1 and avg(위도) > 35',
    sort: '-avg(위도),_sido',
    limit: 500,
  };
  const target = `/api/data/groups?axis=file_15012896${encoded(parameters)}`;
  const answer = await json(router, target);
  assert.deepEqual(answer['by'], ['_sido', '주차장 명']);
  assert.deepEqual(answer['agg'], ['count', 'avg(위도)', 'max(위도)']);
  assert.equal(answer['having'], 'count >= 1 and "avg(위도)" > 35');
  const averages = answer.items.map((group) => Number(group['avg(위도)']));
  assert.ok(averages.length > 10 && averages.every((one) => one > 35));
  assert.deepEqual(
    averages,
    averages.toSorted((a, b) => b - a),
  );
  const all = await json(router, '/api/data/groups?axis=file_15012896');
  assert.deepEqual(all.items, [{ count: 60 }]);
});

test('faults of by, agg, having and sort of groups are 400 with the place and suggestions', async () => {
  const { router } = setUp();
  for (const [parameters, parameter, position] of [
    [{ by: 'year(주차장명)' }, 'by', 5],
    [{ by: '위도,경도,비고,관리번호' }, 'by', 9],
    [{ agg: 'sum(주차장명)' }, 'agg', 4],
    [{ agg: 'total(위도)' }, 'agg', 0],
    [{ having: 'sum(위도) > 1' }, 'having', 0],
    [{ having: 'count > 많음' }, 'having', 8],
    [{ having: 'count <> 많음' }, 'having', 9],
    [{ having: 'count in (1, 많음)' }, 'having', 13],
    [{ by: '_sido', sort: '-위도' }, 'sort', 1],
  ] as const) {
    const problem = await json(router, `/api/data/groups?axis=file_15012896${encoded(parameters)}`);
    assert.equal(problem.status, 400);
    const [error] = problem['errors'] as Answer[];
    assert.deepEqual([error!['parameter'], error!['position']], [parameter, position]);
  }
});

test('a record is found by the id that lists and searches give, with its source and citation', async () => {
  const { router } = setUp();
  const listed = (await json(router, `${axis}&with=id&limit=3`)).items[2]!;
  const { _id: id, ...row } = listed;
  const answer = await json(router, `/api/data/record?axis=file_15012896&id=${String(id)}`);
  assert.deepEqual(answer['record'], row);
  assert.match(
    String(answer['citation']),
    /^국토교통부, 「전국 주차장 표준데이터」, 레코드 [0-9a-f]{16}/,
  );
  assert.deepEqual(answer['region'], {
    sido: { code: '26', name: '부산광역시' },
    sigungu: { code: '26110', name: '부산광역시 중구' },
  });
  const missing = await request(router, '/api/data/record?axis=file_15012896&id=0123456789abcdef');
  assert.equal(missing.status, 404);
  assert.equal(
    (await json(router, '/api/data/record?axis=file_15012896&id=x'))['code'],
    'not_found',
  );
});

test('a filter of another dialect is ignored with the where that expresses it, and 400 if strict', async () => {
  const { router } = setUp();
  const target = axis + encoded({ 위도__gt: 37, limit: 0 });
  const response = await request(router, target);
  const { warnings } = (await response.json()) as { warnings: Answer[] };
  assert.deepEqual(warnings, [
    { code: 'filter_ignored', parameter: '위도__gt', where: '위도 > 37' },
  ]);
  const other = await request(router, axis + encoded({ 위도__gt: 36, limit: 0 }));
  assert.notEqual(response.headers.get('etag'), other.headers.get('etag'));
  const strict = await request(router, target, { headers: { prefer: 'handling=strict' } });
  assert.equal(strict.status, 400);
  assert.match(((await strict.json()) as { detail: string }).detail, /where/);
});
