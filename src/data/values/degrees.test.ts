import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readDegrees } from './degrees.ts';

test('degrees with minutes and seconds are read in every spelling', () => {
  const expected = 37 + 33 / 60 + 36 / 3600;
  const spellings = [
    '37°33\'36"N',
    '37° 33′ 36″',
    'N37°33\'36"',
    '37도 33분 36초',
    '북위 37도33분36초',
    '37-33-36',
    '37:33:36.0',
    '37 33 36',
    "37°33'36''",
    "37°33.6'",
  ];
  for (const text of spellings) {
    assert.ok(Math.abs((readDegrees(text) ?? NaN) - expected) < 1e-9, text);
  }
  assert.equal(readDegrees("33°30'S"), -33.5);
  for (const text of ['37.56', '37', '37-61-00', '2024-03-05', '02-123-4567', '37-33-36-1', '']) {
    assert.equal(readDegrees(text), null, text);
  }
});

test('degrees, minutes and seconds of any position are read exactly', () => {
  const part = fc.integer({ min: 0, max: 59 });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 179 }), part, part, (degrees, minutes, seconds) => {
      const read = readDegrees(`${degrees}-${minutes}-${seconds}`) ?? NaN;
      assert.ok(Math.abs(read - (degrees + minutes / 60 + seconds / 3600)) < 1e-9);
    }),
  );
});
