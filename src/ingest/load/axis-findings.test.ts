import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { utils, write } from '@e965/xlsx';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { SnapshotStore } from '../../lookup/store/snapshot.ts';
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

test('a long name or label of a column is cut in each format and reported', async () => {
  const [name, label] = ['가'.repeat(9_000), `설명 ${'나'.repeat(9_000)}`];
  const cut = `${'가'.repeat(199)}…`;
  using folder = temporaryFolder();
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet([[name], ['1'], ['2']]), '현황');
  const xlsx: Buffer = write(book, { type: 'buffer', bookType: 'xlsx' });
  const files = {
    'file_1_가.csv': `${name},b,c\n${label},B,C\n1,2,3\n4,5,6\n`,
    'file_2_나.json': JSON.stringify([{ [name]: 1 }, { [name]: 2 }]),
    'file_3_다.xml': `<list><row><${name}>1</${name}></row><row><${name}>2</${name}></row></list>`,
    'file_4_라.xlsx': xlsx,
  };
  const paths = Object.entries(files).map(([file, content]) => {
    const path = join(folder.path, file);
    writeFileSync(path, content);
    return path;
  });
  const { axes, snapshot } = await loadFiles(join(folder.path, 'var'), paths);
  await using store = new SnapshotStore(join(folder.path, 'var'), snapshot!);
  assert.equal(axes.length, paths.length);
  for (const axis of axes) {
    const [field] = store.axes.get(axis.code)!.fields;
    assert.equal(field!.name, cut, axis.code);
    assert.ok(field!.label.length <= 210, axis.code);
    const renamed = axis.findings.find(({ kind }) => kind === 'column_renamed');
    assert.match(renamed!.examples[0]!.detail.en, /Column 1 has a long name/);
  }
});
