import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { utils, write } from '@e965/xlsx';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { loadFiles } from './load.ts';

const rows = [
  [],
  ['도서관 현황'],
  [],
  ['기준일: 2024-06-30'],
  ['지역', '인구', '면적'],
  ['Region', 'Population', 'Area'],
  ['가람', 10, 1.5],
  ['나루', 20, 2.5],
];

async function headerLinesOf(name: string, content: string | Buffer) {
  using folder = temporaryFolder();
  const path = join(folder.path, name);
  writeFileSync(path, content);
  const { axes } = await loadFiles(join(folder.path, 'var'), [path]);
  return axes[0]!.findings
    .filter(({ kind }) => kind === 'title_line' || kind === 'header_repeated')
    .flatMap(({ kind, examples }) => examples.map(({ row }) => `${kind} ${row}`));
}

test('title lines and a second row of names are reported with their rows', async () => {
  const expected = ['title_line 2', 'title_line 4', 'header_repeated 6'];
  const text = rows.map((row) => `${row.join(',')}\n`).join('');
  assert.deepEqual(await headerLinesOf('file_15099001_현황.csv', text), expected);
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet(rows), '현황');
  const bytes: Buffer = write(book, { type: 'buffer', bookType: 'xlsx' });
  assert.deepEqual(await headerLinesOf('file_15099001_현황.xlsx', bytes), expected);
});
