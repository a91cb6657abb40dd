import assert from 'node:assert/strict';
import test from 'node:test';
import { nearest, nearestFew } from './nearest.ts';

test('a name with one letter added, missing, wrong or swapped with the next is found', () => {
  for (const typed of ['limitt', 'lmit', 'limif', 'limti', 'LIMIT']) {
    assert.equal(nearest(typed, ['offset', 'limit']), 'limit', typed);
  }
});

test('a name that resembles no candidate gives null', () => {
  assert.equal(nearest('zzzzzz', ['offset', 'limit']), null);
  assert.equal(nearest('', ['offset']), null);
});

test('the beginning of a name counts as close, and the closest names are first', () => {
  assert.equal(nearest('gen_rest', ['gen_restdeinfo']), 'gen_restdeinfo');
  const codes = ['file_15012896', 'file_15012869', 'file_15099999'];
  assert.deepEqual(nearestFew('file_15012897', codes, 2), ['file_15012896', 'file_15012869']);
});
