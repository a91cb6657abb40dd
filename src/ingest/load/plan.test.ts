import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { utils, write } from '@e965/xlsx';
import { dbfOf } from '../../../test/dbf-of.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { CatalogLookup } from './identity.ts';
import { findInputs } from './inputs.ts';
import { noMatches } from './title-match.ts';
import { planLoad } from './plan.ts';

const noCatalog: CatalogLookup = { byNumber: () => null, byTitle: () => noMatches };

/** The imported files of a folder by axis, and the skipped ones with the code of the reason. */
async function plan(contents: Readonly<Record<string, string | Buffer>>) {
  using folder = temporaryFolder();
  for (const [name, content] of Object.entries(contents)) {
    mkdirSync(join(folder.path, name, '..'), { recursive: true });
    writeFileSync(join(folder.path, name), content);
  }
  const { files } = findInputs([folder.path]);
  const { axes, skipped } = await planLoad(files, {}, noCatalog, new Date(0));
  return {
    held: Object.fromEntries(
      axes.map(({ identity, files: parts }) => [
        identity.isProvisional ? identity.axis.title : identity.axis.code,
        parts.map(({ path }) => basename(path)),
      ]),
    ),
    notRead: skipped.map(({ path, code }) => [basename(path), code]),
  };
}

test('of files that are equal byte for byte the one with a number is imported', async () => {
  const text = '이름,값\n가,1\n';
  assert.deepEqual(await plan({ '가.csv': text, '주차장_15090165.csv': text, '나/다.csv': text }), {
    held: { file_15090165: ['주차장_15090165.csv'] },
    notRead: [
      ['가.csv', 'copy'],
      ['다.csv', 'copy'],
    ],
  });
});

test('tables that were cut before their first record are not copies of each other', async () => {
  const whole = dbfOf([{ name: 'NAME', type: 'C', width: 9 }], [{ cells: ['가람'] }]);
  const head = whole.length - 11;
  const cut = {
    '주차장_15090165.dbf': whole.subarray(0, head),
    '나/주차장_15090165.dbf': whole.subarray(0, head + 3),
  };
  const codes = (await plan(cut)).notRead.map(([, code]) => code);
  assert.deepEqual(codes, ['truncated', 'truncated']);
});

test('the report of a file names its number if other data of the load has that number', async () => {
  using folder = temporaryFolder();
  const write = (name: string, text: string) => writeFileSync(join(folder.path, name), text);
  write('file_15090165_병원.csv', '병원명,병상\n가,1\n나,2\n');
  write('file_15090165_학교.csv', '학교명,학급\n가,1\n');
  write('공원.csv', '공원명,넓이\n가,1\n');
  const { files } = findInputs([folder.path]);
  const { axes } = await planLoad(files, {}, noCatalog, new Date(0));
  const insteadOf = axes.map(({ identity }) => [identity.axis.title, identity.insteadOf ?? null]);
  assert.deepEqual(Object.fromEntries(insteadOf), {
    공원: null,
    병원: null,
    학교: 'file_15090165',
  });
});

test('files of one name in two folders name no main table if no table has their code', async () => {
  using folder = temporaryFolder();
  for (const year of ['year=2022', 'year=2023']) {
    mkdirSync(join(folder.path, year));
    writeFileSync(join(folder.path, year, 'part-0.csv'), `구,수\n가,${year.slice(-4)}\n`);
  }
  const { files } = findInputs([folder.path]);
  const { axes } = await planLoad(files, {}, noCatalog, new Date(0));
  assert.deepEqual(
    axes.map(({ identity }) => 'insteadOf' in identity),
    [false, false],
  );
});

test('the same bytes under two numbers are two datasets', async () => {
  const text = '이름,값\n가,1\n';
  assert.deepEqual(await plan({ '가_15090165.csv': text, '나(15090166).csv': text }), {
    held: { file_15090165: ['가_15090165.csv'], file_15090166: ['나(15090166).csv'] },
    notRead: [],
  });
});

test('parts are one dataset, an edition is another', async () => {
  assert.deepEqual(
    await plan({
      'file_15090165_현황_part1.csv': '이름,값\n가,1\n나,2\n',
      'file_15090165_현황_part2.csv': '이름,값\n나,2\n',
      'file_15090165_현황_2차.csv': '이름,값\n다,3\n',
    }),
    {
      held: {
        file_15090165: ['file_15090165_현황_part1.csv', 'file_15090165_현황_part2.csv'],
        현황_2차: ['file_15090165_현황_2차.csv'],
      },
      notRead: [],
    },
  );
});

test('of files of one date the least damaged is imported, whatever its format', async () => {
  const rows = [
    ['이름', '휴관일'],
    ['가람', '월, 화'],
    ['나루', '수'],
  ];
  const csv = '이름,휴관일\n가람,"월, 화"\n나루,수\n';
  const clean = await plan({ '현황_15090165.csv': csv, '현황_15090165.xlsx': workbook(rows) });
  assert.deepEqual(clean.held, { file_15090165: ['현황_15090165.xlsx'] });
  const quoted = rows.map((row) => row.map((cell) => (cell.includes(',') ? `"${cell}"` : cell)));
  assert.deepEqual(
    await plan({ '현황_15090165.csv': csv, '현황_15090165.xlsx': workbook(quoted) }),
    {
      held: { file_15090165: ['현황_15090165.csv'] },
      notRead: [['현황_15090165.xlsx', 'other_format']],
    },
  );
});

test('of formats without damage the one with the most rows is imported', async () => {
  const csv = '이름,휴관일\n가람,월\n나루,수\n';
  const fewer = workbook([
    ['이름', '휴관일'],
    ['가람', '월'],
  ]);
  assert.deepEqual(await plan({ '현황_15090165.csv': csv, '현황_15090165.xlsx': fewer }), {
    held: { file_15090165: ['현황_15090165.csv'] },
    notRead: [['현황_15090165.xlsx', 'other_format']],
  });
});

function workbook(rows: readonly (readonly string[])[]): Buffer {
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet(rows.map((row) => [...row])), '자료');
  // The type `buffer` returns a buffer.
  return write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer;
}
