import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { sha256 } from './sha256.ts';
import { anyText } from '../../test/any-text.ts';

test('sha256 returns the bytes of the digest for any text', () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      assert.deepEqual(sha256(text), createHash('sha256').update(text).digest());
    }),
  );
});
