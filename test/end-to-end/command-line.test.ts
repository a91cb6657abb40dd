import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import iconv from 'iconv-lite';
import type { LoadReport } from '../../src/ingest/load/load.ts';
import { currentId } from '../../src/data/snapshot/snapshots.ts';
import { buildAxis } from '../build-axis.ts';
import { copyFirstStart } from '../fixtures/first-start.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { runMaru, serveMaru, startMaru } from './run-maru.ts';

const fixtures = resolve(import.meta.dirname, '../fixtures');

test('a file in CP949 is imported under its number with its text and regions', async () => {
  using data = temporaryFolder();
  const file = join(data.path, '중구_주차장 현황_file_15099001_20250601.csv');
  writeFileSync(file, iconv.encode(parking, 'cp949'));
  const report = await load(data.path, [file]);
  assert.deepEqual(
    report.axes.map(({ code, rows, fields }) => ({ code, rows, fields })),
    [{ code: 'file_15099001', rows: 3, fields: 5 }],
  );
  await using server = await serveMaru(data.path);
  const page = await getJson(server.address, '/api/data/axis?axis=file_15099001');
  assert.deepEqual(page['items'], [
    {
      관리번호: '0012',
      주차장명: '샾앞 주차장',
      소재지: '서울특별시 중구 세종대로 1',
      요금: '1,200',
      기준일: '2025-06-01',
    },
    {
      관리번호: '0013',
      주차장명: '뷁 주차장',
      소재지: '강원도 춘천시 시청길 2',
      요금: null,
      기준일: '2025-06-01',
    },
    {
      관리번호: '0014',
      주차장명: '남산 주차장',
      소재지: '서울 중구 소파로 3',
      요금: '0',
      기준일: '2025-06-31',
    },
  ]);
  const fields = (await getJson(server.address, '/api/data/fields?axis=file_15099001'))['items'];
  const types = (fields as { name: string; type: string; role: string }[]).map((field) => [
    field.name,
    field.type,
    field.role,
  ]);
  assert.deepEqual(types.slice(0, 4), [
    ['관리번호', 'string', 'id'],
    ['주차장명', 'string', 'name'],
    ['소재지', 'string', 'address'],
    ['요금', 'integer', null],
  ]);
  for (const [query, rows] of [
    ['sido=서울', 2],
    ['sido=강원특별자치도&sigungu=춘천시', 1],
    ['sido=강원도', 1],
  ] as const) {
    const region = await getJson(server.address, `/api/region?${encodeURI(query)}`);
    const items = region['items'] as { axis: string; rows: number }[];
    assert.equal(items.find(({ axis }) => axis === 'file_15099001')?.rows, rows, query);
  }
});

test('every axis of a folder answers on all eight endpoints', async () => {
  using data = temporaryFolder();
  const folder = join(data.path, 'downloads');
  cpSync(join(fixtures, 'files'), folder, { recursive: true });
  const report = await load(data.path, [folder]);
  assert.ok(report.axes.length >= 10);
  assert.ok(report.notHeld.length > 0, 'The fixtures include files that are refused.');
  assert.equal(
    (await runMaru(data.path, ['catalog', 'load', join(fixtures, 'catalog/list-2022.csv')])).status,
    0,
  );
  assert.equal(
    (await runMaru(data.path, ['demand', 'load', join(fixtures, 'demand/ranking.csv')])).status,
    0,
  );
  await using server = await serveMaru(data.path);
  const held = (await getJson(server.address, '/api/axes'))['items'] as {
    code: string;
    rows: number;
  }[];
  const axes = held.filter(({ code }) => code.startsWith('file_'));
  assert.equal(axes.length, report.axes.length);
  for (const { code, rows } of axes) {
    assert.equal(
      (await getJson(server.address, `/api/data/axis?axis=${code}&limit=0`))['total'],
      rows,
    );
    assert.ok(
      ((await getJson(server.address, `/api/data/fields?axis=${code}`))['count'] as number) > 0,
    );
    await getJson(server.address, `/api/data/search?q=1&axis=${code}`);
  }
  const stats = await getJson(server.address, '/api/stats');
  assert.equal(
    (stats['rows'] as { total: number }).total,
    held.reduce((sum, axis) => sum + axis.rows, 0),
  );
  assert.ok(((await getJson(server.address, '/api/catalog/search'))['total'] as number) > 0);
  assert.ok(((await getJson(server.address, '/api/demand'))['total'] as number) > 0);
  assert.ok((await getJson(server.address, '/api/region?sido=11'))['region'] !== null);
});

test('a named file that cannot be imported ends the load, and the served snapshot stays', async () => {
  using data = temporaryFolder();
  const good = join(data.path, 'good.csv');
  writeFileSync(good, '이름,값\n하나,1\n둘,2\n');
  await load(data.path, [good]);
  const before = currentId(data.path);
  const bad: Record<string, [content: Buffer | string, expected: RegExp]> = {
    'empty.csv': ['', /empty/],
    'page.csv': ['<!DOCTYPE html><html><body>점검 중입니다</body></html>', /html_page/],
    'cut.csv.gz': [gzipSync('이름,값\n하나,1\n'.repeat(500)).subarray(0, 60), /truncated/],
    'junk.csv': [Buffer.from([0, 1, 2, 3, 0, 0, 7, 0]), /binary/],
    'error.xml': [readFileSync(join(fixtures, 'files/key-error.xml')), /portal_error/],
    'paper.csv': ['%PDF-1.7\n', /document/],
  };
  for (const [name, [content, expected]] of Object.entries(bad)) {
    const path = join(data.path, name);
    writeFileSync(path, content);
    const ran = await runMaru(data.path, ['load', good, path]);
    assert.equal(ran.status, 1, `${name}: ${ran.output}${ran.errors}`);
    assert.match(ran.errors, expected);
    assert.equal(currentId(data.path), before, name);
  }
});

test('the newest version of a dataset is imported and the others are reported', async () => {
  using data = temporaryFolder();
  const folder = join(data.path, 'versions');
  mkdirSync(folder);
  for (const [name, mark] of [
    ['현황_20240101.csv', 'a'],
    ['현황_20260101.csv', 'b'],
    ['현황_20250101.csv', 'c'],
  ] as const) {
    writeFileSync(join(folder, name), `이름,값\n${mark},1\n`);
  }
  const manifestEntries = ['현황_20240101.csv', '현황_20260101.csv', '현황_20250101.csv'].map(
    (file) => ({
      file,
      title: '시험 현황',
      portal_number: '15099002',
    }),
  );
  writeFileSync(join(folder, 'MANIFEST.json'), JSON.stringify({ files: manifestEntries }));
  const report = await load(data.path, [folder]);
  assert.deepEqual(
    report.axes.map(({ code, files }) => [code, files]),
    [['file_15099002', ['현황_20260101.csv']]],
  );
  assert.deepEqual(
    report.notHeld.map(({ code }) => code),
    ['superseded', 'superseded'],
  );
});

test('a second download is a copy, numbered files are parts, replacements are reported', async () => {
  using data = temporaryFolder();
  const folder = join(data.path, 'downloads');
  mkdirSync(folder);
  const write = (name: string, mark: string): void =>
    writeFileSync(join(folder, `file_15099004_${name}.csv`), `이름,값\n${mark},1\n`);
  write('현황_20250101', '하나');
  write('현황_20250101 (1)', '하나');
  assert.deepEqual(
    (await load(data.path, [folder])).axes.map(({ rows, replaced }) => [rows, replaced]),
    [[1, null]],
  );
  const parts = join(data.path, 'parts');
  mkdirSync(parts);
  for (const part of ['', '_2']) {
    writeFileSync(join(parts, `file_15099004_현황_20260101${part}.csv`), `이름,수\n${part},1\n`);
  }
  assert.deepEqual(
    (await load(data.path, [parts])).axes.map(({ rows, replaced }) => [rows, replaced]),
    [[2, { rows: 1, hasOtherFields: true }]],
  );
});

test('an export whose reader closes the pipe early ends quietly', async () => {
  using data = temporaryFolder();
  const rows = Array.from({ length: 20_000 }, (_, row) => [`이름 ${row * 7919}`, '주차장']);
  buildAxis(data.path, 'file_1', rows);
  const { child, ended } = startMaru(data.path, ['snapshot', 'export', 'file_1']);
  child.stdout.once('data', () => child.stdout.destroy());
  const { code, output } = await ended;
  assert.equal(code, 0);
  assert.doesNotMatch(output, /Warning|await/);
});

test('snapshots are listed, verified, compared, rolled back and exported', async () => {
  using data = temporaryFolder();
  const file = join(data.path, 'file_15099003.csv');
  writeFileSync(file, '이름,값\n하나,1\n');
  const first = (await load(data.path, [file])).snapshot!;
  writeFileSync(file, '이름,값\n하나,1\n둘,2\n');
  const second = (await load(data.path, [file])).snapshot!;
  assert.match(
    (await runMaru(data.path, ['snapshot', 'list'])).output,
    new RegExp(`^\\* ${second}`, 'm'),
  );
  assert.match(
    (await runMaru(data.path, ['snapshot', 'diff', first, second])).output,
    /file_15099003 {2}records {2}1 → 2 rows/,
  );
  assert.equal((await runMaru(data.path, ['snapshot', 'verify'])).status, 0);
  assert.equal(
    (await runMaru(data.path, ['snapshot', 'export', 'file_15099003'])).output,
    '{"이름":"하나","값":"1"}\n{"이름":"둘","값":"2"}\n',
  );
  assert.equal((await runMaru(data.path, ['snapshot', 'rollback'])).status, 0);
  assert.equal(currentId(data.path), first);
  const damaged = join(data.path, 'snapshots', second, 'axes/file_15099003/records.json');
  writeFileSync(damaged, 'x');
  const ran = await runMaru(data.path, ['snapshot', 'rollback', second]);
  assert.equal(ran.status, 1);
  assert.match(ran.errors, /damaged/);
});

test('the process ends with the exit code of its command', async () => {
  using data = temporaryFolder();
  for (const [words, expected] of [
    [['snapshot', 'list'], 0],
    [['load', join(data.path, 'absent.csv')], 1],
    [['lod'], 2],
  ] as const) {
    const { code, output } = await startMaru(data.path, words).ended;
    assert.equal(code, expected, output);
  }
});

test('the command that npx and Windows start has the output and exit codes of ./maru', async () => {
  const program = resolve(import.meta.dirname, '../../bin/maru.js');
  const version = await promisify(execFile)(process.execPath, [program, '--version']);
  assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/);
  const wrong = promisify(execFile)(process.execPath, [program, 'nothing']);
  await assert.rejects(wrong, { code: 2 });
});

test('a usage error ends with exit code 2 and the reason', async () => {
  using data = temporaryFolder();
  for (const words of [
    ['lod'],
    ['load'],
    ['load', '--typ', 'x', 'y'],
    ['load', '--axis', '15099001', 'y'],
    ['load', '--axis', 'std_library', 'y'],
    ['load', '--axis', 'file_15099001', join(fixtures, 'files')],
    ['snapshot', 'diff', 'one'],
    ['serve', 'nothing'],
  ]) {
    const ran = await runMaru(data.path, words);
    assert.equal(ran.status, 2, words.join(' '));
    assert.notEqual(ran.errors, '');
  }
  const typo = await runMaru(data.path, ['snapshot', 'list'], { MARU_DTA: 'x' });
  assert.equal(typo.status, 2);
  assert.match(typo.errors, /MARU_DATA/);
  assert.equal((await runMaru(data.path, ['load', join(data.path, 'absent.csv')])).status, 1);
  for (const words of [
    ['--help'],
    ['load', '--help'],
    ['snapshot', 'rollback', '--help'],
    ['--version'],
  ]) {
    assert.equal((await runMaru(data.path, words)).status, 0, words.join(' '));
  }
});

test('every curl of the README is answered by a first start', async () => {
  using data = temporaryFolder();
  await copyFirstStart(data.path);
  await using server = await serveMaru(data.path);
  const readme = readFileSync(resolve(import.meta.dirname, '../../README.md'), 'utf8');
  const urls = Array.from(readme.matchAll(/curl -LO? ['"](http:[^'"]+)/g), ([, url]) => url!);
  assert.ok(urls.length >= 10);
  for (const url of urls) {
    const response = await fetch(url.replace('http://127.0.0.1:3000', server.address));
    assert.equal(response.status, 200, url);
    await response.arrayBuffer();
  }
});

const parking =
  '관리번호,주차장명,소재지,요금,기준일\n' +
  '0012,샾앞 주차장,서울특별시 중구 세종대로 1,"1,200",2025-06-01\n' +
  '0013,뷁 주차장,강원도 춘천시 시청길 2,,2025-06-01\n' +
  '0014,남산 주차장,서울 중구 소파로 3,0,2025-06-31\n';

async function load(data: string, paths: readonly string[]): Promise<LoadReport> {
  const ran = await runMaru(data, ['load', ...paths, '--json']);
  assert.equal(ran.status, 0, ran.errors);
  return JSON.parse(ran.output) as LoadReport;
}

async function getJson(address: string, path: string): Promise<Record<string, unknown>> {
  const response = await fetch(address + path);
  assert.equal(response.status, 200, path);
  return (await response.json()) as Record<string, unknown>;
}
