import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { AxisSummary } from './packed-description.ts';
import { EqualTexts } from './equal-texts.ts';

test('summaries of two axes share their provider, licence and labels', () => {
  const texts = new EqualTexts();
  const [first, second] = [texts.share(summary('file_1')), texts.share(summary('file_2'))];
  assert.deepEqual(second, summary('file_2'));
  assert.equal(second.axis.provider, first.axis.provider);
  assert.equal(second.axis.license, first.axis.license);
  assert.equal(second.axis.keyFields, first.axis.keyFields);
  assert.equal(second.labels, first.labels);
});

test('axes of one schema with other labels keep their labels', () => {
  const texts = new EqualTexts();
  texts.share(summary('file_1'));
  const other = { ...summary('file_2'), labels: ['이름', '도로명 주소'] };
  assert.deepEqual(texts.share(other).labels, ['이름', '도로명 주소']);
});

function summary(code: string): AxisSummary {
  return {
    axis: {
      code,
      title: '공영 주차장',
      titleEn: null,
      type: 'FILE',
      portalId: null,
      provider: { name: '서울특별시', code: null },
      keyFields: ['번호'],
      origin: 'file',
      sourceModified: null,
      collectedAt: '2026-11-23T00:00:00Z',
      updateCycle: null,
      license: { id: 'kogl-1', name: '공공누리 제1유형', url: null },
      sourceUrl: null,
    },
    rows: 3,
    schemaFingerprint: 'ab'.repeat(32),
    hasCoordinates: false,
    labels: ['이름', '주소'],
  };
}
