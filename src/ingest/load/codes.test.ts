import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { OpenedSnapshot } from '../../data/snapshot/opened.ts';
import { loadFiles } from './load.ts';

function sorted<Item>(items: readonly Item[]): Item[] {
  return items.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

/** A folder with files in it, and a data folder to load them into. */
function downloads(contents: Readonly<Record<string, string>>) {
  const folder = temporaryFolder();
  const source = join(folder.path, 'downloads');
  const add = (files: Readonly<Record<string, string>>): void => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(source, name)), { recursive: true });
      writeFileSync(join(source, name), text);
    }
  };
  add(contents);
  const load = async (...names: readonly string[]) => {
    const paths = names.length === 0 ? [source] : names.map((name) => join(source, name));
    const report = await loadFiles(join(folder.path, 'var'), paths);
    return {
      report,
      axes: sorted(report.axes.map(({ title, rows, files }) => [title, rows, ...files])),
      skipped: sorted(report.notHeld.map(({ code, message }) => [code, message.en])),
    };
  };
  /** Titles and column names of the stored axes, by code. */
  const stored = (snapshot: string) => {
    using opened = OpenedSnapshot.open(join(folder.path, 'var'), snapshot);
    return new Map(
      [...opened.axes].map(([code, { axis, fields }]) => [
        code,
        [axis.title, ...fields.map(({ name }) => name)],
      ]),
    );
  };
  return { add, load, stored, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

test('files of one name in two folders are two axes, with other columns or other rows', async () => {
  using folder = downloads({
    '서울/현황.csv': '이름,값\n가,1\n나,2\n',
    '부산/현황.csv': '시설,주소\n다,3\n',
    '서울/명단.csv': '이름,값\n가,1\n나,2\n다,3\n',
    '부산/명단.csv': '이름,값\n라,4\n',
  });
  const { axes, skipped } = await folder.load();
  assert.deepEqual(
    axes,
    sorted([
      ['명단 (부산)', 1, '명단.csv'],
      ['명단 (서울)', 3, '명단.csv'],
      ['현황 (시설, 주소)', 1, '현황.csv'],
      ['현황', 2, '현황.csv'],
    ]),
  );
  assert.deepEqual(skipped, []);
});

test('a table beside a main one gets a title that no other table has', async () => {
  using folder = downloads({
    '서울/서울특별시_공장_2025.csv': '이름,값\n가,1\n',
    '서울/서울특별시_공장.csv': '이름,값\n나,2\n',
    '서울특별시_공장_2025_2.csv': '이름,값\n다,3\n',
  });
  const { axes } = await folder.load();
  assert.deepEqual(
    axes.map(([title]) => title),
    ['서울특별시_공장', '서울특별시_공장_2025 (이름, 값)', '서울특별시_공장_2025'],
  );
});

test('a part with other columns and a JSON of other data are axes of their own', async () => {
  using folder = downloads({
    '공장현황_1.csv': '이름,값\n가,1\n',
    '공장현황_2.csv': '값,이름\n2,나\n',
    '공장현황_3.csv': '이름,값,비고\n다,3,없음\n',
    '자료.csv': '시설,주소\n가,서울\n나,부산\n',
    '자료.json': '[{"노선":"1호선"}]',
  });
  const { axes, skipped, report } = await folder.load();
  assert.deepEqual(
    axes,
    sorted([
      ['공장현황', 2, '공장현황_1.csv', '공장현황_2.csv'],
      ['공장현황 (이름, 값, 비고)', 1, '공장현황_3.csv'],
      ['자료', 2, '자료.csv'],
      ['자료 (노선)', 1, '자료.json'],
    ]),
  );
  assert.deepEqual(skipped, []);
  const codes = report.axes.map(({ code }) => code);
  assert.equal(new Set(codes).size, 4);
});

test('pages of a response in which some records lack a member are one axis', async () => {
  using folder = downloads({
    '정류장_1.json': '[{"이름":"가","위치":"서울","전화":"1"}]',
    '정류장_2.json': '[{"이름":"나","위치":"부산"}]',
  });
  assert.deepEqual((await folder.load()).axes, [['정류장', 2, '정류장_1.json', '정류장_2.json']]);
});

test('a table never replaces another of its number unless its code is requested', async () => {
  using folder = downloads({ 'file_15051059_약국.csv': '약국명,주소\n가,서울\n' });
  const first = await folder.load();
  assert.deepEqual(
    first.report.axes.map(({ code }) => code),
    ['file_15051059'],
  );
  folder.add({ 'file_15051059_병원.csv': '병원명,병상,종별\n가,1,의원\n나,2,의원\n다,3,의원\n' });
  const hospitals = await folder.load('file_15051059_병원.csv');
  const [axis] = hospitals.report.axes;
  assert.equal(axis!.insteadOf, 'file_15051059');
  const stored = folder.stored(hospitals.report.snapshot!);
  assert.deepEqual(stored.get('file_15051059'), ['약국', '약국명', '주소']);
  assert.deepEqual(stored.get(axis!.code), ['병원', '병원명', '병상', '종별']);
  const both = await folder.load();
  assert.equal(both.report.isUnchanged, true, 'Together they have the same codes.');
  assert.equal((await folder.load('file_15051059_병원.csv')).report.isUnchanged, true);
});

test('a file is superseded by a later date only; one without a date is neither older nor newer', async () => {
  using folder = downloads({
    'file_15090165_현황_2024.csv': '이름,값\n가,1\n',
    'file_15090165_현황_20240301.csv': '이름,값\n나,2\n',
    'file_15090165_현황_20230101.csv': '이름,값\n다,3\n',
    'file_15090165_현황.csv': '이름,값\n라,4\n',
  });
  const { axes, skipped } = await folder.load();
  assert.equal(axes.length, 3);
  assert.deepEqual(skipped, [['superseded', 'file_15090165_현황_20240301.csv is newer.']]);
});

test('a copy has equal rows; the same data with damage in another format is reported as such', async () => {
  using folder = downloads({
    '주차장.csv': '이름,값\n라,4\n마,5\n',
    '주차장.json': '[{"값":5,"이름":"마"},{"이름":"라","값":"4"}]',
    '공원.csv': '이름,값\n가,1\n나,2\n',
    '공원.json': '[{"이름":"가","값":"1"},{"이름":"\\"나\\"","값":"2"}]',
  });
  const { skipped } = await folder.load();
  assert.deepEqual(skipped, [
    ['copy', '주차장.csv has the same rows; only one copy is imported.'],
    [
      'other_format',
      '공원.csv is the same data in another format with less damage; it is imported instead (2 rows there, 2 here).',
    ],
  ]);
});

test('a file that is skipped for one in another folder names it with its folder', async () => {
  using folder = downloads({
    '서울/현황.csv': '이름,값\n가,1\n',
    '부산/현황.csv': '이름,값\n가,1\n',
    '서울/file_15090165_명단_20240101.csv': '이름,값\n나,2\n',
    '부산/file_15090165_명단_20240301.csv': '이름,값\n다,3\n',
  });
  assert.deepEqual((await folder.load()).skipped, [
    ['copy', '부산/현황.csv has the same bytes; only one copy is imported.'],
    ['superseded', '부산/file_15090165_명단_20240301.csv is newer.'],
  ]);
});

test('a file that is named twice is imported once and not reported as a copy of itself', async () => {
  using folder = downloads({ '현황.csv': '이름,값\n가,1\n' });
  const { axes, skipped } = await folder.load('현황.csv', '.', '현황.csv');
  assert.deepEqual(axes, [['현황', 1, '현황.csv']]);
  assert.deepEqual(skipped, []);
});
