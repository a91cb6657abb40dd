import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFieldProfiler } from '../ingest/fields/profiler.ts';
import { csvHead } from './csv.ts';
import { hasKoreanLabel, shownLabel, shownLabelWithUnit } from './shown-label.ts';

test('a field without a known label is shown with its name', () => {
  const columns = ['nx', 'facilityNm', '시설 항목', 'qq(kg)', 'qq(%)', 'ww', 'ww', ''];
  const fields = createFieldProfiler(columns).fields();
  const shown = ['nx', '시설명', '시설 항목', 'qq(kg)', 'qq(%)', 'ww', 'ww', '이름 없는 항목'];
  assert.deepEqual(fields.map(shownLabel), shown);
  assert.equal(fields.filter(hasKoreanLabel).length, 2);
  assert.equal(csvHead(fields.slice(0, 2), 'label'), 'nx,시설명\r\n');
  assert.equal(fields[0]!.label, 'nx 항목', 'The label in the answers is Korean and never empty.');
});

test('a heading of a sheet has the unit of its field once', () => {
  const field = { name: '거래금액(만원)', label: '거래금액', unit: '만원' };
  assert.equal(shownLabelWithUnit(field), '거래금액 (만원)');
  assert.equal(shownLabelWithUnit({ ...field, label: '거래금액(만원)' }), '거래금액(만원)');
  assert.equal(shownLabelWithUnit({ ...field, unit: null }), '거래금액');
});
