import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GramKey } from './gram.ts';
import { KeyFilter } from './key-filter.ts';

test('a filter has every key that was added, and few others', () => {
  const keys = 20_000;
  const filter = new KeyFilter(new Uint32Array(KeyFilter.bytesFor(keys) / 4));
  for (let at = 0; at < keys; at++) filter.add(keyOf(at).high, keyOf(at).low);
  let others = 0;
  for (let at = 0; at < keys; at++) {
    const { high, low } = keyOf(at);
    assert.ok(filter.mayHave({ high, low }));
    if (filter.mayHave({ high: high ^ 0x1_0000, low })) others++;
  }
  assert.ok(others < keys / 20, `${others}`);
});

/** Keys that are alike: a kind and a unit, then two units. */
function keyOf(at: number): GramKey {
  return { high: 0xac00 + (at % 97), low: ((0xac00 + at) << 16) >>> 0 };
}
