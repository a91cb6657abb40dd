import assert from 'node:assert/strict';
import { test } from 'node:test';
import XLSX from '@e965/xlsx';
import fc from 'fast-check';
import { anyText } from '../../../test/any-text.ts';
import type { Row } from '../axis.ts';
import { workbook, type SheetColumn } from './workbook.ts';

async function read(title: string, columns: readonly SheetColumn[], blocks: readonly Row[][]) {
  const rows = async function* () {
    yield* blocks;
  };
  const pieces: Uint8Array[] = [];
  for await (const piece of workbook(title, columns, rows())) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  const book = XLSX.read(bytes, { cellNF: true, cellFormula: true, UTC: true });
  return { bytes, book, sheet: book.Sheets[book.SheetNames[0]!]! };
}

const columns: readonly SheetColumn[] = [
  { name: 'code', heading: '우편번호', type: 'string' },
  { name: 'n', heading: '면적', type: 'number' },
  { name: 'day', heading: '기준일자', type: 'date' },
  { name: 'at', heading: '등록일시', type: 'datetime' },
  { name: 'is', heading: '여부', type: 'boolean' },
];

test('a number with zeros at the end of its fraction is a number, one with other zeros a text', async () => {
  const texts = [
    '127.0370162650',
    '37.50',
    '2.0',
    '-0.10',
    '0.0',
    '1.',
    '01.50',
    '0.00000000000000000000000000000000000',
  ];
  const table = [
    { name: 'n', heading: '위도', type: 'number' },
    { name: 'whole', heading: '번호', type: 'integer' },
  ] as const;
  const { sheet } = await read('좌표', table, [texts.map((n) => ({ n, whole: n }))]);
  const kinds = (column: string): string[] =>
    texts.map((_, at) => (sheet[`${column}${at + 2}`] as XLSX.CellObject).t);
  assert.deepEqual(kinds('A'), ['n', 'n', 'n', 'n', 'n', 's', 's', 's']);
  assert.equal(sheet['A2'].v, 127.037016265);
  assert.deepEqual(
    kinds('B'),
    texts.map(() => 's'),
  );
});

test('a number with separators of thousands is a number that adds up, and is shown with them', async () => {
  const texts = [
    '107,500',
    ' 47,000 ',
    '-1,234',
    '1,234.50',
    '12,34',
    '0,123',
    '1,234,567,890,123,456',
  ];
  const table = [{ name: 'n', heading: '거래금액', type: 'number' }] as const;
  const { sheet } = await read('실거래가', table, [texts.map((n) => ({ n }))]);
  const cells = texts.map((_, at) => sheet[`A${at + 2}`] as XLSX.CellObject);
  assert.deepEqual(
    cells.map(({ v }) => v),
    [107_500, 47_000, -1_234, 1_234.5, ...texts.slice(4)],
  );
  assert.deepEqual(
    cells.slice(0, 4).map(({ w }) => w),
    ['107,500', '47,000', '-1,234', '1234.5'],
  );
});

test('cells keep leading zeros and texts, and are typed only if nothing is lost', async () => {
  const { sheet, book } = await read('주차장: [현황]', columns, [
    [
      { code: '04524', n: '12.5', day: '2024-02-29', at: '2024-02-29 09:30:00', is: 'TRUE' },
      { code: '=1+1', n: '15,293', day: '2024-02-29 10:00', at: '1391-02-05', is: 'Y' },
    ],
    [{ code: '@x', n: '007', day: null, at: '2024-02-29 09:30Z', is: false }],
    [{ code: '+1', n: '1234567890123456', day: '1899-05-05', at: null, is: null }],
  ]);
  assert.deepEqual(book.SheetNames, ['주차장   현황']);
  assert.equal(sheet['!ref'], 'A1:E5');
  assert.deepEqual(sheet['!autofilter'], { ref: 'A1:E5' });
  const cells = (row: number) =>
    'ABCDE'.split('').map((letter) => {
      const cell = sheet[`${letter}${row}`] as XLSX.CellObject | undefined;
      assert.equal(cell?.f, undefined, 'no formula');
      return cell === undefined ? null : [cell.t, cell.v];
    });
  assert.deepEqual(
    cells(1),
    columns.map(({ heading }) => ['s', heading]),
  );
  assert.deepEqual(
    cells(2)
      .map((cell) => cell![0])
      .join(''),
    'snnnb',
  );
  assert.equal(sheet['C2'].w, '2024-02-29');
  assert.equal(sheet['D2'].w, '2024-02-29 09:30:00');
  assert.deepEqual(cells(3), [
    ['s', '=1+1'],
    ['n', 15293],
    ['s', '2024-02-29 10:00'],
    ['s', '1391-02-05'],
    ['s', 'Y'],
  ]);
  assert.deepEqual(cells(4), [
    ['s', '@x'],
    ['s', '007'],
    null,
    ['s', '2024-02-29 09:30Z'],
    ['b', false],
  ]);
  assert.deepEqual(cells(5), [
    ['s', '+1'],
    ['s', '1234567890123456'],
    ['s', '1899-05-05'],
    null,
    null,
  ]);
});

test('any text is read back from a cell as it was', async () => {
  const text = fc.oneof(anyText({ minLength: 1 }), fc.constantFrom('_x0041_', ' a ', '\n', '<&>"'));
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 8 }), async (texts) => {
      const { sheet } = await read('가', columns, [texts.map((code) => ({ code }))]);
      for (const [at, code] of texts.entries()) {
        // The reader takes a carriage return for a line break, also where it is escaped.
        assert.equal(sheet[`A${at + 2}`].v.replace(/\r\n?/g, '\n'), code.replace(/\r\n?/g, '\n'));
      }
    }),
    { numRuns: 40 },
  );
});

test('a workbook that is not read to its end reads no more rows', async () => {
  let blocks = 0;
  let isClosed = false;
  const rows = async function* () {
    try {
      for (;;) {
        blocks++;
        yield Array.from({ length: 1_000 }, (_, at) => ({ code: `${blocks} ${Math.sin(at)}` }));
      }
    } finally {
      isClosed = true;
    }
  };
  let bytes = 0;
  for await (const piece of workbook('가', columns, rows())) {
    bytes += piece.length;
    if (bytes > 300_000) break;
  }
  assert.ok(isClosed);
  assert.ok(blocks < 200, String(blocks));
});

test('equal rows give equal bytes', async () => {
  const one = await read('가', columns, [[{ code: 'x' }]]);
  const other = await read('가', columns, [[{ code: 'x' }]]);
  assert.deepEqual(one.bytes, other.bytes);
});

test('a text of the greatest length is written whole, and a longer one is cut with a note', async () => {
  const texts = ['가'.repeat(32_767), '가'.repeat(32_768), '😀'.repeat(20_000)];
  const { sheet } = await read('긴 글', columns, [texts.map((code) => ({ code }))]);
  const [whole, ...cut] = [2, 3, 4].map((row) => (sheet[`A${row}`] as XLSX.CellObject).v);
  assert.equal(whole, texts[0]);
  for (const [at, text] of (cut as string[]).entries()) {
    const start = text.replace(/ … \(이하 잘림, cut here\)$/, '');
    assert.ok(start !== text && text.length <= 32_767 && text.length > 32_765);
    assert.ok(texts[at + 1]!.startsWith(start) && start.isWellFormed());
  }
});
