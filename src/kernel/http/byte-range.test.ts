import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRange } from './byte-range.ts';

test('a range header selects bytes, nothing, or all of a file by RFC 9110', () => {
  const cases: [string, [number, number] | null][] = [
    ['bytes=0-0', [0, 1]],
    ['bytes=0-99', [0, 10]],
    ['bytes=3-5', [3, 6]],
    ['Bytes = 9- ', [9, 10]],
    ['bytes=-3', [7, 10]],
    ['bytes=-99', [0, 10]],
    ['bytes=99999999999999999999-', [0, 0]],
    ['bytes=10-', [0, 0]],
    ['bytes=-0', [10, 10]],
    ['bytes=5-3', null],
    ['bytes=0-1,3-4', null],
    ['bytes=-', null],
    ['bytes=a-b', null],
    ['lines=0-1', null],
    ['', null],
  ];
  for (const [header, expected] of cases) {
    const range = parseRange(header, 10);
    assert.deepEqual(range === null ? null : [range.start, range.end], expected, header);
  }
});

test('a range header of a million blanks is ignored without matching them', () => {
  assert.equal(parseRange(`bytes=${' '.repeat(1e6)}x`, 10), null);
});
