import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { utils, write } from '@e965/xlsx';
import iconv from 'iconv-lite';
import { loadFiles } from '../../src/ingest/load/load.ts';
import { currentId } from '../../src/data/snapshot/snapshots.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { zipOf } from '../zip-of.ts';
import { runMaru, serveMaru } from './run-maru.ts';

const csv = '이름,값\n하나,1\n둘,2\n';

test('an archive that is a bomb, points outside or is encrypted is refused', async () => {
  using data = temporaryFolder();
  const good = join(data.path, 'good.csv');
  writeFileSync(good, csv);
  assert.equal((await runMaru(data.path, ['load', good])).status, 0);
  const before = currentId(data.path);
  const hostile: Record<string, [archive: Buffer, expected: RegExp]> = {
    'bomb.zip': [zipOf([{ name: 'a.csv', content: 'a,b\n'.repeat(18_000_000) }]), /zip_bomb/],
    'outside.zip': [zipOf([{ name: '../../a.csv', content: csv }]), /path_outside/],
    'encrypted.zip': [zipOf([{ name: 'a.csv', content: csv, flags: 1 }]), /encrypted/],
  };
  for (const [name, [archive, expected]] of Object.entries(hostile)) {
    const path = join(data.path, name);
    writeFileSync(path, archive);
    const ran = await runMaru(data.path, ['load', good, path]);
    assert.equal(ran.status, 1, `${name}: ${ran.output}${ran.errors}`);
    assert.match(ran.errors, expected);
    assert.match(ran.output, /Nothing was published/);
    assert.equal(currentId(data.path), before, name);
  }
  assert.ok(!existsSync(resolve(data.path, '../a.csv')));
});

test('loading the same files again publishes nothing and reports it', async () => {
  using data = temporaryFolder();
  const one = join(data.path, 'file_15099001_하나.csv');
  const two = join(data.path, 'file_15099002_둘.csv');
  writeFileSync(one, csv);
  writeFileSync(two, `${csv}셋,3\n`);
  assert.equal((await runMaru(data.path, ['load', one, two])).status, 0);
  const first = currentId(data.path);
  const again = await runMaru(data.path, ['load', one, two]);
  assert.equal(again.status, 0);
  assert.match(again.output, new RegExp(`Nothing has changed: snapshot ${first} in `));
  assert.equal(currentId(data.path), first);
  writeFileSync(two, `${csv}넷,4\n`);
  const changed = await runMaru(data.path, ['load', one, two]);
  assert.match(changed.errors, /file_15099001 .*\(unchanged\)/);
  assert.match(changed.output, /Published as snapshot/);
  assert.notEqual(currentId(data.path), first);
  assert.equal((await runMaru(data.path, ['snapshot', 'verify'])).status, 0);
  const second = currentId(data.path);
  assert.equal((await runMaru(data.path, ['load', one, two, '--title', '다른 이름'])).status, 0);
  assert.notEqual(currentId(data.path), second, 'Other options make another snapshot.');
});

test('a load reports where it published and which files it skipped', async () => {
  using data = temporaryFolder();
  const folder = join(data.path, 'downloads');
  mkdirSync(folder);
  writeFileSync(join(folder, 'file_15099001_하나.csv'), csv);
  for (const name of ['안내.pdf', '두\n줄.hwp']) writeFileSync(join(folder, name), 'x');
  writeFileSync(join(folder, '빈\n파일.csv'), '');
  const { output, errors } = await runMaru(join(data.path, 'var'), ['load', folder]);
  const lines = output.trim().split('\n');
  assert.match(lines[0]!, /^of no data format {2}두 줄\.hwp, 안내\.pdf$/);
  assert.match(lines[1]!, /^ {2}Documents .* are not data/);
  assert.match(lines[2]!, /^1 axis, 2 rows in .*; 1 file skipped, 2 files of no data format\.$/);
  assert.ok(lines[3]!.endsWith(` in ${join(data.path, 'var')}.`), lines[3]);
  assert.match(errors, /^skipped {2}.*빈 파일\.csv {2}empty: /m);
});

test('files and folders named in CP949 are loaded like any other', async () => {
  using data = temporaryFolder();
  const inside = (name: string): Buffer =>
    Buffer.concat([Buffer.from(`${data.path}/`), iconv.encode(name, 'cp949')]);
  mkdirSync(inside('내려받은 것'));
  writeFileSync(inside('내려받은 것/file_15099001_주차장.csv'), csv);
  const archive = zipOf([{ name: 'a.csv', content: `${csv}셋,3\n` }]);
  writeFileSync(inside('내려받은 것/file_15099002_도서관.zip'), archive);
  const book = utils.book_new(
    utils.aoa_to_sheet([
      ['이름', '값'],
      ['가', 1],
    ]),
    '표',
  );
  writeFileSync(
    inside('내려받은 것/file_15099003_현황.xlsx'),
    write(book, { type: 'buffer' }) as Buffer,
  );
  const { axes, notHeld } = await loadFiles(join(data.path, 'var'), [
    join(data.path, '내려받은 것'),
  ]);
  assert.deepEqual(notHeld, []);
  assert.deepEqual(
    axes.map(({ code, title, rows }) => [code, title, rows]),
    [
      ['file_15099001', '주차장', 2],
      ['file_15099002', '도서관', 3],
      ['file_15099003', '현황', 1],
    ],
  );
});

test('a load that is stopped leaves nothing behind and throws the reason', async () => {
  using data = temporaryFolder();
  const file = join(data.path, 'file_15099001_하나.csv');
  writeFileSync(file, `이름,값\n${'가람,1\n'.repeat(100_000)}`);
  const stop = new AbortController();
  const loading = loadFiles(join(data.path, 'var'), [file], {
    signal: stop.signal,
    onProgress: () => stop.abort(new Error('enough')),
  });
  await assert.rejects(loading, /enough/);
  assert.deepEqual(
    readdirSync(join(data.path, 'var/snapshots')).filter((name) => name !== '.lock'),
    [],
  );
});

test('Ctrl-C during a load reports that nothing was published and ends with 130', async () => {
  using data = temporaryFolder();
  const folder = join(data.path, 'downloads');
  mkdirSync(folder);
  for (const name of ['a.csv', 'copy.csv']) writeFileSync(join(folder, name), csv);
  writeFileSync(join(folder, 'large.csv'), `이름,값\n${'가람,1\n'.repeat(1_000_000)}`);
  const child = spawn(resolve(import.meta.dirname, '../../maru'), ['load', folder], {
    env: { ...process.env, MARU_DATA: join(data.path, 'var') },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const lines: string[] = [];
  const ended = once(child, 'close');
  for await (const line of createInterface(child.stderr)) {
    // The copy is reported before the first file is read.
    if (lines.push(line) === 1) child.kill('SIGINT');
  }
  assert.deepEqual(await ended, [130, null], lines.join('\n'));
  assert.match(lines.at(-1)!, /Stopped\. Nothing was published.*Run the same command again/);
  const left = readdirSync(join(data.path, 'var/snapshots')).filter((name) => name !== '.lock');
  assert.deepEqual(left, []);
});

test('files loaded before the first start are served with the calendar and without samples', async () => {
  using data = temporaryFolder();
  const file = join(data.path, 'file_15099001_하나.csv');
  writeFileSync(file, csv);
  assert.equal((await runMaru(data.path, ['load', file])).status, 0);
  await using server = await serveMaru(data.path);
  const response = await fetch(`${server.address}/api/axes?limit=500`);
  const { items } = (await response.json()) as { items: { code: string; origin: string }[] };
  const codes = items.map(({ code }) => code);
  for (const code of ['file_15099001', 'gen_restdeinfo']) assert.ok(codes.includes(code), code);
  assert.deepEqual(
    items.filter(({ origin }) => origin === 'sample'),
    [],
  );
});
