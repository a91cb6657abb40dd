import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { utils, write } from '@e965/xlsx';
import { OpenedSnapshot } from '../../src/data/snapshot/opened.ts';
import { loadFiles } from '../../src/ingest/load/load.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { zipOf } from '../zip-of.ts';

type Rows = readonly (readonly (string | number)[])[];

function workbookOf(sheets: Readonly<Record<string, Rows>>): Buffer {
  const workbook = utils.book_new();
  for (const [name, rows] of Object.entries(sheets)) {
    utils.book_append_sheet(workbook, utils.aoa_to_sheet(rows.map((row) => [...row])), name);
  }
  // The type `buffer` returns a buffer.
  return write(workbook, { type: 'buffer', bookType: 'xlsx' }) as Buffer;
}

const companies: Rows = [
  ['상호명', '주소'],
  ['가람', '가람로 1'],
  ['나루', '나루로 2'],
];
const vehicles: Rows = [
  ['차종', '대수'],
  ['승용', 20],
];
const people: Rows = [
  ['이름', '직위'],
  ['다솜', '과장'],
  ['라온', '대리'],
  ['마루', '주임'],
];

async function load(data: string, name: string, content: string | Buffer) {
  const path = join(data, name);
  writeFileSync(path, content);
  const report = await loadFiles(join(data, 'var'), [path]);
  const byTitle = new Map(report.axes.map((axis) => [axis.title, axis]));
  const rows = Object.fromEntries(report.axes.map((axis) => [axis.title, axis.rows]));
  return { ...report, byTitle, rows };
}

test('every sheet with a table becomes an axis, and its code stays when others grow', async () => {
  using data = temporaryFolder();
  const name = 'file_15099001_현황.xlsx';
  const vehiclesTitle = '현황 (차량)';
  const first = await load(
    data.path,
    name,
    workbookOf({ 업체: companies, '차량 2023년': vehicles }),
  );
  assert.deepEqual(first.rows, { 현황: 2, [vehiclesTitle]: 1 });
  assert.equal(first.byTitle.get(vehiclesTitle)?.mainCode, 'file_15099001');
  const grown = workbookOf({
    직원: people,
    '차량 2024년': [...vehicles, ['화물', 3]],
    업체: companies,
  });
  const second = await load(data.path, name, grown);
  assert.deepEqual(second.rows, { 현황: 2, '현황 (직원)': 3, [vehiclesTitle]: 2 });
  assert.equal(second.byTitle.get('현황')?.code, 'file_15099001');
  assert.equal(second.byTitle.get('현황')?.isUnchanged, true);
  const { code } = first.byTitle.get(vehiclesTitle)!;
  assert.equal(second.byTitle.get(vehiclesTitle)?.code, code);
  assert.equal(second.axes.flatMap(({ findings }) => findings).length, 0);
  using opened = OpenedSnapshot.open(join(data.path, 'var'), second.snapshot!);
  const record = opened.part(code).records.record(1).toString();
  assert.equal(record, '{"차종":"화물","대수":"3"}');
  assert.equal((await load(data.path, name, grown)).isUnchanged, true);
});

test('tables of a CSV file and members of an archive become axes beside the largest', async () => {
  using data = temporaryFolder();
  const rain =
    '강수일수\n년도,1월,2월\n2022,3,4\n2023,1,2\n\n지점 목록\n지점번호,지점명\n108,가람\n';
  const tables = await load(data.path, '강수일수.csv', rain);
  assert.deepEqual(tables.rows, { 강수일수: 2, '강수일수 (지점 목록)': 1 });
  const archive = zipOf([
    { name: '업체_20240101.csv', content: '상호명,주소\n가람,가람로 1\n나루,나루로 2\n' },
    { name: '업체_20230101.csv', content: '상호명,주소\n가람,가람로 1\n' },
    { name: '코드/업종_20240101.csv', content: '업종코드,업종명\n01,농업\n' },
  ]);
  const loadedArchive = await load(data.path, '업체정보.zip', archive);
  assert.deepEqual(loadedArchive.rows, { 업체정보: 2, '업체정보 (코드/업종)': 1 });
  const examples = loadedArchive.axes.flatMap(({ findings }) =>
    findings.flatMap((each) => each.examples),
  );
  assert.deepEqual(
    examples.map(({ detail }) => detail.en),
    ['Rows not imported: 1; 업체_20240101.csv is newer.'],
  );
});
