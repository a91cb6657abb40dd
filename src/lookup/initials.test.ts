import assert from 'node:assert/strict';
import test from 'node:test';
import { fixtureStore } from '../../test/fixtures/lookup.ts';
import { initialsSuggestions } from './initials.ts';

test('initial consonants suggest regions, with 시 added only to cities: 서울시, not 경남시', () => {
  const store = fixtureStore();
  assert.ok(initialsSuggestions('ㅅㅇㅅ', store).includes('서울시'));
  const names = initialsSuggestions('ㄱㄴ', store);
  assert.ok(names.includes('경남'), names.join());
  assert.ok(!initialsSuggestions('ㄱㄴㅅ', store).includes('경남시'));
});
