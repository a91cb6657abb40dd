import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { readWhole } from '../../../test/read-whole.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';

async function read(content: string | Buffer) {
  using folder = temporaryFolder();
  const path = join(folder.path, 'a.lst');
  writeFileSync(path, content);
  const { tables, findings } = await readWhole(path);
  assert.equal(tables.length, 1);
  const [{ columns, rows }] = tables as [(typeof tables)[0]];
  return { columns, rows, kinds: findings.map(({ kind }) => kind) };
}

const names = ['FAC_NM', 'SIDO', 'OPEN_DT', 'SEAT'];
const widths = [18, 18, 10, 8];
const records = [
  ['가람 도서관', '서울 강남구', '2024-01-02', '120'],
  ['나루관', '부산광역시', '', '85'],
  ['다솜 문화회관', '', '2023-11-30', '42'],
];
const held = records.map((row) => row.map((cell) => cell || null));

/** A line as a client prints it: the last column to the right. A syllable of Hangul takes `wide` positions. */
function line(cells: readonly string[], wide = 2): string {
  return cells
    .map((cell, at) => {
      const units = [...cell].reduce((sum, each) => sum + (each > '\u007f' ? wide : 1), 0);
      const blanks = ' '.repeat(Math.max(0, widths[at]! - units));
      return at === 3 ? blanks + cell : cell + blanks;
    })
    .join(' ');
}

const rule = widths.map((width) => '-'.repeat(width)).join(' ');
const head = `${line(names)}\n${rule}\n`;

function body(rows: readonly (readonly string[])[], wide = 2): string {
  return rows.map((row) => `${line(row, wide)}\n`).join('');
}

function titleOf(page: number): string {
  return `월 6월  30   시설 현황   page    ${page}\n\n`;
}

test('a spool of SQL*Plus is read without its page headings, prompts and messages', async () => {
  const text = `SQL> select * from fac;\n\n${titleOf(1)}${head}${body(records)}\n\f${titleOf(2)}${head}${body(records)}\n6 rows selected.\n\nSQL> spool off\n`;
  const { columns, rows } = await read(iconv.encode(text, 'cp949'));
  assert.deepEqual(columns, names);
  assert.deepEqual(rows, [...held, ...held]);
});

/** The text with tabs for the blanks before each eighth position. */
function tabbed(text: string): string {
  const lines = text.split('\n').map((each) => {
    const positions = [...each].flatMap((character) =>
      character > '\u007f' ? [character, ''] : [character],
    );
    let shown = '';
    for (let at = 0; at < positions.length; at += 8) {
      const piece = positions.slice(at, at + 8).join('');
      shown += at + 8 < positions.length ? piece.replace(/ +$/u, '\t') : piece;
    }
    return shown;
  });
  return lines.join('\n');
}

const clients: Readonly<Record<string, string>> = {
  'SQL*Plus in Korean': `\n${head}${body(records)}\n3 개의 행이 선택되었습니다.\n`,
  'SQL*Plus with tabs': `${tabbed(`${head}${body(records)}`)}\n3 rows selected.\n`,
  'SQL*Plus in UTF-8': `${line(names, 3)}\n${rule}\n${body(records, 3)}\n3 rows selected.\n`,
  sqlcmd: `${head}${body(records)}\n(3 rows affected)\n`,
  Db2: `\n${head}${body(records)}\n  3 record(s) selected.\n\n`,
};

for (const [client, text] of Object.entries(clients)) {
  test(`a table printed by ${client} is read as rows`, async () => {
    assert.deepEqual(await read(text), { columns: names, rows: held, kinds: [] });
  });
}

test('ruled lines with a delimiter that the user chose are not read as records', async () => {
  const cells = records.map((row) => `${row.join(',')}\n`).join('');
  const text = `${names.join(',')}\n${widths.map((width) => '-'.repeat(width)).join(',')}\n${cells}\n3 rows selected.\n`;
  assert.deepEqual((await read(text)).rows, held);
});

test('a spool whose count differs from its lines is refused with advice', async () => {
  const text = `${head}${body(records)}\n2 rows selected.\n`;
  await assert.rejects(read(text), /counts 2 rows, but has 3 lines.*MARKUP CSV/u);
});

test('a spool with other columns further down is refused with advice', async () => {
  const text = `${head}${body(records)}\nX    Y\n---- ----\n1    2\n`;
  await assert.rejects(read(text), /has other columns too.*MARKUP CSV/u);
});

function printedPage(number: number): string {
  return `\f1REPORT ID: A010     시설 현황            PAGE ${number}\n\n 시설명       좌석\n =============\n 가람         120\n`;
}

test('a report for a printer is refused by its form', async () => {
  await assert.rejects(read(printedPage(1) + printedPage(2)), /made for a printer/u);
});

test('any rows that a client prints are read as they were', async () => {
  const word = fc.stringMatching(/^[가-힣a-z\d.]{1,7}$/u);
  // A client prints no value that is wider than its column: five syllables take ten positions.
  const short = fc.stringMatching(/^[가-힣a-z\d.]{1,5}$/u);
  const row = fc.tuple(word, fc.option(word, { nil: '' }), short, fc.nat(99_999).map(String));
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: 1, max: 5 }),
      async (rows, pageRows) => {
        let text = '';
        for (let at = 0; at < rows.length; at += pageRows) {
          text += `\n${head}${body(rows.slice(at, at + pageRows))}`;
        }
        const { rows: found } = await read(`${text}\n${rows.length} rows selected.\n`);
        assert.deepEqual(
          found,
          rows.map((cells) => cells.map((cell) => cell || null)),
        );
      },
    ),
    { numRuns: 30 },
  );
});
