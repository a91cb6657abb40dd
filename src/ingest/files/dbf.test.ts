import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { dbfOf } from '../../../test/dbf-of.ts';
import { readWhole } from '../../../test/read-whole.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { zipOf } from '../../../test/zip-of.ts';

const fields = [
  { name: iconv.encode('시설명', 'cp949'), type: 'C', width: 20 },
  { name: 'AREA', type: 'N', width: 10, decimals: 2 },
  { name: 'RATE', type: 'F', width: 10 },
  { name: 'OPENED', type: 'D', width: 8 },
  { name: 'FREE', type: 'L', width: 1 },
];
const cells = [iconv.encode('뷁 도서관', 'cp949'), '12.50', '1.5e+01', '20240131', 'T'];
const table = dbfOf(fields, [
  { cells },
  { cells, isDeleted: true },
  { cells: ['', '**********', '', '00000000', '?'] },
  { cells: [iconv.encode('가람', 'cp949'), '-3', '0', '', 'n'] },
]);

type Whole = Awaited<ReturnType<typeof readWhole>>;

async function readFiles(files: Readonly<Record<string, Buffer | string>>): Promise<Whole> {
  using folder = temporaryFolder();
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder.path, name), bytes);
  return await readWhole(join(folder.path, Object.keys(files)[0]!));
}

test('a dBase table in CP949 gives its values as written and reports deleted records', async () => {
  const { tables, findings } = await readFiles({ 'a.dbf': table });
  assert.equal(tables.length, 1);
  const { columns, rows, sourceRows, format, encoding } = tables[0]!;
  assert.deepEqual([format, encoding], ['dbf', 'cp949']);
  assert.deepEqual(columns, ['시설명', 'AREA', 'RATE', 'OPENED', 'FREE']);
  assert.deepEqual(rows, [
    ['뷁 도서관', '12.50', '1.5e+01', '20240131', true],
    ['가람', '-3', '0', null, false],
  ]);
  assert.deepEqual(sourceRows, [1, 4]);
  assert.deepEqual(
    findings.map(({ kind, row }) => [kind, row]),
    [
      ['row_deleted', 2],
      ['row_blank', 3],
    ],
  );
});

/** The first value of the first file. */
async function nameOf(files: Readonly<Record<string, Buffer | string>>): Promise<unknown> {
  return (await readFiles(files)).tables[0]!.rows[0]![0];
}

/** A table with one text. */
function one(text: Buffer): Buffer {
  return dbfOf([{ name: 'NAME', type: 'C', width: 12 }], [{ cells: [text] }]);
}

test('a .cpg or the language driver decides the encoding, unless the bytes contradict', async () => {
  const utf8 = one(Buffer.from('나루가람'));
  const cp949 = one(iconv.encode('나루가람', 'cp949'));
  // The last character is cut, and every byte could be CP949.
  const cut = one(Buffer.from('가나다라마').subarray(0, 4));
  assert.equal(await nameOf({ 'a.dbf': utf8 }), '나루가람');
  assert.equal(await nameOf({ 'a.dbf': utf8, 'a.cpg': 'UTF-8' }), '나루가람');
  assert.equal(await nameOf({ 'a.dbf': cp949, 'a.cpg': 'UTF-8' }), '나루가람');
  assert.equal(await nameOf({ 'a.dbf': cp949, 'a.CPG': 'CP949' }), '나루가람');
  assert.equal(await nameOf({ 'a.dbf': cut, 'a.cpg': 'UTF-8' }), '가\ufffd');
  // These two bytes are a character in both encodings.
  const both = one(Buffer.from([0xc2, 0xb0]));
  assert.equal(await nameOf({ 'a.dbf': both }), '°');
  assert.equal(await nameOf({ 'a.dbf': both, 'a.cpg': '949' }), '째');
  both[29] = 0x79;
  assert.equal(await nameOf({ 'a.dbf': both }), '째');
});

test('a memo column is reported and the others are read', async () => {
  const columns = [
    { name: 'NAME', type: 'C', width: 5 },
    { name: 'NOTE', type: 'M', width: 10 },
  ];
  const { tables, findings } = await readFiles({
    'a.dbf': dbfOf(columns, [{ cells: ['a', '         1'] }]),
  });
  assert.deepEqual(tables[0]!.columns, ['NAME']);
  assert.deepEqual(tables[0]!.rows, [['a']]);
  assert.deepEqual([findings[0]!.kind, findings[0]!.row], ['part_not_held', null]);
  assert.match(findings[0]!.detail, /NOTE has the type M/u);
});

test('a cut table, one with records past its header and a false header are refused', async () => {
  await assert.rejects(readFiles({ 'a.dbf': table.subarray(0, table.length - 10) }), {
    code: 'truncated',
    message: /a\.dbf ends after 3 of 4 records/u,
  });
  await assert.rejects(readFiles({ 'a.dbf': table.subarray(0, 150) }), { code: 'truncated' });
  const wide = Buffer.from(table);
  wide[32 + 16] = 200;
  await assert.rejects(readFiles({ 'a.dbf': wide }), { code: 'damaged' });
  const marked = Buffer.from(table);
  marked[marked.readUInt16LE(8)] = 0x41;
  const { tables, findings } = await readFiles({ 'a.dbf': marked });
  assert.equal(tables[0]!.rows.length, 1);
  assert.deepEqual([findings[0]!.kind, findings[0]!.row], ['row_unreadable', 1]);
});

test('a table in an archive is read with the .cpg of its name', async () => {
  const bytes = dbfOf(
    [{ name: 'NAME', type: 'C', width: 4 }],
    [{ cells: [Buffer.from([0xc2, 0xb0])] }],
  );
  const { tables, findings } = await readFiles({
    'a.zip': zipOf([
      { name: 'x/A.CPG', content: '949' },
      { name: 'x/A.DBF', content: bytes },
      { name: 'b.cpg', content: 'UTF-8' },
    ]),
  });
  assert.deepEqual(
    tables.map(({ part, rows }) => [part, rows]),
    [['x/A.DBF', [['째']]]],
  );
  assert.deepEqual(findings.length, 1);
});

test('random texts and numbers come back as they were written, over any cut of chunks', async () => {
  const text = fc.string({ unit: fc.constantFrom(...'가나 힣뷁a1'), maxLength: 8 });
  const row = fc.tuple(text, fc.integer({ min: -99_999, max: 99_999 }), fc.boolean());
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 2_000 }), async (rows) => {
      const columns = [
        { name: 'TEXT', type: 'C', width: 16 },
        { name: 'NUMBER', type: 'N', width: 6 },
      ];
      const bytes = dbfOf(
        columns,
        rows.map(([name, number, isDeleted]) => ({
          cells: [iconv.encode(name, 'cp949'), String(number)],
          isDeleted,
        })),
      );
      const { tables } = await readFiles({ 'a.dbf': bytes, 'a.cpg': '949' });
      assert.deepEqual(
        tables[0]!.rows,
        rows
          .filter(([, , isDeleted]) => !isDeleted)
          .map(([name, number]) => [name.trim() || null, String(number)]),
      );
    }),
    { numRuns: 20 },
  );
});
