import assert from 'node:assert/strict';
import test from 'node:test';
import { fixtureStore } from '../../../test/fixtures/lookup.ts';
import { hitRow } from './hit-columns.ts';

test('all values of a found record are whole, however long they are', () => {
  const [stored] = [...fixtureStore().axes.values()];
  const text = '긴 설명 '.repeat(10_000);
  const { values } = hitRow({ _id: '0'.repeat(16), 주차장명: '강남역', 비고: text }, stored!, '');
  assert.equal(values, `주차장명: 강남역 · 비고: ${text}`);
});
