import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isObject, parseObject } from './json-object.ts';

test('an object is neither a list nor null nor a text', () => {
  assert.ok(isObject({}));
  for (const other of [[], null, undefined, 'a', 1, true]) assert.ok(!isObject(other));
});

test('a text that is no object of JSON gives none', () => {
  assert.deepEqual(parseObject('{"a":[1]}'), { a: [1] });
  for (const text of ['[1]', 'null', '1', '', '{', '<html>']) assert.equal(parseObject(text), null);
});
