import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import Schema from 'typebox/schema';
import { lookupContract } from '../contract/lookup.ts';
import { problemAnswer } from '../contract/schemas.ts';
import type { Endpoint } from '../kernel/http/endpoint.ts';
import { createFront } from '../kernel/http/front.ts';
import type { App } from '../kernel/http/route.ts';
import { silentLog } from '../kernel/log.ts';
import { createLookupApp } from './app.ts';
import { StoreHolder } from './current-store.ts';
import { fixtureStore, fixtureToday } from './fixture.ts';
import type { MemoryStore } from './store/memory.ts';

const rows: readonly [string, Endpoint][] = Object.entries<Endpoint>(lookupContract);
const checks = new Map(rows.map(([name, row]) => [name, Schema.Compile(closed(row.response))]));
const problemCheck = Schema.Compile(closed(problemAnswer));

/** Tests refuse members the contract does not name; callers must not. */
function closed(schema: object): object {
  return JSON.parse(JSON.stringify(schema), (_, value: unknown) =>
    isObjectSchema(value) ? { ...value, additionalProperties: false } : value,
  ) as object;
}

function isObjectSchema(value: unknown): value is object {
  return (
    typeof value === 'object' &&
    value !== null &&
    'type' in value &&
    value.type === 'object' &&
    'properties' in value
  );
}

function setUp(): { app: App; store: MemoryStore; holder: StoreHolder } {
  const holder = new StoreHolder();
  const store = fixtureStore();
  void holder.replace(store);
  const app = createLookupApp({
    holder,
    settings: { MARU_BASE_URL: null },
    front: createFront(silentLog),
    today: () => fixtureToday,
  });
  return { app, store, holder };
}

async function json(app: App, target: string, init?: RequestInit): Promise<Answer> {
  const response = await app.request(target, init);
  return (await response.json()) as Answer;
}

// Answers are checked against their schemas elsewhere; here tests read what they need.
interface Answer {
  readonly items: readonly Answer[];
  readonly [member: string]: unknown;
}

async function assertSound(name: string, response: Response): Promise<void> {
  assert.ok(response.status < 500, `${name} ${response.status}`);
  const body: unknown = await response.json();
  if (response.status === 200) {
    const [sound, errors] = checks.get(name)!.Errors(body);
    assert.ok(sound, `${name}: ${JSON.stringify(errors.slice(0, 3))}`);
  } else {
    assertProblem(response, body);
  }
}

function assertProblem(response: Response, body: unknown): void {
  assert.match(response.headers.get('content-type') ?? '', /^application\/problem\+json/);
  const [sound, errors] = problemCheck.Errors(body);
  assert.ok(sound, JSON.stringify(errors.slice(0, 3)));
  assert.equal((body as { status: number }).status, response.status);
  assert.equal((body as { requestId: string }).requestId, response.headers.get('x-request-id'));
}

test('every endpoint answers any query without a 5xx and in the shape of its contract', async () => {
  const { app } = setUp();
  const value = fc.oneof(
    fc.constantFrom(
      '',
      '0',
      '1',
      '20',
      '-1',
      '1.5',
      '9999',
      '1e3',
      '99999999999999999999',
      'file_15012896',
      'gen_restdeinfo',
      'json',
      '강남',
      '강남역 주차',
      '서울',
      '종로구',
      'API',
      'std',
      '"',
      '%',
      '\0',
      'ㅅㅇㅅ',
      'rkdska',
      '도서관은',
    ),
    fc.string({ unit: 'binary', maxLength: 30 }),
  );
  const rowNames = fc.constantFrom(...rows);
  const query = rowNames.chain(([name, row]) =>
    fc.tuple(
      fc.constant(name),
      fc.constant(row.path),
      fc.array(
        fc.tuple(
          fc.oneof(
            { weight: 8, arbitrary: fc.constantFrom(...Object.keys(row.parameters), 'limit') },
            { weight: 1, arbitrary: fc.string({ maxLength: 8 }) },
          ),
          value,
        ),
        { maxLength: 5 },
      ),
      fc.boolean(),
    ),
  );
  await fc.assert(
    fc.asyncProperty(query, async ([name, path, pairs, strict]) => {
      // Other formats have their own tests.
      const kept = pairs.filter(([parameter]) => parameter !== 'format');
      const text = kept.map(([parameter, given]) => `${part(parameter)}=${part(given)}`).join('&');
      const headers = strict ? { prefer: 'handling=strict' } : undefined;
      await assertSound(name, await app.request(`${path}?${text}`, headers && { headers }));
    }),
    { numRuns: 600 },
  );
});

function part(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

test('raw bytes of any kind in a query are a 400 or an answer', async () => {
  const { app } = setUp();
  const bytes = fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(bytes, async (codes) => {
      const raw = codes.map((code) => `%${code.toString(16).padStart(2, '0')}`).join('');
      await assertSound('search', await app.request(`/api/data/search?q=${raw}`));
    }),
  );
});

test('bounds: a limit is clamped with a warning, and everything odd is refused', async () => {
  const { app } = setUp();
  const path = '/api/data/axis?axis=file_15012896';
  const clamped = await json(app, `${path}&limit=501`);
  assert.equal(clamped['limit'], 500);
  assert.deepEqual(clamped['warnings'], [
    { code: 'limit_clamped', parameter: 'limit', requested: 501, used: 500 },
  ]);
  const exact = await json(app, `${path}&limit=500`);
  assert.equal(exact['warnings'], undefined);
  const none = await json(app, `${path}&limit=0`);
  assert.deepEqual([none['count'], none['total'], none['next']], [0, 60, null]);
  const past = await json(app, `${path}&offset=100000`);
  assert.deepEqual([past['count'], past['total']], [0, 60]);
  for (const odd of [
    'limit=-1',
    'limit=1.5',
    'limit=',
    'limit=a',
    'limit=1&limit=1',
    'offset=+1',
  ]) {
    const response = await app.request(`${path}&${odd}`);
    assert.equal(response.status, 400, odd);
    assertProblem(response, await response.json());
  }
});

test('paging covers every record once, in order, by following next and back by prev', async () => {
  const { app } = setUp();
  for (const limit of [1, 7, 20, 60, 61]) {
    const seen: unknown[] = [];
    let target: string | null = `/api/data/axis?axis=file_15012896&limit=${limit}`;
    let last = target;
    while (target !== null) {
      last = target;
      const page: Answer = await json(app, target);
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
    while (back !== null) back = (await json(app, back))['prev'] as string | null;
  }
});

test('an unknown axis is 400 with near codes on data and fields, and a warning on search', async () => {
  const { app } = setUp();
  const problem = await json(app, '/api/data/axis?axis=file_15012869');
  assert.equal(problem['code'], 'unknown_axis');
  assert.deepEqual(problem['suggestions'], ['file_15012896']);
  assert.equal((await json(app, '/api/data/fields?axis=nix'))['code'], 'unknown_axis');
  const found = await json(app, '/api/data/search?q=주차&axis=nix');
  assert.equal(found['total'], 0);
  assert.equal((found['warnings'] as { code: string }[])[0]!.code, 'unknown_axis');
  assert.equal((await json(app, '/api/data/axis'))['code'], 'missing_parameter');
  assert.equal((await json(app, '/api/data/search?q=%20'))['code'], 'missing_parameter');
});

test('unknown parameters warn, and refuse under strict handling, with the name that was meant', async () => {
  const { app } = setUp();
  const warned = await json(app, '/api/demand?limt=3');
  assert.deepEqual(warned['warnings'], [
    { code: 'unknown_parameter', parameter: 'limt', suggestion: 'limit' },
  ]);
  const refused = await app.request('/api/demand?limt=3', {
    headers: { prefer: 'handling=strict', 'accept-language': 'en' },
  });
  assert.equal(refused.status, 400);
  assert.match(await refused.text(), /Did you mean limit\?/);
});

test('errors are Korean, or English where English is preferred', async () => {
  const { app } = setUp();
  const korean = await app.request('/api/region');
  assert.equal(korean.headers.get('content-language'), 'ko');
  assert.match(await korean.text(), /필수/);
  const english = await app.request('/api/region', {
    headers: { 'accept-language': 'en-US,en;q=0.9,ko;q=0.1' },
  });
  assert.match(await english.text(), /Missing parameter/);
});

test('EUC-KR in a query is named as such, with the UTF-8 address to use', async () => {
  const { app } = setUp();
  const problem = await json(app, '/api/data/search?limit=3&q=%BA%B4%BF%F8');
  assert.equal(problem['code'], 'invalid_parameter');
  assert.equal(problem['use'], `/api/data/search?limit=3&q=${encodeURIComponent('병원')}`);
  assert.match(String(problem['detail']), /EUC-KR/);
});

test('other methods are 405 with Allow, OPTIONS and HEAD answer, other paths are 404', async () => {
  const { app } = setUp();
  for (const [, { path }] of rows) {
    const refused = await app.request(path, { method: 'POST', body: '{}' });
    assert.equal(refused.status, 405);
    assert.equal(refused.headers.get('allow'), 'GET, HEAD, OPTIONS');
    assertProblem(refused, await refused.json());
    const options = await app.request(path, { method: 'OPTIONS' });
    assert.equal(options.status, 204);
    assert.equal(options.headers.get('access-control-allow-origin'), '*');
  }
  const head = await app.request('/api/axes', { method: 'HEAD' });
  const get = await app.request('/api/axes');
  assert.equal(await head.text(), '');
  assert.equal(head.headers.get('etag'), get.headers.get('etag'));
  assert.equal(head.headers.get('content-length'), String((await get.arrayBuffer()).byteLength));
  const missing = await app.request('/api/axis');
  assert.equal(missing.status, 404);
  assert.deepEqual(((await missing.json()) as Answer)['suggestions'], ['/api/axes']);
});

test('headers of a good answer', async () => {
  const { app } = setUp();
  const response = await app.request('/api/data/axis?axis=file_15012896&offset=20', {
    headers: { 'x-request-id': 'mine-1' },
  });
  const { headers } = response;
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
  assert.match(headers.get('etag') ?? '', /^"[\w-]{22}"$/);
  assert.equal(headers.get('last-modified'), 'Sat, 21 Nov 2026 01:02:03 GMT');
  assert.equal(headers.get('cache-control'), 'public, max-age=60, stale-while-revalidate=600');
  assert.equal(headers.get('x-total-count'), '60');
  assert.equal(headers.get('x-request-id'), 'mine-1');
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/);
  assert.match(headers.get('server-timing') ?? '', /^total;dur=\d/);
  assert.match(headers.get('link') ?? '', /rel="next".*rel="last"/);
  assert.equal(
    headers.get('access-control-expose-headers'),
    'Link, ETag, X-Request-Id, X-Total-Count',
  );
});

test('a wild request id is replaced', async () => {
  const { app } = setUp();
  for (const id of ['a b', 'x'.repeat(65), '<script>']) {
    const response = await app.request('/api/axes', { headers: { 'x-request-id': id } });
    assert.notEqual(response.headers.get('x-request-id'), id);
  }
});

test('a tag the client holds gives 304 without a body and without asking the store', async () => {
  const { app, store } = setUp();
  const target = '/api/data/axis?axis=file_15012896';
  const first = await app.request(target);
  const tag = first.headers.get('etag')!;
  const before = store.questions;
  for (const held of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
    const response = await app.request(target, { headers: { 'if-none-match': held } });
    assert.equal(response.status, 304, held);
    assert.equal(await response.text(), '');
    assert.equal(response.headers.get('etag'), tag);
  }
  assert.equal(store.questions, before);
  const other = await app.request(target, { headers: { 'if-none-match': '"other"' } });
  assert.equal(other.status, 200);
  const refused = await app.request('/api/data/axis?axis=nix', {
    headers: { 'if-none-match': '*' },
  });
  assert.equal(refused.status, 400);
});

test('equal questions have equal tags and bytes, other bytes have other tags', async () => {
  const { app } = setUp();
  const targets = [
    '/api/data/axis?axis=file_15012896',
    '/api/data/axis?limit=20&axis=file_15012896&offset=0',
    '/api/data/axis?axis=file_15012896&limit=10',
    '/api/data/axis?axis=file_15012896&fields=0',
    '/api/data/axis?axis=file_15012896&format=csv',
    '/api/data/axis?axis=file_15012896&format=ndjson',
    '/api/data/axis?axis=file_15012896&x=1',
    '/api/data/axis?axis=gen_restdeinfo',
    '/api/data/search?q=강남',
    '/api/data/search?q=%20%EA%B0%95%EB%82%A8%20',
    '/api/axes',
    '/api/stats',
  ];
  const tagByBody = new Map<string, string>();
  const bodyByTag = new Map<string, string>();
  for (const target of targets) {
    for (const coding of ['identity', 'gzip', 'br', 'zstd']) {
      const response = await app.request(target, { headers: { 'accept-encoding': coding } });
      const body = Buffer.from(await response.arrayBuffer()).toString('latin1');
      const tag = response.headers.get('etag')!;
      assert.equal(bodyByTag.get(tag) ?? body, body, `${target} ${coding}`);
      assert.equal(tagByBody.get(body) ?? tag, tag, `${target} ${coding}`);
      bodyByTag.set(tag, body);
      tagByBody.set(body, tag);
    }
  }
  assert.equal(bodyByTag.size, tagByBody.size);
});

test('another snapshot has other tags, and the old store closes after its last request', async () => {
  const { app, store, holder } = setUp();
  const before = (await app.request('/api/axes')).headers.get('etag');
  const lease = holder.current()!;
  const closed = holder.replace(fixtureStore('20261122-0001'));
  assert.notEqual((await app.request('/api/axes')).headers.get('etag'), before);
  assert.equal(store.disposed, false);
  lease.release();
  lease.release();
  await closed;
  assert.equal(store.disposed, true);
});

test('without a snapshot data is 503 with Retry-After, and the process still lives', async () => {
  const holder = new StoreHolder();
  const front = createFront(silentLog);
  const app = createLookupApp({ holder, settings: { MARU_BASE_URL: null }, front });
  const asked = { rows: '?axis=x', fields: '?axis=x', search: '?q=x', region: '?sido=x' };
  for (const [name, { path }] of rows) {
    const response = await app.request(path + (asked[name as keyof typeof asked] ?? ''));
    assert.equal(response.status, 503, name);
    assert.ok(response.headers.get('retry-after'));
    assertProblem(response, await response.json());
  }
  assert.equal((await app.request('/healthz')).status, 200);
  assert.equal((await app.request('/readyz')).status, 503);
  assert.equal((await app.request('/openapi.json')).status, 200);
});

test('search finds words of every length, says where, and links the record', async () => {
  const { app } = setUp();
  const found = await json(app, '/api/data/search?q=강남역');
  assert.equal(found.items[0]!['title'], '강남역');
  assert.equal(found['total'], 16);
  for (const item of found.items) {
    const [match] = item['matches'] as { snippet: string; ranges: number[][] }[];
    const [start, end] = match!.ranges[0]!;
    assert.equal(match!.snippet.slice(start, end), '강남역');
    const link = (item['links'] as { record: string }).record;
    assert.deepEqual((await json(app, link)).items, [item['record']]);
  }
  assert.equal((await json(app, '/api/data/search?q=sk'))['total'], 15);
  assert.equal((await json(app, '/api/data/search?q=강남역&axis=gen_restdeinfo'))['total'], 1);
});

test('a question that finds nothing gets suggestions that find something', async () => {
  const { app } = setUp();
  for (const [asked, meant] of [
    ['rkdska', '강남'],
    ['주차장은', '주차장'],
    ['ㄱㄴㄱ', '강남구'],
  ] as const) {
    const { suggestions } = await json(app, `/api/data/search?q=${encodeURIComponent(asked)}`);
    assert.ok((suggestions as string[]).includes(meant), asked);
  }
});

test('region: counts, shares and former names that sum their own part', async () => {
  const { app } = setUp();
  const seoul = await json(app, '/api/region?sido=서울');
  assert.equal(seoul.items[0]!['rows'], 30);
  assert.equal(seoul.items[0]!['share'], 0.5);
  const link = (seoul.items[0]!['links'] as { rows: string }).rows;
  assert.equal((await json(app, link))['total'], 30);
  const gwangju = await json(app, '/api/region?sido=광주광역시&sigungu=북구');
  assert.equal(gwangju.items[0]!['rows'], 15);
  assert.equal((gwangju['region'] as Answer)['matchedBy'], 'former_name');
  const unknown = await json(app, '/api/region?sido=없는도');
  assert.deepEqual([unknown['region'], unknown['total']], [null, 0]);
});

test('demand keeps ranks under held=1 and lists the gaps', async () => {
  const { app } = setUp();
  const ranks = async (query: string) =>
    (await json(app, `/api/demand${query}`)).items.map((item) => item['rank']);
  assert.deepEqual(await ranks(''), [1, 2, 3, 4, 5]);
  assert.deepEqual(await ranks('?held=1'), [1, 3]);
  assert.deepEqual(await ranks('?gap=1'), [2, 4, 5]);
  assert.deepEqual(await ranks('?offset=1&limit=2'), [2, 3]);
  for (const query of ['?held=0', '?held=', '?held=1&gap=1']) {
    assert.equal((await app.request(`/api/demand${query}`)).status, 400);
  }
});

test('the numbers of stats add up', async () => {
  const { app } = setUp();
  const stats = (await json(app, '/api/stats')) as unknown as Stats;
  const axes = (await json(app, '/api/axes')).items;
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

test('the same rows as CSV, NDJSON and GeoJSON', async () => {
  const { app } = setUp();
  const target = '/api/data/axis?axis=file_15012896&limit=8';
  const expected = (await json(app, target)).items;
  const ndjson = await app.request(target, { headers: { accept: 'application/x-ndjson' } });
  assert.match(ndjson.headers.get('content-type')!, /ndjson/);
  const text = await ndjson.text();
  assert.deepEqual(
    text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Answer),
    expected,
  );
  const csv = await app.request(`${target}&format=csv&header=label`);
  const table = Buffer.from(await csv.arrayBuffer()).toString();
  assert.ok(table.startsWith('\uFEFF관리번호,주차장명,소재지 도로명주소'));
  assert.match(csv.headers.get('content-disposition')!, /filename\*=UTF-8''%EC/);
  const plain = Buffer.from(await (await app.request(`${target}&format=csv&bom=0`)).arrayBuffer());
  assert.notEqual(plain[0], 0xef);
  const geo = (await json(app, `${target}&format=geojson`)) as unknown as {
    features: { geometry: unknown; properties: unknown }[];
  };
  assert.equal(geo.features[0]!.geometry, null);
  assert.deepEqual(geo.features[1]!.geometry, { type: 'Point', coordinates: [126.98, 37.6] });
  assert.deepEqual(
    geo.features.map(({ properties }) => properties),
    expected,
  );
  assert.equal(
    (await app.request('/api/data/axis?axis=gen_restdeinfo&format=geojson')).status,
    400,
  );
});

test('the description names the held codes and every path', async () => {
  const { app } = setUp();
  const description = (await json(app, '/openapi.json')) as unknown as {
    openapi: string;
    info: { version: string };
    paths: Record<string, { get: { parameters: { name: string; schema: { enum?: string[] } }[] } }>;
  };
  assert.equal(description.openapi, '3.1.0');
  assert.equal(description.info.version, '1.0.0');
  assert.deepEqual(
    Object.keys(description.paths).filter((path) => !path.includes('export')),
    rows.map(([, { path }]) => path),
  );
  const axis = description.paths['/api/data/axis']!.get.parameters.find(
    ({ name }) => name === 'axis',
  );
  assert.deepEqual(axis?.schema.enum, ['file_15012896', 'gen_restdeinfo']);
});
