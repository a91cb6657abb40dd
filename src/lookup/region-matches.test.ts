import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testFields } from '../../test/build-axis.ts';
import { parseQuery } from '../data/korean/terms.ts';
import { regionMatches } from './region-matches.ts';

test('a hit by the region of its record names the sido, unless its text does', () => {
  const { terms } = parseQuery('서울');
  const named = regionMatches({ 이름: '공원', 비고: '강남구' }, testFields, terms);
  assert.deepEqual(named, [
    { field: '_sido', label: '시도', snippet: '서울특별시', ranges: [[0, 2]] },
  ]);
  assert.deepEqual(regionMatches({ 이름: '서울숲', 비고: '성동구' }, testFields, terms), []);
});
