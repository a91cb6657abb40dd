import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFieldProfiler } from '../fields/profiler.ts';
import { regionCodeAxis } from './region-codes.ts';

const { axis, columns, publishedFields, rows } = regionCodeAxis('2026-11-21T00:00:00Z');

test('every current sigungu is listed under its sido; abolished ones are not', () => {
  const names = rows.map(([, , sido, , sigungu]) => `${String(sido)} ${String(sigungu)}`);
  assert.ok(names.includes('서울특별시 종로구'));
  assert.ok(names.includes('전남광주통합특별시 목포시'));
  assert.ok(names.includes('인천광역시 영종구'));
  assert.ok(!names.some((name) => name.startsWith('광주광역시') || name.startsWith('강원도 ')));
  assert.equal(new Set(rows.map((row) => row[2])).size, 16);
  assert.ok(rows.every((row) => typeof row[2] === 'string'));
});

test('세종 is listed as a sido without a sigungu', () => {
  const sejong = rows.filter(([, code]) => code === '36110');
  assert.deepEqual(
    sejong.map((row) => row.slice(1)),
    [['36110', '세종특별자치시', null, null]],
  );
});

test('rows are in the order of their codes and numbered', () => {
  assert.deepEqual(
    rows.map(([number]) => number),
    rows.map((_, at) => String(at + 1)),
  );
  const codes = rows.map(([, sido, , sigungu]) => (sido ?? '').slice(0, 2) + (sigungu ?? ''));
  assert.deepEqual(codes, codes.toSorted());
});

test('codes stay text and the regions have their roles', () => {
  const profiler = createFieldProfiler(columns, { publishedFields });
  for (const row of rows) profiler.add(row);
  const roles = profiler.fields().map(({ name, type, role }) => [name, type, role]);
  assert.deepEqual(roles, [
    ['rnum', 'integer', null],
    ['lDongRegnCd', 'string', 'code'],
    ['lDongRegnNm', 'string', 'sido'],
    ['lDongSignguCd', 'string', 'code'],
    ['lDongSignguNm', 'string', 'sigungu'],
  ]);
  assert.deepEqual(axis.keyFields, ['lDongRegnCd', 'lDongSignguCd']);
});
