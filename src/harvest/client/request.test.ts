import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestKey } from './request.ts';

test('equal requests have equal keys, whatever the order of their parameters', () => {
  const path = 'host/operation';
  const key = requestKey({ path, parameters: { b: '2', a: '1' } });
  assert.equal(key, requestKey({ path, parameters: { a: '1', b: '2' } }));
  assert.equal(key, 'host/operation?a=1&b=2');
  assert.equal(requestKey({ path, parameters: {} }), path);
  const separatorInValue = requestKey({ path, parameters: { a: '1&b=2' } });
  assert.notEqual(key, separatorInValue);
});
