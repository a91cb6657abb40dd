import assert from 'node:assert/strict';
import { test } from 'node:test';
import { synonymsOf } from './synonyms.ts';

test('an English plural has the synonyms of its singular, whatever its ending', () => {
  for (const [plural, singular] of [
    ['vaccines', 'vaccine'],
    ['colleges', 'college'],
    ['hospitals', 'hospital'],
    ['libraries', 'library'],
  ] as const) {
    assert.notDeepEqual(synonymsOf(singular), [], singular);
    assert.deepEqual(synonymsOf(plural), synonymsOf(singular), plural);
  }
  assert.deepEqual(synonymsOf('as'), []);
});
