import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { utils, write } from '@e965/xlsx';
import fc from 'fast-check';
import { isLongForm } from '../../../test/long-form.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { zipOf } from '../../../test/zip-of.ts';
import type { Row } from '../../data/axis.ts';
import { OpenedSnapshot } from '../../data/snapshot/opened.ts';
import { currentId } from '../../data/snapshot/snapshots.ts';
import { loadFiles } from './load.ts';

/** The columns and cells of each axis after a load of some files, and the findings by kind. */
async function loadTexts(files: Readonly<Record<string, string | Buffer>>) {
  using folder = temporaryFolder();
  const data = join(folder.path, 'var');
  const paths = Object.entries(files).map(([name, content]) => {
    writeFileSync(join(folder.path, name), content);
    return join(folder.path, name);
  });
  const report = await loadFiles(data, paths);
  using opened = OpenedSnapshot.open(data, currentId(data)!);
  const axes = [...opened.axes.keys()].map((code) => {
    const { records } = opened.part(code);
    const rows = JSON.parse(`[${records.page(0, records.count).items.toString()}]`) as Row[];
    const own = rows.map((row) => Object.entries(row).filter(([name]) => /^[가-힣]/.test(name)));
    return {
      columns: own[0]!.map(([name]) => name).join(),
      rows: own.map((row) => row.map(([, value]) => value).join()),
    };
  });
  const found = report.axes.flatMap(({ findings }) => findings);
  return { axes, found: found.map(({ kind, examples }) => [kind, examples[0]?.file]) };
}

test('parts whose first one alone has the header are one table with all their rows', async () => {
  const { axes, found } = await loadTexts({
    '가람시_상가_1.csv': '상호명,주소,면적\n가람,가람로 1,10\n나루,나루로 2,20\n',
    '가람시_상가_2.csv': '다솜,다솜로 3,30\n라온,라온로 4,40\n',
    '가람시_상가_10.csv': '마루,마루로 5,50\n',
  });
  assert.deepEqual(axes, [
    {
      columns: '상호명,주소,면적',
      rows: [
        '가람,가람로 1,10',
        '나루,나루로 2,20',
        '다솜,다솜로 3,30',
        '라온,라온로 4,40',
        '마루,마루로 5,50',
      ],
    },
  ]);
  assert.deepEqual(found, [['column_renamed', '가람시_상가_2.csv']]);
});

test('members of an archive continue a table, too', async () => {
  const members = [
    { name: '상가_1.csv', content: '상호명,면적\n가람,10\n' },
    { name: '상가_2.csv', content: '나루,20\n' },
  ];
  const { axes, found } = await loadTexts({ '가람시_상가.zip': zipOf(members) });
  assert.deepEqual(axes, [{ columns: '상호명,면적', rows: ['가람,10', '나루,20'] }]);
  assert.deepEqual(
    found.map(([kind]) => kind),
    ['column_renamed'],
  );
});

test('workbooks and texts alone continue a table, too', async () => {
  const workbook = utils.book_new();
  utils.book_append_sheet(
    workbook,
    utils.aoa_to_sheet([
      ['다솜', '다솜로 3'],
      ['라온', '라온로 4'],
    ]),
    '현황',
  );
  // The type `buffer` returns a buffer.
  const bytes = write(workbook, { type: 'buffer', bookType: 'xlsx' }) as Buffer;
  const first = utils.book_new();
  utils.book_append_sheet(
    first,
    utils.aoa_to_sheet([
      ['상호명', '주소'],
      ['가람', '가람로 1'],
    ]),
    '현황',
  );
  const { axes } = await loadTexts({
    '가람시_상가_1.xlsx': write(first, { type: 'buffer', bookType: 'xlsx' }) as Buffer,
    '가람시_상가_2.xlsx': bytes,
  });
  assert.deepEqual(axes, [
    { columns: '상호명,주소', rows: ['가람,가람로 1', '다솜,다솜로 3', '라온,라온로 4'] },
  ]);
});

test('a part with a header of other names, or of another width, stays a table of its own', async () => {
  for (const other of [
    '시설명,전화번호\n다솜,02-100-0001\n',
    '다솜,다솜로 3,1\n',
    '연도,건수\n2024,3\n2025,4\n',
  ]) {
    const { axes } = await loadTexts({
      '가람시_상가_1.csv': '상호명,주소\n가람,가람로 1\n나루,나루로 2\n',
      '가람시_상가_2.csv': other,
    });
    assert.equal(axes.length, 2, other);
  }
});

test('of any parts, with and without headers, each row is stored once', async () => {
  const part = fc.record({ rows: fc.integer({ min: 1, max: 4 }), hasHeader: fc.boolean() });
  const property = fc.asyncProperty(
    fc.array(part, { minLength: 1, maxLength: 4 }),
    async (parts) => {
      let count = 0;
      const written: string[] = [];
      const texts = [{ rows: 2, hasHeader: true }, ...parts].map(({ rows, hasHeader }) => {
        const lines = Array.from({ length: rows }, () => `칸${++count},길 ${count},${count * 10}`);
        written.push(...lines);
        return [...(hasHeader ? ['상호명,주소,면적'] : []), ...lines, ''].join('\n');
      });
      const files = texts.map((text, index) => [`가람시_상가_${index + 1}.csv`, text]);
      const { axes } = await loadTexts(Object.fromEntries(files));
      assert.deepEqual(axes, [{ columns: '상호명,주소,면적', rows: written }]);
    },
  );
  await fc.assert(property, { numRuns: isLongForm ? 100 : 6 });
});
