import assert from 'node:assert/strict';
import test from 'node:test';
import { fixtureStore } from '../../test/fixtures/lookup.ts';
import { isCodeTable } from './code-table.ts';

const [field] = [...fixtureStore().axes.values()][0]!.fields;

function isCodes(labels: readonly string[], rows = 3_000): boolean {
  const stats = { ...field!.stats, distinct: rows };
  const fields = labels.map((label) => ({ ...field!, label, role: null, stats }));
  return isCodeTable({ fields, rows });
}

test('lists of codes of places and of trades are code tables', () => {
  assert.ok(
    isCodes(['법정동코드', '시도명', '시군구명', '읍면동명', '리명', '생성일자', '말소일자']),
  );
  assert.ok(isCodes(['우편번호', '시도', '시군구', '도로명']));
  assert.ok(isCodes(['행정구역코드', '1단계', '2단계', '격자 X', '격자 Y', '경도(초/100)']));
  assert.ok(isCodes(['상권업종대분류코드', '상권업종대분류명']));
});

test('records with a value of their own, and a few records, are no code table', () => {
  assert.ok(!isCodes(['법정동코드', '시군구명', '확진자수']));
  assert.ok(!isCodes(['지역코드', '아파트', '거래금액']));
  assert.ok(!isCodes(['시도명', '시군구명', '주차장명', '관리번호']));
  assert.ok(!isCodes(['시도명', '시군구명', '읍면동명']));
  assert.ok(!isCodes(['법정동코드', '법정동명'], 9));
});
