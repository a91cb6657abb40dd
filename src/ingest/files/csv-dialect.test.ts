import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sniffDialect } from './csv-dialect.ts';
import { CsvLexer } from './csv-lexer.ts';
import { defaultFileLimits } from './limits.ts';

/** The cells of a text in the dialect that it seems to have. */
function cellsOf(text: string): (string | null)[][] {
  const { width, ...dialect } = sniffDialect(text, true, defaultFileLimits);
  const rows: (string | null)[][] = [];
  const lexer = new CsvLexer(
    { ...dialect, expectedWidth: width, columnsMax: 100, recordUnitsMax: 1_000_000 },
    (record) => rows.push(Array.from({ length: record.count }, (_, at) => record.cell(at))),
  );
  lexer.write(text);
  lexer.end();
  return rows;
}

const quoted: readonly (readonly [name: string, text: string, expected: string[][]])[] = [
  [
    'with commas inside',
    "'시설명','주소'\n'가람','서울, 강남'\n'나루','부산, 중구'\n",
    [
      ['시설명', '주소'],
      ['가람', '서울, 강남'],
      ['나루', '부산, 중구'],
    ],
  ],
  [
    'without commas inside',
    "'시설명','주소'\n'가람','서울'\n'나루','부산'\n",
    [
      ['시설명', '주소'],
      ['가람', '서울'],
      ['나루', '부산'],
    ],
  ],
  [
    'of texts alone, below a plain header',
    "시설명;주소;면적\n'가람';'서울; 강남';12\n'나루';'부산; 중구';7\n",
    [
      ['시설명', '주소', '면적'],
      ['가람', '서울; 강남', '12'],
      ['나루', '부산; 중구', '7'],
    ],
  ],
  [
    'with quotes behind a backslash',
    "'name','note'\n'It\\'s','a, \\\\b'\n'b','c, d'\n",
    [
      ['name', 'note'],
      ["It's", 'a, \\b'],
      ['b', 'c, d'],
    ],
  ],
];

for (const [name, text, expected] of quoted) {
  test(`single quotes ${name} are quotes`, () => {
    assert.deepEqual(cellsOf(text), expected);
  });
}

const plain: readonly string[] = [
  "name,note,n\n'90s hits,it's,1\n'80s hits,rock 'n' roll,2\n'70s,x,3\n",
  "이름,코드\n가람,'00123\n나루,'00124\n다솜,'00125\n",
  "이름,비고\n가람,'새 건물' 옆\n나루,\n다솜,\n",
];

for (const [index, text] of plain.entries()) {
  test(`apostrophes in texts stay: example ${index + 1}`, () => {
    const expected = text.trimEnd().split('\n');
    assert.deepEqual(
      cellsOf(text).map((row) => row.map((cell) => cell ?? '').join(',')),
      expected,
    );
  });
}

test('any cells in single quotes are read as they were', () => {
  const cell = fc.string({ unit: fc.constantFrom('가', 'a', '1', ' ', ',', "'", ';', '"') });
  const table = fc
    .integer({ min: 2, max: 4 })
    .chain((width) =>
      fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 2 }),
    );
  fc.assert(
    fc.property(table, (rows) => {
      const text = rows
        .map((row) => row.map((each) => `'${each.replaceAll("'", "''")}'`).join(','))
        .join('\n');
      const expected = rows.map((row) => row.map((each) => each.trim() || null));
      assert.deepEqual(cellsOf(`${text}\n`), expected);
    }),
  );
});
