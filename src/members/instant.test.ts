import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { instantText } from './instant.ts';

test('every instant of the years 0 to 9999 is written as by Date', () => {
  const moment = fc.oneof(
    fc.integer({ min: -62_167_219_200_000, max: 253_402_300_799_999 }),
    fc.integer({ min: 0, max: 4_102_444_800_000 }),
  );
  fc.assert(
    fc.property(moment, (ms) => {
      assert.equal(instantText(ms), new Date(ms).toISOString());
    }),
  );
});
