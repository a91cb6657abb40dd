import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readWhole } from '../../../test/read-whole.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';

const header = ['번호', '시설명', '주소'];
const records = [
  ['001', '가람', '가람로 1'],
  ['002', '나루', '나루로 2'],
  ['003', '다온', ''],
  ['004', '라온', '라온로 4'],
];
const held = records.map((row) => row.map((cell) => cell || null));

async function read(text: string) {
  using folder = temporaryFolder();
  const path = join(folder.path, 'a.txt');
  writeFileSync(path, text);
  const { tables, findings } = await readWhole(path);
  assert.equal(tables.length, 1);
  const [{ columns, rows }] = tables as [(typeof tables)[0]];
  return { columns, rows, findings };
}

for (const delimiter of ['||', '|^|', '^|', '!|', '@@', '::', '§', '¦', '\u0001']) {
  test(`cells separated by ${JSON.stringify(delimiter)} contain no part of the delimiter`, async () => {
    const text = [header, ...records].map((row) => `${row.join(delimiter)}\r\n`).join('');
    assert.deepEqual(await read(text), { columns: header, rows: held, findings: [] });
  });
}

test('two bars around an empty cell are not a delimiter if other rows have single bars', async () => {
  const text = '번호|구분|시설명\n1||가람\n2||나루\n3|동|다온\n';
  const { columns, rows } = await read(text);
  assert.deepEqual(columns, ['번호', '구분', '시설명']);
  assert.deepEqual(rows[0], ['1', null, '가람']);
});

test('a row that is quoted as a whole is split into its cells', async () => {
  const rows = records.map(([number, name, address]) => `"${number},${name},""${address}"""`);
  assert.deepEqual(await read(`"${header.join()}"\r\n${rows.join('\r\n')}\r\n`), {
    columns: header,
    rows: held,
    findings: [],
  });
  const addresses = '"주소"\n"가람시, 가람로 1"\n"나루시, 나루로 2"\n"다온시, 3"\n';
  assert.deepEqual((await read(addresses)).columns, ['주소']);
});

const line = (row: readonly string[]): string => row.map((cell) => cell.padEnd(8)).join(' | ');
const rule = '---------+----------+---------';
const ruled: Record<string, string> = {
  psql: ` ${line(header)}\n-${rule}\n${records.map((row) => ` ${line(row)}\n`).join('')}(4개 행)\n`,
  mysql:
    `+-${rule}-+\n| ${line(header)} |\n+-${rule}-+\n` +
    `${records.map((row) => `| ${line(row)} |\n`).join('')}+-${rule}-+\n4 rows in set (0.00 sec)\n`,
  Markdown: `| ${line(header)} |\n|---|:--:|---|\n${records.map((row) => `| ${line(row)} |\n`).join('')}`,
};

for (const [program, text] of Object.entries(ruled)) {
  test(`the ruled lines of a ${program} table are not read as rows`, async () => {
    assert.deepEqual(await read(text), { columns: header, rows: held, findings: [] });
  });
}

test('quotes after a backslash are part of their cell, and so is a delimiter after them', async () => {
  const quoted = records.map(([number, name]) => `"${number}","\\"${name}\\", 본점","C:\\길"\n`);
  const { columns, rows, findings } = await read(`"번호","시설명","주소"\n${quoted.join('')}`);
  assert.deepEqual(columns, header);
  assert.deepEqual(rows[0], ['001', '"가람", 본점', String.raw`C:\길`]);
  assert.deepEqual(findings, []);
});

test('a backslash at the end of a quoted cell is text where quotes are doubled', async () => {
  const quoted = records.map(([number]) => `"${number}","D:\\","가""나"\n`);
  const { rows, findings } = await read(`"번호","시설명","주소"\n${quoted.join('')}`);
  assert.deepEqual(rows[0], ['001', 'D:\\', '가"나']);
  assert.deepEqual(findings, []);
});

test('a table drawn with box characters, as Hangul saves it in a text file, is read as cells', async () => {
  const rows = records.map((row) => `│${row.map((cell) => cell.padEnd(4)).join('│')}│\n`).join('');
  const text = `시설 현황\n┌───┬───┬───┐\n│${header.join('│')}│\n├───┼───┼───┤\n${rows}└───┴───┴───┘\n`;
  const { columns, rows: found, findings } = await read(text);
  assert.deepEqual([columns, found, findings], [header, held, []]);
});

test('a first line such as sep=; sets the delimiter and is not read as a title', async () => {
  const text = `sep=;\r\n${[header, ...records].map((row) => `${row.join(';')}\r\n`).join('')}`;
  assert.deepEqual(await read(text), { columns: header, rows: held, findings: [] });
});

test('a table that R writes, with blanks between quoted texts and row numbers, is read as cells', async () => {
  const named = ['코드', ...header.slice(1)];
  const names = named.map((name) => `"${name}"`).join(' ');
  const rows = records.map(([id, name, at], row) => `"${row + 1}" "${id}" "${name}" "${at}"\n`);
  const { columns, rows: found } = await read(`${names}\n${rows.join('')}`);
  assert.deepEqual(columns, ['열1', ...named]);
  assert.deepEqual(
    found,
    held.map((row, index) => [String(index + 1), ...row]),
  );
});
