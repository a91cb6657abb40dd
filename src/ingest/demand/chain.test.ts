import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { computeIndexes } from './chain.ts';
import type { Measurement } from './measurement.ts';
import type { Finding } from '../../data/finding.ts';

/** Measures as the service does: the largest of the batch is 100, five decimals, nothing below a threshold. */
function measure(volumes: readonly (readonly [string, number])[], threshold = 0): Measurement {
  const largest = Math.max(...volumes.map(([, volume]) => volume));
  const groups = volumes.map(([keyword, volume]) => {
    const ratio = Number(((volume / largest) * 100).toFixed(5));
    const peak = ratio > threshold ? ratio : 0;
    return { keyword, sum: peak * 3, peak };
  });
  return { from: '2026-01-01', to: '2026-03-31', timeUnit: 'month', groups };
}

function indices(anchor: string, measurements: readonly Measurement[]) {
  const findings: Finding[] = [];
  const scores = computeIndexes(anchor, measurements, (finding) => findings.push(finding));
  return { scores: Object.fromEntries(scores), findings };
}

test('the index of a keyword is relative to the anchor of its batch, whose index is 100', () => {
  const { scores } = indices('날씨', [
    measure([
      ['날씨', 1000],
      ['주차장', 250],
      ['지도', 4000],
    ]),
  ]);
  assert.deepEqual(scores, { 날씨: 100, 주차장: 25, 지도: 400 });
});

test('a ladder of anchors gives far smaller keywords an index', () => {
  const { scores } = indices('날씨', [
    measure([
      ['날씨', 100_000],
      ['도서관', 10_000],
    ]),
    measure([
      ['도서관', 10_000],
      ['약수터', 1000],
    ]),
    measure([
      ['약수터', 1000],
      ['빗물저금통', 70],
    ]),
  ]);
  assert.deepEqual(scores, { 날씨: 100, 도서관: 10, 약수터: 1, 빗물저금통: 0.07 });
});

test('a reference may have any position in the batch that connects it', () => {
  const { scores } = indices('날씨', [
    measure([
      ['도서관', 50],
      ['날씨', 100],
      ['약수터', 10],
    ]),
  ]);
  assert.deepEqual(scores, { 날씨: 100, 도서관: 50, 약수터: 10 });
});

test('several windows are combined by their geometric mean', () => {
  const { scores } = indices('날씨', [
    measure([
      ['날씨', 100],
      ['축제', 20],
    ]),
    measure([
      ['날씨', 100],
      ['축제', 80],
    ]),
  ]);
  assert.equal(scores['축제'], 40);
});

test('a reference that leaves a keyword visible is preferred to one that is much larger', () => {
  const { scores } = indices('날씨', [
    measure([
      ['날씨', 1_000_000],
      ['약수터', 33],
      ['도서관', 60_000],
    ]),
    measure([
      ['도서관', 60_000],
      ['약수터', 36_000],
    ]),
  ]);
  assert.equal(scores['약수터'], 3.6);
});

test('a keyword that the service does not show is below the resolution, not zero', () => {
  const { scores } = indices('날씨', [
    measure(
      [
        ['날씨', 1000],
        ['희귀말', 1],
      ],
      0.5,
    ),
  ]);
  assert.equal(scores['희귀말'], null);
});

test('a batch whose reference is not visible adds no index', () => {
  const { scores, findings } = indices('날씨', [
    measure([
      ['날씨', 1000],
      ['도서관', 500],
    ]),
    measure(
      [
        ['날씨', 1],
        ['거대한말', 1_000_000],
      ],
      0.5,
    ),
  ]);
  assert.deepEqual(scores, { 날씨: 100, 도서관: 50 });
  assert.deepEqual(
    findings.map(({ kind }) => kind),
    ['keyword_unmeasured'],
  );
});

test('keywords that no measurement connects to the anchor are reported and left out', () => {
  const { scores, findings } = indices('날씨', [
    measure([
      ['날씨', 10],
      ['도서관', 5],
    ]),
    measure([
      ['외딴말', 10],
      ['외딴말의 이웃', 5],
    ]),
  ]);
  assert.deepEqual(Object.keys(scores), ['날씨', '도서관']);
  assert.equal(findings.length, 2);
});

test('any ladder returns the true ratios within the rounding error', () => {
  const volume = fc.integer({ min: 6, max: 95 });
  fc.assert(
    fc.property(fc.array(volume, { minLength: 1, maxLength: 5 }), volume, (steps, last) => {
      let current = 1e12;
      const measurements = steps.map((percent, at) => {
        const next = (current * percent) / 100;
        const batch = measure([
          [`닻${at}`, current],
          [`닻${at + 1}`, next],
        ]);
        current = next;
        return batch;
      });
      const target = (current * last) / 100;
      measurements.push(
        measure([
          [`닻${steps.length}`, current],
          ['말', target],
        ]),
      );
      const index = indices('닻0', measurements).scores['말'];
      assert.ok(typeof index === 'number');
      assert.ok(Math.abs(index / ((target / 1e12) * 100) - 1) < 1e-4);
    }),
  );
});

test('a ladder of 3,000 anchors is indexed', () => {
  const rungs = Array.from({ length: 3_000 }, (_, i) => [`말${i}`, 1000] as const);
  const measurements = rungs.slice(1).map((rung, i) => measure([rung, rungs[i]!]));
  const { scores } = indices('말0', measurements);
  assert.equal(Object.keys(scores).length, 3_000);
  assert.equal(scores['말2999'], 100);
});
