import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { utils, write, type CellObject } from '@e965/xlsx';
import fc from 'fast-check';
import { isLongForm } from '../../../test/long-form.ts';
import { readWhole } from '../../../test/read-whole.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { zipOf } from '../../../test/zip-of.ts';
import { readSheet } from './xlsx-sheet.ts';

async function readBytes(bytes: Buffer, name = 'a.xlsx') {
  using folder = temporaryFolder();
  const path = join(folder.path, name);
  writeFileSync(path, bytes);
  return await readWhole(path);
}

interface BookParts {
  readonly rows: string;
  readonly strings?: string;
  readonly styles?: string;
  readonly prefix?: string;
  readonly properties?: string;
}

const strict = 'http://purl.oclc.org/ooxml';

/** A workbook in the strict form; `rows` is the XML of its rows. */
function strictWorkbook({
  rows,
  strings = '',
  styles = '',
  prefix = '',
  properties = '',
}: BookParts): Buffer {
  const namespace = `xmlns${prefix === '' ? '' : `:${prefix.slice(0, -1)}`}="${strict}/spreadsheetml/main"`;
  const relation = (id: string, type: string, target: string): string =>
    `<Relationship Id="${id}" Type="${strict}/officeDocument/relationships/${type}" Target="${target}"/>`;
  const parts: Record<string, string> = {
    'xl/workbook.xml': `<${prefix}workbook ${namespace} xmlns:r="${strict}/officeDocument/relationships" conformance="strict"><${prefix}workbookPr ${properties}/><${prefix}sheets><${prefix}sheet name="현황 &amp; 통계" sheetId="1" r:id="rId7"/></${prefix}sheets></${prefix}workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${relation('rId7', 'worksheet', '/xl/worksheets/first.xml')}${relation('rId8', 'sharedStrings', 'texts.xml')}${relation('rId9', 'styles', 'styles.xml')}</Relationships>`,
    'xl/worksheets/first.xml': `<${prefix}worksheet ${namespace}><${prefix}sheetData>${rows}</${prefix}sheetData></${prefix}worksheet>`,
    'xl/texts.xml': `<${prefix}sst ${namespace}>${strings}</${prefix}sst>`,
    'xl/styles.xml': `<${prefix}styleSheet ${namespace}>${styles}</${prefix}styleSheet>`,
  };
  return zipOf(Object.entries(parts).map(([name, content]) => ({ name, content })));
}

test('a strict workbook is read, with its ISO dates, whatever their styles', async () => {
  const strings = ['이름', '날짜', '일시', '시각', '금액', '가람']
    .map((text) => `<x:si><x:t>${text}</x:t></x:si>`)
    .join('');
  const header = [0, 1, 2, 3, 4].map((at) => `<x:c t="s"><x:v>${at}</x:v></x:c>`).join('');
  const days = ['2024-01-31', '2024-01-31T18:31:00.000', '1899-12-30T09:30:00Z']
    .map(
      (day, at) =>
        `<x:c r="${'BCD'[at]}3" ${at === 0 ? 's="1" ' : ''}t="d"><x:v>${day}</x:v></x:c>`,
    )
    .join('');
  const { tables, findings } = await readBytes(
    strictWorkbook({
      prefix: 'x:',
      strings,
      styles: '<x:cellXfs><x:xf numFmtId="0"/><x:xf numFmtId="14"/></x:cellXfs>',
      rows: `<x:row r="2">${header}</x:row><x:row r="3"><x:c r="A3" t="s"><x:v>5</x:v></x:c>${days}<x:c r="E3"><x:v>12.5</x:v></x:c></x:row>`,
    }),
  );
  assert.deepEqual(tables[0]?.section, '현황 & 통계');
  assert.deepEqual(tables[0]?.columns, ['이름', '날짜', '일시', '시각', '금액']);
  assert.deepEqual(tables[0]?.rows, [
    ['가람', '2024-01-31', '2024-01-31T18:31:00', '09:30:00', '12.5'],
  ]);
  assert.deepEqual(tables[0]?.sourceRows, [3]);
  assert.deepEqual(findings, []);
});

test('rich texts, readings, escapes, errors and styles of East Asia are read', async () => {
  const strings =
    '<si><r><t>가</t></r><r><rPr><b/></rPr><t xml:space="preserve">람 &lt;1&gt;</t></r><rPh sb="0" eb="1"><t>ka</t></rPh></si>' +
    '<si/><si><t>둘_x000D_\nA&#44032;<![CDATA[<b>]]></t></si>';
  const cells =
    '<c r="A2" t="s"><v>0</v></c><c r="B2" t="s"><v>1</v></c><c r="C2" t="s"><v>2</v></c>' +
    '<c r="D2" t="b"><v>1</v></c><c r="E2" t="e"><v>#N/A</v></c><c r="F2" s="1"><v>45322</v></c>' +
    '<c r="G2" t="str"><f>"x"</f><v>계산 &amp; 값</v></c>';
  const names = 'ABCDEFG'
    .split('')
    .map((name) => `<c r="${name}1" t="inlineStr"><is><t>열 ${name}</t></is></c>`)
    .join('');
  const { tables } = await readBytes(
    strictWorkbook({
      strings,
      styles: '<cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="31"/></cellXfs>',
      rows: `<row r="1">${names}</row><row r="2">${cells}</row><row r="3"><c r="A3" t="s"><v>0</v></c></row>`,
    }),
  );
  assert.deepEqual(tables[0]?.rows[0], [
    '가람 <1>',
    null,
    '둘\nA가<b>',
    'TRUE',
    '#N/A',
    '2024-01-31',
    '계산 & 값',
  ]);
});

test('whole numbers have the digits that are stored, of any length', async () => {
  const rows = [
    '<c t="str"><v>번호</v></c><c t="str"><v>값</v></c>',
    '<c><v>1234567890123456789</v></c><c><v>1.2345678901234501E+18</v></c>',
    '<c><v>-12345678901234567890</v></c><c><v>0.10000000000000001</v></c>',
  ];
  const { tables } = await readBytes(
    strictWorkbook({ rows: rows.map((cells) => `<row>${cells}</row>`).join('') }),
  );
  assert.deepEqual(tables[0]?.rows, [
    ['1234567890123456789', '1234567890123450000'],
    ['-12345678901234567890', '0.1'],
  ]);
});

test('a cell that refers to a missing text, and a sheet that is missing, are damage', async () => {
  const bytes = strictWorkbook({ rows: '<row><c t="s"><v>3</v></c></row>' });
  await assert.rejects(readBytes(bytes), { code: 'damaged' });
  const parts = [
    {
      name: 'xl/workbook.xml',
      content: '<workbook><sheets><sheet name="가"/></sheets></workbook>',
    },
  ];
  await assert.rejects(readBytes(zipOf(parts)), { code: 'damaged' });
});

const text = fc.stringMatching(/^[가-힣a-z<>&"' ]{0,8}$/u);
const cell = fc.oneof(
  text,
  fc.integer(),
  fc.integer().map((value) => value / 1000),
  fc.constant(null),
  fc.boolean(),
  fc.record({
    t: fc.constant('n' as const),
    v: fc.integer({ min: 1, max: 80_000 }),
    z: fc.constantFrom('yyyy-mm-dd', '0000000', '[h]:mm', '0.0%', '#,##0'),
  }),
);

test('a sheet has the same rows as XLSX and as XLS, which another reader reads', async () => {
  const property = fc.asyncProperty(
    fc.array(fc.array(cell, { minLength: 3, maxLength: 5 }), { minLength: 1, maxLength: 6 }),
    async (rows: readonly (readonly (CellObject | string | number | boolean | null)[])[]) => {
      const workbook = utils.book_new();
      const sheet = utils.aoa_to_sheet([['이름', '값', '비고'], ...rows.map((row) => [...row])]);
      utils.book_append_sheet(workbook, sheet, '현황');
      const [xlsx, xls] = await Promise.all(
        (['xlsx', 'xls'] as const).map(async (bookType) => {
          // The type `buffer` returns a buffer.
          const bytes = write(workbook, { type: 'buffer', bookType, bookSST: true }) as Buffer;
          const { tables, findings } = await readBytes(bytes);
          return [tables.map(({ columns, rows: read }) => [columns, read]), findings];
        }),
      );
      assert.deepEqual(xlsx, xls);
    },
  );
  await fc.assert(property, { numRuns: isLongForm ? 2_000 : 60 });
});

test('a sheet is the same in pieces of any length', async () => {
  const xml =
    '<worksheet><cols><col min="1" max="2"/></cols><sheetData><row r="1" spans="1:3"><c r="A1" t="inlineStr"><is><t>가람</t></is></c><c r="B1"/><c r="C1" s="0"><v>3</v></c></row>' +
    '<row r="3"><c><v>1</v></c><c t="str"><v>나&lt;루</v></c></row></sheetData><mergeCells count="1"><mergeCell ref="A1:B2"/></mergeCells><extLst><ext>c</ext></extLst></worksheet>';
  const bytes = Buffer.from(xml);
  const book = { sheets: [], epoch1904: false, strings: [], formats: ['General'] };
  for (let size = 1; size <= bytes.length; size++) {
    const source = {
      name: 'sheet',
      async *open() {
        for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
      },
    };
    const cells = await readSheet(source, book, 100);
    assert.deepEqual(cells?.rows, [['가람', null, '3'], [], ['1', '나<루']], `${size}`);
    assert.deepEqual(cells?.merges, [{ s: { r: 0, c: 0 }, e: { r: 1, c: 1 } }]);
  }
});
