import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { createServerContext } from '../kernel/http/server-context.ts';
import { silentLog } from '../kernel/log.ts';
import { createLookupApp } from './app.ts';
import { StoreHolder } from './current-store.ts';
import { assertProblem, checkAnswer, json, routes, setUp } from '../../test/fixtures/lookup-app.ts';
import { request } from '../../test/fixtures/inject.ts';
import { anyText } from '../../test/any-text.ts';
import { exportContract } from '../contract/export-routes.ts';

test('every example of the contract gets a 200 that fits the schema of its endpoint', async () => {
  const { router } = setUp();
  for (const [name, route] of routes) {
    for (const { target } of route.examples!) {
      const response = await request(router, encodeURI(target.replace('{axis}', 'file_15012896')));
      assert.equal(response.status, 200, target);
      const isOwn = target.startsWith(`${route.path}?`) || target === route.path;
      if (isOwn && !target.includes('format=')) await checkAnswer(name, response);
    }
  }
});

test('every endpoint answers any query without a 5xx and as its contract describes', async () => {
  const { router } = setUp();
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
      '주차장명 = 강남 or 위도 > 37',
      "not (비고 like '%a_%' and _sido in (서울, 26))",
      '위도 between 1 and 2',
      '-위도,주차장명',
      'count,avg(위도),distinct(비고)',
      'count > 1',
      '_sigungu,주차장명',
      'region,id',
      '37.5,127.0',
      '126,37,128,38',
    ),
    anyText({ maxLength: 30 }),
  );
  const anyRoute = fc.constantFrom(...routes);
  const query = anyRoute.chain(([name, route]) =>
    fc.tuple(
      fc.constant(name),
      fc.constant(route.path),
      fc.array(
        fc.tuple(
          fc.oneof(
            { weight: 8, arbitrary: fc.constantFrom(...Object.keys(route.parameters), 'limit') },
            { weight: 1, arbitrary: fc.string({ maxLength: 8 }) },
          ),
          value,
        ),
        { maxLength: 6 },
      ),
      fc.boolean(),
    ),
  );
  await fc.assert(
    fc.asyncProperty(query, async ([name, path, pairs, isStrict]) => {
      // Other formats have their own tests.
      const sent = pairs.filter(([parameter]) => parameter !== 'format');
      const text = sent.map(([key, given]) => `${encoded(key)}=${encoded(given)}`).join('&');
      const headers = isStrict ? { prefer: 'handling=strict' } : undefined;
      await checkAnswer(name, await request(router, `${path}?${text}`, headers && { headers }));
    }),
    { numRuns: 600 },
  );
});

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

test('any raw bytes in a query get a 400 or a valid answer', async () => {
  const { router } = setUp();
  const bytes = fc.array(fc.integer({ min: 0, max: 255 }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(bytes, async (codes) => {
      const raw = codes.map((code) => `%${code.toString(16).padStart(2, '0')}`).join('');
      await checkAnswer('search', await request(router, `/api/data/search?q=${raw}`));
    }),
  );
});

test('without a snapshot every endpoint is 503 with Retry-After, and /healthz is 200', async () => {
  const holder = new StoreHolder();
  const router = createLookupApp({
    holder,
    settings: { MARU_BASE_URL: null },
    server: createServerContext(silentLog),
  });
  const queries = {
    rows: '?axis=x',
    fields: '?axis=x',
    changes: '?axis=x',
    values: '?axis=x&field=x',
    groups: '?axis=x',
    record: '?axis=x&id=x',
    search: '?q=x',
    suggest: '?q=x',
    region: '?sido=x',
  };
  for (const [name, { path }] of routes) {
    const response = await request(router, path + (queries[name as keyof typeof queries] ?? ''));
    assert.equal(response.status, 503, name);
    assert.ok(response.headers.get('retry-after'));
    assertProblem(response, await response.json());
  }
  assert.equal((await request(router, '/healthz')).status, 200);
  assert.equal((await request(router, '/readyz')).status, 503);
  assert.equal((await request(router, '/openapi.json')).status, 200);
});

test('the OpenAPI description names the axis codes and every path', async () => {
  const { router } = setUp();
  const description = (await json(router, '/openapi.json')) as unknown as {
    openapi: string;
    info: { version: string };
    paths: Record<string, { get: { parameters: { name: string; schema: { enum?: string[] } }[] } }>;
  };
  assert.equal(description.openapi, '3.1.0');
  assert.equal(description.info.version, '1.0.0');
  assert.deepEqual(
    Object.keys(description.paths).filter((path) => !path.includes('export')),
    routes.map(([, { path }]) => path),
  );
  const axis = description.paths['/api/data/axis']!.get.parameters.find(
    ({ name }) => name === 'axis',
  );
  assert.deepEqual(axis?.schema.enum, ['file_15012896', 'gen_restdeinfo']);
});

test('the OpenAPI description lists the media types and the problems of each path', async () => {
  const { router } = setUp();
  const { paths } = (await json(router, '/openapi.json')) as unknown as {
    paths: Record<
      string,
      {
        get: {
          responses: Record<
            string,
            { content: Record<string, { schema: object }>; 'x-media-types'?: string[] }
          >;
        };
      }
    >;
  };
  const exported = paths['/api/export/{file}']!.get.responses['200']!.content;
  assert.deepEqual(Object.keys(exported), exportContract.export.media);
  const rowsAnswer = paths['/api/data/axis']!.get.responses['200']!;
  assert.deepEqual(Object.keys(rowsAnswer.content), ['application/json']);
  assert.ok(rowsAnswer['x-media-types']!.includes('application/geo+json'));
  for (const { get } of Object.values(paths)) {
    for (const status of ['405', '414', '431', '503']) assert.ok(status in get.responses, status);
  }
  const headers = { accept: 'application/vnd.tableschema+json' };
  const response = await request(router, '/api/data/fields?axis=file_15012896', { headers });
  assert.match(response.headers.get('content-type')!, /^application\/vnd\.tableschema\+json/);
});

test('checkAnswer rejects a key that the contract does not name', async () => {
  const { router } = setUp();
  const answer = await json(router, '/api/stats');
  await assert.rejects(checkAnswer('stats', Response.json({ ...answer, unknownKey: 1 })));
});
