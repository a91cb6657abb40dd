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

test('an abbreviation has its institution as a synonym and is none of it; former names are', () => {
  assert.deepEqual(synonymsOf('농관원'), ['국립농산물품질관리원']);
  assert.deepEqual(synonymsOf('국립농산물품질관리원'), []);
  assert.ok(synonymsOf('건교부').includes('국토교통부'));
  assert.ok(synonymsOf('국토교통부').includes('건설교통부'));
});
