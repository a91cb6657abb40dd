import assert from 'node:assert/strict';
import { test } from 'node:test';
import { request } from '../../test/fixtures/inject.ts';
import { json, setUp } from '../../test/fixtures/lookup-app.ts';

test('select leaves the named properties of items, and the rest of the answer as it is', async () => {
  const { router } = setUp();
  for (const [target, select] of lists) {
    const whole = await json(router, target);
    const chosen = await json(router, `${target}&select=${select}`);
    const names = select.split(',');
    assert.ok(chosen.items.length > 0, target);
    const expected = whole.items.map((item) =>
      Object.fromEntries(names.map((name) => [name, item[name]])),
    );
    assert.deepEqual(chosen.items, expected, target);
    assert.equal(chosen['total'], whole['total']);
    assert.deepEqual(Object.keys(chosen.items[0]!), names);
  }
});

test('select names properties that items have, or is refused with those', async () => {
  const { router } = setUp();
  for (const [target] of lists) {
    const response = await request(router, `${target}&select=color`);
    assert.equal(response.status, 400, target);
    const { code, errors } = (await response.json()) as {
      code: string;
      errors: { parameter: string; reason: string }[];
    };
    assert.deepEqual([code, errors[0]!.parameter], ['invalid_parameter', 'select']);
    assert.match(errors[0]!.reason, /쓸 수 있는 항목: \w+/);
  }
});

test('a table schema has no items, and select does not change it', async () => {
  const { router } = setUp();
  const target = '/api/data/fields?axis=gen_restdeinfo&format=tableschema';
  const [whole, chosen] = await Promise.all(
    [target, `${target}&select=name`].map(async (each) => (await request(router, each)).text()),
  );
  assert.equal(chosen, whole);
});

const lists = [
  ['/api/axes?limit=500', 'title,code'],
  ['/api/data/fields?axis=gen_restdeinfo', 'name,label'],
  ['/api/data/search?q=강남', 'axis,title,links'],
  ['/api/catalog/search?limit=3', 'id,title'],
  ['/api/region?sido=서울', 'axis,rows'],
  ['/api/demand?limit=5', 'keyword,rank'],
] as const;
