import assert from 'node:assert/strict';
import test from 'node:test';
import { pageLinks, warningsHeader } from './answers.ts';
import { json, routes, setUp, type Answer } from '../../test/fixtures/lookup-app.ts';
import { request } from '../../test/fixtures/inject.ts';

test('paging covers every record once, in order, by following next and back by prev', async () => {
  const { router } = setUp();
  for (const limit of [1, 7, 20, 60, 61]) {
    const seen: unknown[] = [];
    let target: string | null = `/api/data/axis?axis=file_15012896&limit=${limit}`;
    let last = target;
    while (target !== null) {
      last = target;
      const page: Answer = await json(router, target);
      seen.push(...page.items.map((item) => item['관리번호']));
      target = page['next'] as string | null;
    }
    assert.equal(seen.length, 60);
    assert.equal(new Set(seen).size, 60);
    assert.deepEqual(
      seen,
      seen.toSorted((a, b) => Number(a) - Number(b)),
    );
    let back: string | null = last;
    while (back !== null) back = (await json(router, back))['prev'] as string | null;
  }
});

test('an unknown axis is 400 with near codes on data and fields, and a warning on search', async () => {
  const { router } = setUp();
  const problem = await json(router, '/api/data/axis?axis=file_15012869');
  assert.equal(problem['code'], 'unknown_axis');
  assert.deepEqual(problem['suggestions'], ['file_15012896']);
  assert.equal((await json(router, '/api/data/fields?axis=nix'))['code'], 'unknown_axis');
  const result = await json(router, '/api/data/search?q=주차&axis=nix');
  assert.equal(result['total'], 0);
  assert.equal((result['warnings'] as { code: string }[])[0]!.code, 'unknown_axis');
  assert.equal((await json(router, '/api/data/axis'))['code'], 'missing_parameter');
  assert.equal((await json(router, '/api/data/search?q=%20'))['code'], 'missing_parameter');
});

test('search finds words of every length, with ranges and a link to the record', async () => {
  const { router } = setUp();
  const result = await json(router, '/api/data/search?q=강남역');
  assert.equal(result.items[0]!['title'], '강남역');
  assert.equal(result['total'], 16);
  for (const item of result.items) {
    const [match] = item['matches'] as { snippet: string; ranges: number[][] }[];
    const [start, end] = match!.ranges[0]!;
    assert.equal(match!.snippet.slice(start, end), '강남역');
    const link = (item['links'] as { record: string }).record;
    assert.deepEqual((await json(router, link))['record'], item['record']);
  }
  assert.equal((await json(router, '/api/data/search?q=sk'))['total'], 15);
  assert.equal((await json(router, '/api/data/search?q=강남역&axis=gen_restdeinfo'))['total'], 1);
});

test('a query without hits gets suggestions that have hits', async () => {
  const { router } = setUp();
  for (const [typed, meant] of [
    ['rkdska', '강남'],
    ['주차장은', '주차장'],
    ['ㄱㄴㄱ', '강남구'],
  ] as const) {
    const { suggestions } = await json(router, `/api/data/search?q=${encodeURIComponent(typed)}`);
    assert.ok((suggestions as string[]).includes(meant), typed);
  }
});

test('rewrite=1 searches for the likeliest reading and names it; a query with hits is kept', async () => {
  const { router } = setUp();
  const typed = async (q: string, rest = '&rewrite=1') =>
    json(router, `/api/data/search?q=${encodeURIComponent(q)}${rest}`);
  const slip = await typed('rkdska');
  assert.deepEqual(slip['rewritten'], { from: 'rkdska', to: '강남', reason: 'keyboard' });
  assert.equal(slip['total'], (await typed('강남', ''))['total']);
  assert.equal((await typed('강남'))['rewritten'], null);
  assert.equal((await typed('rkdska', ''))['total'], 0);
  const typo = { from: '강낭역', to: '강남역', reason: 'typo' };
  assert.deepEqual((await typed('강낭역'))['rewritten'], typo);
});

test('a region has rows and shares, a former name only its own rows, an unknown name none', async () => {
  const { router } = setUp();
  const seoul = await json(router, '/api/region?sido=서울');
  assert.equal(seoul.items[0]!['rows'], 30);
  assert.equal(seoul.items[0]!['share'], 0.5);
  const link = (seoul.items[0]!['links'] as { rows: string }).rows;
  assert.equal((await json(router, link))['total'], 30);
  const gwangju = await json(router, '/api/region?sido=광주광역시&sigungu=북구');
  assert.equal(gwangju.items[0]!['rows'], 15);
  assert.equal((gwangju['region'] as Answer)['matchedBy'], 'former_name');
  const unknown = await json(router, '/api/region?sido=없는도');
  assert.deepEqual([unknown['region'], unknown['total']], [null, 0]);
});

test('demand keeps the ranks of the whole list with held=1, gap=1 and paging', async () => {
  const { router } = setUp();
  const ranks = async (query: string) =>
    (await json(router, `/api/demand${query}`)).items.map((item) => item['rank']);
  assert.deepEqual(await ranks(''), [1, 2, 3, 4, 5]);
  assert.deepEqual(await ranks('?held=1'), [1, 3]);
  assert.deepEqual(await ranks('?gap=1'), [2, 4, 5]);
  assert.deepEqual(await ranks('?offset=1&limit=2'), [2, 3]);
  for (const query of ['?held=0', '?held=', '?held=1&gap=1']) {
    assert.equal((await request(router, `/api/demand${query}`)).status, 400);
  }
});

test('every total in stats is the sum of its parts', async () => {
  const { router } = setUp();
  const stats = (await json(router, '/api/stats')) as unknown as Stats;
  const axes = (await json(router, '/api/axes')).items;
  const { fresh, due, stale, unknown, total } = stats.axes;
  assert.equal(total, axes.length);
  assert.equal(fresh + due + stale + unknown, total);
  assert.equal(sum(stats.axes.byOrigin), total);
  assert.equal(sum(stats.rows.byType), stats.rows.total);
  assert.equal(
    axes.reduce((rowsTotal, item) => rowsTotal + Number(item['rows']), 0),
    stats.rows.total,
  );
  assert.equal(sum(stats.catalog.byType), stats.catalog.total);
});

function sum(counts: Record<string, number>): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

interface Stats {
  axes: Record<'fresh' | 'due' | 'stale' | 'unknown' | 'total', number> & {
    byOrigin: Record<string, number>;
  };
  rows: { total: number; byType: Record<string, number> };
  catalog: { total: number; byType: Record<string, number> };
}

test('CSV and NDJSON carry their warnings in an ASCII header', async () => {
  const { router } = setUp();
  const target = '/api/data/axis?axis=file_15012896&sido=아틀란티스&limit=501';
  const { warnings } = (await json(router, target)) as unknown as { warnings: { code: string }[] };
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['limit_clamped', 'unknown_region'],
  );
  for (const format of ['csv', 'ndjson']) {
    const { headers } = await request(router, `${target}&format=${format}`);
    assert.match(headers.get('maru-warnings')!, /^[\x20-\x7e]+$/);
    assert.deepEqual(JSON.parse(headers.get('maru-warnings')!), warnings);
    const exported = await request(router, `/api/export/file_15012896.${format}?head=label`);
    const warned = JSON.parse(exported.headers.get('maru-warnings')!) as { code: string }[];
    assert.equal(warned[0]?.code, 'unknown_parameter');
    await exported.body?.cancel();
  }
  for (const plain of ['&limit=1&format=csv', '&limit=501', '&limit=501&format=geojson']) {
    const { headers } = await request(router, `/api/data/axis?axis=file_15012896${plain}`);
    assert.equal(headers.get('maru-warnings'), null, plain);
  }
});

test('warnings that are too long for a header are reduced to their codes', () => {
  const code = 'unknown_region';
  const room = 4096 - JSON.stringify([{ code, sido: '' }]).length;
  const whole = warningsHeader([{ code, sido: 'x'.repeat(room) }])['Maru-Warnings']!;
  assert.equal(whole.length, 4096);
  assert.deepEqual(warningsHeader([{ code, sido: 'x'.repeat(room + 1) }]), {
    'Maru-Warnings': '[{"code":"unknown_region"}]',
  });
});

test('CSV, NDJSON and GeoJSON have the same rows as JSON', async () => {
  const { router } = setUp();
  const target = '/api/data/axis?axis=file_15012896&limit=8';
  const expected = (await json(router, target)).items;
  const ndjson = await request(router, target, { headers: { accept: 'application/x-ndjson' } });
  assert.match(ndjson.headers.get('content-type')!, /ndjson/);
  const text = await ndjson.text();
  assert.deepEqual(
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Answer),
    expected,
  );
  const csv = await request(router, `${target}&format=csv&header=label`);
  const table = Buffer.from(await csv.arrayBuffer()).toString();
  assert.ok(table.startsWith('\uFEFF관리번호,주차장명,소재지 도로명주소'));
  assert.match(csv.headers.get('content-disposition')!, /filename\*=UTF-8''%EC/);
  const plain = Buffer.from(
    await (await request(router, `${target}&format=csv&bom=0`)).arrayBuffer(),
  );
  assert.notEqual(plain[0], 0xef);
  const geo = (await json(router, `${target}&format=geojson`)) as unknown as {
    features: { geometry: unknown; properties: unknown }[];
  };
  assert.equal(geo.features[0]!.geometry, null);
  assert.deepEqual(geo.features[1]!.geometry, { type: 'Point', coordinates: [126.98, 37.6] });
  assert.deepEqual(
    geo.features.map(({ properties }) => properties),
    expected,
  );
  const clamped = await json(router, `${target}01&format=geojson`);
  assert.equal((clamped['warnings'] as Answer[])[0]!['code'], 'limit_clamped');
  assert.equal(
    (await request(router, '/api/data/axis?axis=gen_restdeinfo&format=geojson')).status,
    400,
  );
});

function target(changes?: object): string {
  return `/x?${JSON.stringify(changes)}`;
}

test('with a lower bound as total, next goes on past it and there is no last link', () => {
  const place = { limit: 20, total: 10_000, totalRelation: 'gte' } as const;
  const full = pageLinks({ target }, { ...place, offset: 10_040, count: 20 });
  assert.equal(full.next, '/x?{"offset":10060}');
  assert.equal(full.prev, '/x?{"offset":10020}');
  assert.equal(full.headers['X-Total-Count'], undefined);
  assert.doesNotMatch(full.headers['Link']!, /rel="last"/);
  const short = pageLinks({ target }, { ...place, offset: 10_040, count: 19 });
  assert.equal(short.next, null);
});

test('the seventeenth term is dropped with a warning that names it', async () => {
  const { router } = setUp();
  const words = Array.from({ length: 17 }, (_, index) => `말${index}`);
  for (const path of ['/api/data/search', '/api/catalog/search']) {
    const fits = await json(router, `${path}?q=${encodeURIComponent(words.slice(1).join(' '))}`);
    assert.equal(fits['warnings'], undefined);
    const over = await json(router, `${path}?q=${encodeURIComponent(words.join(' '))}`);
    assert.deepEqual(over['warnings'], [
      { code: 'terms_dropped', parameter: 'q', used: 16, dropped: ['말16'] },
    ]);
  }
});

test('fewer than ten entries of the catalog are followed by near ones on the first page', async () => {
  const { router } = setUp();
  const search = (query: string) => json(router, `/api/catalog/search?${query}`);
  const partly = await search('q=주차장 낙타&rewrite=1');
  assert.deepEqual([partly['total'], partly['rewritten']], [0, null]);
  assert.deepEqual(partly['suggestions'], ['주차장']);
  const titles = ['전국주차장표준데이터', '주차장 파일'];
  assert.deepEqual(
    (partly['near'] as { title: string }[]).map(({ title }) => title),
    titles,
  );
  const selected = await search('q=주차장 낙타&select=title');
  assert.deepEqual(
    selected['near'],
    titles.map((title) => ({ title })),
  );
  assert.deepEqual((await search('q=주차장 낙타&offset=1'))['near'], []);
  assert.deepEqual((await search('q=주차장 낙타&type=LINKED'))['near'], []);
  assert.deepEqual((await search('limit=1'))['near'], []);
});

test('an unknown path gets the nearest path of the contract as a suggestion', async () => {
  const { router } = setUp();
  const { suggestions } = await json(router, '/api/exports/file');
  assert.deepEqual(suggestions, ['/api/export/{file}']);
});

test('a format parameter with a percent-encoded name decides before Accept', async () => {
  const { router } = setUp();
  const target = '/api/data/axis?axis=file_15012896&form%61t=csv';
  const answer = await request(router, target, { headers: { accept: 'application/x-ndjson' } });
  assert.match(answer.headers.get('content-type')!, /^text\/csv/);
});

test('a former region has a notice with the current ones, on regions and on rows', async () => {
  const { router } = setUp();
  const notice = async (query: string) =>
    (await json(router, `/api/region?${query}`))['notices'] as Record<string, unknown>[];
  const [divided, ...others] = await notice('sido=인천&sigungu=중구');
  assert.deepEqual(divided?.['now'], ['제물포구', '영종구']);
  assert.equal(divided?.['divided'], true);
  assert.deepEqual(others, []);
  const [merged] = await notice('sido=광주광역시');
  assert.deepEqual([merged?.['now'], merged?.['divided']], [['전남광주통합특별시'], false]);
  const rows = await json(router, '/api/data/axis?axis=file_15012896&sido=인천&sigungu=중구');
  assert.deepEqual(rows['warnings'], [divided]);
  const living = await json(router, '/api/data/axis?axis=file_15012896&sido=서울');
  assert.equal(living['warnings'], undefined);
});

test('an unknown region gets suggestions from either half of its name', async () => {
  const { router } = setUp();
  for (const [query, meant] of [
    ['sido=서울&sigungu=해운대구', '부산광역시 해운대구'],
    ['sido=Seoul', '서울특별시'],
    ['sido=전남&sigungu=북구', '전남광주통합특별시 북구'],
  ] as const) {
    const [warning] = (await json(router, `/api/region?${query}`))['warnings'] as Answer[];
    assert.ok((warning!['suggestions'] as string[]).includes(meant), meant);
  }
});

test('If-Modified-Since gives 304 only for the exact date and without a tag', async () => {
  const { router } = setUp();
  const target = '/api/data/axis?axis=file_15012896';
  const modified = (await request(router, target)).headers.get('last-modified')!;
  const status = async (headers: Record<string, string>) =>
    (await request(router, target, { headers })).status;
  assert.equal(await status({ 'if-modified-since': modified }), 304);
  assert.equal(await status({ 'if-modified-since': 'Sat, 01 Jan 2000 00:00:00 GMT' }), 200);
  assert.equal(await status({ 'if-modified-since': 'yesterday' }), 200);
  // After a rollback a client may have data that is newer than the server's, and different.
  assert.equal(await status({ 'if-modified-since': 'Sat, 01 Jan 2050 00:00:00 GMT' }), 200);
  assert.equal(await status({ 'if-modified-since': modified, 'if-none-match': '"x"' }), 200);
});

test('every endpoint has Last-Modified, a daily one not before midnight in Seoul', async () => {
  const { router } = setUp('2026-11-23');
  for (const [name, row] of routes) {
    const { target } = row.examples![0]!;
    const path = target.replace('{axis}', 'file_15012896');
    const modified = (await request(router, path)).headers.get('last-modified');
    const midnight = 'Sun, 22 Nov 2026 15:00:00 GMT';
    assert.equal(modified, row.cache === 'day' ? midnight : 'Sat, 21 Nov 2026 01:02:03 GMT', name);
    const again = await request(router, path, { headers: { 'if-modified-since': modified } });
    assert.equal(again.status, row.cache === 'day' ? 200 : 304, name);
  }
});

test('a path in EUC-KR gets its UTF-8 form as advice', async () => {
  const { router } = setUp();
  const problem = await json(router, '/api/export/%BA%B4%BF%F8.csv');
  assert.equal(problem['use'], `/api/export/${encodeURIComponent('병원')}.csv`);
});

test('an export varies by Prefer, and by Accept-Encoding if it is text', async () => {
  const { router } = setUp();
  for (const [format, vary] of [
    ['csv', 'Accept-Encoding, Prefer'],
    ['xlsx', 'Prefer'],
  ]) {
    const answer = await request(router, `/api/export/file_15012896.${format}`);
    assert.equal(answer.headers.get('vary'), vary);
    await answer.arrayBuffer();
  }
});
