import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { CsvLexer } from './csv-lexer.ts';

interface Lexed {
  readonly cells: readonly (string | null)[];
  readonly line: number;
  readonly mended: string | null;
}

function lex(pieces: readonly string[], expectedWidth: number, delimiter = ','): Lexed[] {
  const records: Lexed[] = [];
  const lexer = new CsvLexer(
    { delimiter, expectedWidth, columnsMax: 100, recordUnitsMax: 1_000_000 },
    (record) => {
      const cells = Array.from({ length: record.count }, (_, at) => record.cell(at));
      records.push({ cells, line: record.line, mended: record.repair?.en ?? null });
    },
  );
  for (const piece of pieces) lexer.write(piece);
  lexer.end();
  return records;
}

const cellText = fc.string({
  unit: fc.constantFrom('가', '뷁', 'a', '1', ' ', ',', '"', '\n', '\r', ';'),
});

function quote(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}

test('well-formed text is read as csv-parse reads it, wherever it is cut', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 5 }).chain((width) =>
        fc.record({
          rows: fc.array(fc.array(cellText, { minLength: width, maxLength: width }), {
            minLength: 1,
          }),
          lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
          cut: fc.integer({ min: 1, max: 7 }),
        }),
      ),
      ({ rows, lineEnd, cut }) => {
        const text = rows.map((row) => row.map(quote).join(',') + lineEnd).join('');
        const pieces = text.match(new RegExp(`[^]{1,${cut}}`, 'gu')) ?? [];
        const expected = parse(text, { record_delimiter: lineEnd }).map((row) =>
          row.map((cell) => (cell.trim() === '' ? null : cell.trim())),
        );
        const records = lex(pieces, rows[0]?.length ?? 0);
        assert.deepEqual(
          records.map(({ cells }) => cells),
          expected,
        );
        assert.ok(records.every(({ mended }) => mended === null));
      },
    ),
  );
});

test('cells without quotes are read as csv-parse reads them', () => {
  const plain = fc.string({ unit: fc.constantFrom('가', 'a', '1', '-', ';'), minLength: 1 });
  fc.assert(
    fc.property(fc.array(fc.tuple(plain, plain, plain), { minLength: 1 }), (rows) => {
      const text = rows.map((row) => row.join(',')).join('\n');
      assert.deepEqual(
        lex([text], 3).map(({ cells }) => cells),
        parse(text),
      );
    }),
  );
});

test('a cell that is quoted twice is one cell, wherever the text is cut', () => {
  const text = '가,""2,4주 월요일, 공휴일"",9:00\n나,""1,000"",""2,500""\n';
  for (let cut = 0; cut <= text.length; cut++) {
    const records = lex([text.slice(0, cut), text.slice(cut)], 3);
    assert.deepEqual(
      records.map(({ cells }) => cells),
      [
        ['가', '2,4주 월요일, 공휴일', '9:00'],
        ['나', '1,000', '2,500'],
      ],
    );
    assert.ok(records.every(({ mended }) => mended === 'A cell is quoted twice.'));
  }
});

test('an unclosed quote damages its own line only', () => {
  const records = lex(['가,"나,다\n라,마,바\n사,"아",자\n'], 3);
  assert.deepEqual(
    records.map(({ cells }) => cells),
    [
      ['가', '"나', '다'],
      ['라', '마', '바'],
      ['사', '아', '자'],
    ],
  );
  assert.notEqual(records[0]?.mended, null);
  assert.equal(records[1]?.mended, null);
});

test('a quoted cell over several lines is one cell and the next line number is right', () => {
  const records = lex(['가,"나\r\n다\n라",마\n바,사,아\n'], 3);
  assert.deepEqual(records[0]?.cells, ['가', '나\r\n다\n라', '마']);
  assert.equal(records[1]?.line, 4);
});

test('quotes inside a quoted cell stay text', () => {
  const [record] = lex(['가,"그는 "예" 했다",다\n'], 3);
  assert.deepEqual(record?.cells, ['가', '그는 "예" 했다', '다']);
  assert.notEqual(record?.mended, null);
});

test('line ends of every kind in one text count as one each', () => {
  const records = lex(['가,1\r\n나,2\r다,3\n라,4'], 2);
  assert.deepEqual(
    records.map(({ cells, line }) => [cells[0], line]),
    [
      ['가', 1],
      ['나', 2],
      ['다', 3],
      ['라', 4],
    ],
  );
});

test('a carriage return at the end of a piece is not a second line end', () => {
  assert.equal(lex(['가,1\r', '\n나,2\r', '\n'], 2).length, 2);
});

test('no-break and ideographic spaces around a cell are padding, inside they are text', () => {
  assert.deepEqual(lex(['\u00a0가\u3000나\u3000,　,\ufeff다\n'], 3)[0]?.cells, [
    '가\u3000나',
    null,
    '다',
  ]);
});

test('a line that never ends is refused', () => {
  const lexer = new CsvLexer(
    { delimiter: ',', expectedWidth: 2, columnsMax: 10, recordUnitsMax: 1000 },
    () => undefined,
  );
  assert.throws(() => lexer.write('가'.repeat(1001)), { code: 'too_large' });
});

test('a code guarded by a formula is read without it', () => {
  const [record] = lex(['="0012","=""06100""",=1+2,="",="a"b\n'], 5);
  assert.deepEqual(record?.cells, ['0012', '06100', '=1+2', null, '="a"b']);
});

test('quotes and backslashes behind a backslash are text in any pieces, if the text has them', () => {
  const cell = fc.string({ unit: fc.constantFrom('"', '\\', ',', '가', 'n', '\n') });
  const row = fc.array(cell, { minLength: 2, maxLength: 4 });
  fc.assert(
    fc.property(row, fc.nat(), (cells, cut) => {
      const text = cells.map((each) => `"${each.replace(/["\\]/gu, '\\$&')}"`).join();
      const read: (string | null)[] = [];
      const lexer = new CsvLexer(
        {
          delimiter: ',',
          hasBackslashes: true,
          expectedWidth: cells.length,
          columnsMax: 9,
          recordUnitsMax: 9_999,
        },
        (record) => {
          for (let index = 0; index < record.count; index++) read.push(record.cell(index));
        },
      );
      const at = cut % text.length;
      lexer.write(text.slice(0, at));
      lexer.write(text.slice(at));
      lexer.end();
      assert.deepEqual(
        read,
        cells.map((each) => each.trim() || null),
      );
    }),
  );
});
