import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { isLongForm } from '../../../test/long-form.ts';
import { readWhole } from '../../../test/read-whole.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';

async function readLines(lines: readonly string[]) {
  using folder = temporaryFolder();
  const path = join(folder.path, 'a.txt');
  writeFileSync(path, `${lines.join('\n')}\n`);
  const { tables, findings } = await readWhole(path);
  assert.equal(tables.length, 1);
  const unclear = findings.filter(({ kind }) => kind === 'layout_unclear');
  return { table: tables[0]!, findings, unclear };
}

const names = ['경로당명', '주소', '회원수'];
const records = [
  ['가람경로당', '가람로 1, 2층', '1,035'],
  ['"나루" 경로당', '나루로 2', '41'],
  ['다솜경로당', '다솜로 3', '28'],
];

test('a table with one cell a line is read with its columns, titles and notes', async () => {
  const lines = ['경로당 목록', '(단위: 명)', '', ...names, ...records.flat(), '※ 매년 조사'];
  const { table, findings } = await readLines(lines);
  assert.deepEqual(table.columns, names);
  assert.deepEqual(table.rows, records);
  assert.deepEqual(table.layout.titleLines, ['경로당 목록', '(단위: 명)']);
  assert.deepEqual(
    findings.map(({ kind, row }) => [kind, row]),
    [['row_note', 16]],
  );
});

test('a blank line is a cell where the width of the records needs one', async () => {
  const [first, second, third] = records;
  const blank = [second![0]!, '', second![2]!];
  const { table } = await readLines([...names, ...first!, ...blank, ...third!]);
  assert.deepEqual(table.rows, [first, [second![0], null, second![2]], third]);
});

function withoutCommas(cell: string): string {
  return cell.replaceAll(',', '');
}

const unclear: readonly (readonly [title: string, lines: readonly string[]])[] = [
  ['a cell is missing', [...names, ...records.flat().map(withoutCommas), '라온경로당', '라온로 4']],
  ['all cells are texts', ['이름', '소속', '가람', '총무과', '나루', '복지과', '다솜', '문화과']],
  ['no name is a common one', ['갑', '을', '가람', '1', '나루', '2', '다솜', '3']],
];

for (const [title, lines] of unclear) {
  test(`a text that may be a table with one cell a line is named where ${title}`, async () => {
    const { table, unclear: found } = await readLines(lines);
    assert.equal(table.columns.length, 1);
    assert.deepEqual([found.length, found[0]?.row], [1, null]);
  });
}

const lists: readonly (readonly [title: string, lines: readonly string[]])[] = [
  ['texts', ['시장명', '가람', '나루', '다솜', '라온', '마루', '바다', '사라', '아라']],
  ['numbers', ['인구수', '1', '2', '3', '4', '-', '6', '7', '8', '9']],
];

for (const [title, lines] of lists) {
  test(`a list of ${title} under one name stays one column without a finding`, async () => {
    const { table, unclear: found } = await readLines(lines);
    assert.deepEqual([table.columns, table.rows.length], [[lines[0]], lines.length - 1]);
    assert.deepEqual(found, []);
  });
}

test('a random table with one cell a line is read to the last cell', async () => {
  const text = fc.constantFrom('가람', '나루, 다솜', '"라온"', '마루 2', 'A-1');
  const value = fc.oneof(fc.nat().map(String), fc.constantFrom('2024-01-01', '1,234', '10:30'));
  const record = fc.tuple(text, value, text, value);
  const property = fc.asyncProperty(
    fc.array(record, { minLength: 3, maxLength: 9 }),
    fc.constantFrom([], ['가람 현황'], ['가람 현황', '']),
    async (rows, titles) => {
      const columns = ['시설명', '정원수', '분류', '기준일자'];
      const { table } = await readLines([...titles, ...columns, ...rows.flat()]);
      assert.deepEqual(table.columns, columns);
      assert.deepEqual(table.rows, rows);
    },
  );
  await fc.assert(property, { numRuns: isLongForm ? 300 : 15 });
});
