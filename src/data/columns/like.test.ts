import assert from 'node:assert/strict';
import { test } from 'node:test';
import { likeTest } from './like.ts';

for (const [pattern, text, isMatch] of [
  ['%공휴일%', '평일+공휴일', true],
  ['서울%', '서울역', true],
  ['서울%', '북서울', false],
  ['%역', '서울역', true],
  ['_울', '서울', true],
  ['__', '서울역', false],
  ['서%역%구', '서울역 중구', true],
  ['ＳＫ%', 'sk텔레콤', true],
  ['100\\%', '100%', true],
  ['100\\%', '1000', false],
  ['_', '😀', true],
  ['', '', true],
  ['%', '', true],
  ['a%a', 'a', false],
] as const) {
  test(`${pattern} ${isMatch ? 'matches' : 'does not match'} ${text}`, () => {
    assert.equal(likeTest(pattern)(text), isMatch);
  });
}

test('a pattern with 500 wildcards is matched against a long text in linear time', () => {
  const isMatch = likeTest('%a'.repeat(500) + 'b');
  const started = performance.now();
  assert.equal(isMatch('a'.repeat(5000)), false);
  assert.ok(performance.now() - started < 2000);
});
