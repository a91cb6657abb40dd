import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCutName, nameColumns, unitOf, unitOfLine } from './column-names.ts';

test('a name of up to 200 characters stays, and a longer one is cut and reported', () => {
  const longest = '가'.repeat(200);
  assert.deepEqual(nameColumns([longest]), { columns: [longest], renamed: [] });
  const cut = `${'가'.repeat(199)}…`;
  const named = nameColumns([`${longest}나`, `${longest}다`, '이름']);
  assert.deepEqual(named, { columns: [cut, `${cut}_2`, '이름'], renamed: [cut, `${cut}_2`] });
  assert.deepEqual(named.columns.map(isCutName), [true, true, false]);
  assert.deepEqual(nameColumns(['😀'.repeat(150)]).columns, [`${'😀'.repeat(99)}…`]);
});

test('a unit is read after any number of blanks and brackets', () => {
  const blanks = ' '.repeat(1_000_000);
  assert.equal(unitOf(`면적(㎡)${blanks}`), '㎡');
  assert.equal(unitOf(`면적(단위 :${blanks}x`), null);
  assert.equal(unitOf('('.repeat(1_000_000)), null);
  assert.equal(unitOfLine(`단위: 천원)${blanks}`), '천원');
  assert.equal(unitOfLine(`단위:x${blanks}y`), null);
});
