import assert from 'node:assert/strict';
import test from 'node:test';
import { pathParameters } from './path-parameters.ts';

test('segments are decoded, and a broken % or NUL in one is refused', () => {
  assert.deepEqual(pathParameters('/docs/{name}.md', '/docs/%EC%98%88.md'), { name: '예' });
  for (const part of ['%', '%FF', '%00', 'a%00b']) {
    const read = (): unknown => pathParameters('/api/operators/{name}', `/api/operators/${part}`);
    assert.throws(read, { code: 'bad_request', status: 400 }, part);
  }
});
