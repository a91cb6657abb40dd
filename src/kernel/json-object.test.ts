import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isObject, parseObject } from './json-object.ts';

test('a list, null and a text are not objects', () => {
  assert.ok(isObject({}));
  for (const other of [[], null, undefined, 'a', 1, true]) assert.ok(!isObject(other));
});

test('a text that is not a JSON object is parsed as null', () => {
  assert.deepEqual(parseObject('{"a":[1]}'), { a: [1] });
  for (const text of ['[1]', 'null', '1', '', '{', '<html>']) assert.equal(parseObject(text), null);
});
