import assert from 'node:assert/strict';
import { test } from 'node:test';
import { request } from '../../../test/fixtures/inject.ts';
import { checkAnswer, json, setUp } from '../../../test/fixtures/lookup-app.ts';

test('axes are found by the words of their title, code, provider or number, and by origin', async () => {
  const { router } = setUp();
  const codesOf = async (query: string): Promise<unknown> =>
    (await json(router, `/api/axes?${query}`)).items.map(({ code }) => code);
  assert.deepEqual(await codesOf('q=주차'), ['file_15012896']);
  assert.deepEqual(await codesOf('q=국토교통부 전국'), ['file_15012896']);
  assert.deepEqual(await codesOf('q=15012690'), ['gen_restdeinfo']);
  assert.deepEqual(await codesOf('q=public'), ['gen_restdeinfo']);
  assert.deepEqual(await codesOf('origin=sample'), ['gen_restdeinfo']);
  assert.deepEqual(await codesOf('q=주차&origin=sample'), []);
});

test('pages of axes have only the properties named in fields, and link to each other', async () => {
  const { router } = setUp();
  const first = await json(router, '/api/axes?fields=code,rows&limit=1');
  assert.deepEqual(first.items, [{ code: 'file_15012896', rows: 60 }]);
  assert.deepEqual([first['count'], first['total'], first['prev']], [1, 2, null]);
  const next = await json(router, String(first['next']));
  assert.deepEqual(next.items, [{ code: 'gen_restdeinfo', rows: 6 }]);
  assert.equal(next['next'], null);
  const none = await json(router, '/api/axes?limit=0');
  assert.deepEqual([none.items, none['total']], [[], 2]);
});

test('an unknown property in fields is refused with the known ones; pages fit the contract', async () => {
  const { router } = setUp();
  const refused = await request(router, '/api/axes?fields=code,color');
  assert.equal(refused.status, 400);
  assert.match(JSON.stringify(await refused.json()), /titleEn/);
  for (const query of ['?q=없음', '?limit=9999', '?offset=5', '?fields=links', '']) {
    await checkAnswer('axes', await request(router, `/api/axes${query}`));
  }
});

test('the answer without parameters has all axes with every property, and no links to pages', async () => {
  const { router } = setUp();
  const answer = await json(router, '/api/axes');
  assert.deepEqual(Object.keys(answer), ['items', 'count', 'total', 'meta']);
});

test('other requests are answered while the descriptions of all axes are read', async () => {
  const { router } = setUp();
  const answered: string[] = [];
  const send = async (path: string): Promise<void> => {
    assert.equal((await request(router, path)).status, 200);
    answered.push(path);
  };
  await Promise.all([send('/api/axes'), send('/api/axes?offset=1'), send('/api/demand')]);
  assert.equal(answered[0], '/api/demand');
});
