import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { request } from '../../../test/fixtures/inject.ts';
import { silentLog } from '../log.ts';
import { Problem } from '../problem.ts';
import { limits } from './limits.ts';
import { readJsonBody, type JsonBodyOptions } from './json-body.ts';
import { closedPolicy } from './response-policy.ts';
import { json } from './result.ts';
import { Router, type Operation } from './router.ts';
import { createServerContext } from './server-context.ts';

async function read(
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = { 'Content-Type': 'application/json' },
  { isArrived = false, ...options }: JsonBodyOptions & { readonly isArrived?: boolean } = {},
): Promise<unknown> {
  const router = new Router(createServerContext(silentLog), closedPolicy);
  let value: unknown;
  const operation: Operation = {
    read: async (context) => {
      if (isArrived) {
        context.incoming.read(0);
        while (context.incoming.readableLength === 0) await nextTurn();
      }
      value = await readJsonBody(context, options).catch((error: unknown) =>
        error instanceof Problem ? error.code : error,
      );
    },
    handle: () => json({}),
  };
  router.add('/', operation, { method: 'POST' });
  await request(router, '/', { method: 'POST', body, headers });
  return value;
}

test('an object in UTF-8 is read, however its charset is spelt', async () => {
  assert.deepEqual(await read('{"이름":"값"}'), { 이름: '값' });
  const type = 'Application/JSON; charset="UTF-8"';
  assert.deepEqual(await read('{}', { 'Content-Type': type }), {});
});

test('a body that is not an object, not JSON or not UTF-8 is malformed', async () => {
  for (const body of ['', '[]', 'null', '1', '"x"', '{', '{"a":1}x', "{'a':1}"]) {
    assert.equal(await read(body), 'malformed_json', body);
  }
  assert.equal(
    await read(Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])),
    'malformed_json',
  );
});

test('a body of another media type or charset, or with a coding, is refused', async () => {
  const refused = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=euc-kr',
    'application/jsonp',
    '',
  ];
  for (const type of refused) {
    assert.equal(await read('{}', { 'Content-Type': type }), 'unsupported_media_type', type);
  }
  const gzip = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' };
  assert.equal(await read('{}', gzip), 'unsupported_media_type');
});

test('a body of the maximum length is read, and one byte more is refused', async () => {
  const fits = `{"a":"${'x'.repeat(limits.bodyBytesMax - 8)}"}`;
  assert.equal(fits.length, limits.bodyBytesMax);
  const headers = { 'Content-Type': 'application/json' };
  for (const isArrived of [false, true]) {
    assert.deepEqual(await read(fits, headers, { isArrived }), JSON.parse(fits));
    assert.equal(await read(`${fits} `, headers, { isArrived }), 'body_too_large');
    const understated = { ...headers, 'Content-Length': '1' };
    assert.equal(await read(`${fits} `, understated, { isArrived }), 'body_too_large');
  }
});

test('a body of eight levels is read; nine levels, or __proto__ anywhere, are refused', async () => {
  assert.equal(typeof (await read(nested(limits.bodyDepthMax))), 'object');
  assert.equal(await read(nested(limits.bodyDepthMax + 1)), 'malformed_json');
  assert.equal(await read('{"__proto__":{"admin":true}}'), 'malformed_json');
  assert.equal(await read('{"a":[{"\\u005f_proto__":1}]}'), 'malformed_json');
  assert.equal(await read('['.repeat(30_000)), 'malformed_json');
});

test('the content of an unchecked name may be nested deeper', async () => {
  const body = `{"extra":${'{"a":'.repeat(20)}1${'}'.repeat(20)}}`;
  assert.equal(await read(body), 'malformed_json');
  const headers = { 'Content-Type': 'application/json' };
  assert.equal(typeof (await read(body, headers, { uncheckedNames: ['extra'] })), 'object');
});

function nested(levels: number): string {
  return `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
}
