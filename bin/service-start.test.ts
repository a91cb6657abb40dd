import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adminPort } from './service-start.ts';

test('the operator’s port is one above PORT, or a free one if there is none above', () => {
  const ports = [3000, 0, 65_535].map((PORT) => adminPort({ PORT, ADMIN_PORT: null }));
  assert.deepEqual(ports, [3001, 0, 0]);
  assert.equal(adminPort({ PORT: 65_535, ADMIN_PORT: 4000 }), 4000);
});
