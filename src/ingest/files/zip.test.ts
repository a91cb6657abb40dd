import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { zipOf } from '../../../test/zip-of.ts';
import { readWhole } from '../../../test/read-whole.ts';

async function fileOf(t: TestContext, bytes: Uint8Array): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'maru-zip-'));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, 'a.zip');
  await writeFile(path, bytes);
  return path;
}

const csv = '이름,값\n가람,1\n';

test('members are read in order, with names in CP949 or decomposed UTF-8', async (t) => {
  const bytes = zipOf([
    { name: iconv.encode('서울/뷁.csv', 'cp949'), content: iconv.encode(csv, 'cp949') },
    { name: '부산/'.normalize('NFD'), content: '' },
    { name: '부산/현황.json'.normalize('NFD'), content: '[{"이름":"나루"}]', flags: 0x800 },
    { name: '대구.csv.gz', content: gzipSync(Buffer.from(csv)) },
  ]);
  const { tables, findings } = await readWhole(await fileOf(t, bytes));
  assert.deepEqual(
    tables.map(({ part, format, encoding }) => [part, format, encoding]),
    [
      ['서울/뷁.csv', 'csv', 'cp949'],
      ['부산/현황.json', 'json', 'utf-8'],
      ['대구.csv.gz', 'csv', 'utf-8'],
    ],
  );
  assert.deepEqual(findings, []);
});

test('members that are not tables are skipped and reported', async (t) => {
  const bytes = zipOf([
    { name: 'a.pdf', content: '%PDF-1.7' },
    { name: 'b.csv', content: csv },
    { name: '__MACOSX/._b.csv', content: 'junk' },
    { name: 'c.csv', content: '' },
  ]);
  const { tables, findings } = await readWhole(await fileOf(t, bytes));
  assert.equal(tables.length, 1);
  assert.deepEqual(
    findings.map(({ kind }) => kind),
    ['part_not_held', 'part_not_held', 'part_not_held'],
  );
});

test('a member with a password is reported, the others are read', async (t) => {
  const bytes = zipOf([
    { name: '명단.csv', content: csv, flags: 1 },
    { name: '현황.csv', content: csv },
  ]);
  const { tables, findings } = await readWhole(await fileOf(t, bytes));
  assert.deepEqual(
    tables.map(({ part }) => part),
    ['현황.csv'],
  );
  assert.deepEqual(
    findings.map(({ kind }) => kind),
    ['part_not_held'],
  );
});

test('members with equal columns keep their file names as a column', async (t) => {
  const inner = zipOf([{ name: '라온.csv', content: csv }]);
  const bytes = zipOf([
    { name: '2023/현황.csv', content: csv },
    { name: '2024/현황.csv', content: '값,이름\n1,가람\n' },
    { name: '다솜.csv', content: csv },
    { name: '안.zip', content: inner },
    { name: '차량.csv', content: '번호,대수\n1,2\n' },
  ]);
  const { tables } = await readWhole(await fileOf(t, bytes));
  assert.deepEqual(
    tables.map(({ columns, rows }) => [columns.join(), rows[0]?.at(-1)]),
    [
      ['이름,값,파일', '2023/현황.csv'],
      ['값,이름,파일', '2024/현황.csv'],
      ['이름,값,파일', '다솜.csv'],
      ['이름,값,파일', '안.zip/라온.csv'],
      ['번호,대수', '2'],
    ],
  );
});

test('parts and versions of one file get no column of file names', async (t) => {
  const bytes = zipOf(
    ['현황_1.csv', '현황_2.csv', '현황_20240101.csv'].map((name) => ({ name, content: csv })),
  );
  const { tables } = await readWhole(await fileOf(t, bytes));
  assert.deepEqual(
    tables.map(({ columns }) => columns.join()),
    ['이름,값', '이름,값', '이름,값'],
  );
});

test('of any members, every row is read and its file is known', async (t) => {
  const member = fc.record({
    folder: fc.constantFrom('', '서울/', '부산/', '2023년/', '2024년/'),
    title: fc.constantFrom('현황', '목록', '나루 공원'),
    ending: fc.constantFrom('.csv', '.json', '.csv.gz', '.zip'),
    columns: fc.constantFrom(['이름', '값'], ['값', '이름'], ['이름', '값', '비고']),
    rows: fc.integer({ min: 1, max: 3 }),
  });
  const members = fc.uniqueArray(member, {
    minLength: 1,
    maxLength: 6,
    selector: ({ folder, title, ending }) => `${folder}${title}${ending}`,
  });
  await fc.assert(
    fc.asyncProperty(members, async (all) => {
      let value = 0;
      const places = new Map<string, string>();
      const archive = all.map(({ folder, title, ending, columns, rows }) => {
        const name = `${folder}${title}${ending}`;
        const records = Array.from({ length: rows }, () => {
          const cells = columns.map(() => `값${value++}`);
          for (const cell of cells) places.set(cell, name);
          return cells;
        });
        const text = [columns, ...records].map((cells) => cells.join()).join('\n');
        const json = records.map((cells) =>
          Object.fromEntries(columns.map((column, index) => [column, cells[index]])),
        );
        const content: Readonly<Record<string, string | Buffer>> = {
          '.csv': text,
          '.json': JSON.stringify(json),
          '.csv.gz': gzipSync(text),
          '.zip': zipOf([{ name: 'a.csv', content: text }]),
        };
        return { name, content: content[ending]! };
      });
      const { tables } = await readWhole(await fileOf(t, zipOf(archive)));
      const read = tables.flatMap(({ part, columns, rows }) => {
        const own = columns.filter((name) => name !== '파일');
        const place = (row: readonly unknown[]): unknown =>
          columns.length > own.length ? row[columns.indexOf('파일')] : part;
        return rows.flatMap((row) => own.map((name) => [row[columns.indexOf(name)], place(row)]));
      });
      assert.equal(read.length, value);
      for (const [cell, place] of read) {
        const expected = places.get(String(cell));
        assert.ok(expected !== undefined && String(place).startsWith(expected), String(cell));
      }
    }),
    { numRuns: 30 },
  );
});

test('an archive in an archive is read, a third level is refused', async (t) => {
  const inner = zipOf([{ name: 'a.csv', content: csv }]);
  const middle = zipOf([{ name: 'inner.zip', content: inner }]);
  const { tables } = await readWhole(await fileOf(t, middle));
  assert.deepEqual(
    tables.map(({ part }) => part),
    ['inner.zip/a.csv'],
  );
  const outer = zipOf([{ name: 'middle.zip', content: middle }]);
  await assert.rejects(readWhole(await fileOf(t, outer)), { code: 'not_a_table' });
});

const refused: readonly (readonly [string, Buffer, string])[] = [
  ['a path above it', zipOf([{ name: '../a.csv', content: csv }]), 'path_outside'],
  ['an absolute path', zipOf([{ name: '/etc/a.csv', content: csv }]), 'path_outside'],
  ['a path on a drive', zipOf([{ name: 'C:\\a.csv', content: csv }]), 'path_outside'],
  ['an encrypted member', zipOf([{ name: 'a.csv', content: csv, flags: 1 }]), 'encrypted'],
  ['a wrong checksum', zipOf([{ name: 'a.csv', content: csv, checksum: 1 }]), 'damaged'],
  ['its end cut off', zipOf([{ name: 'a.csv', content: csv }]).subarray(0, 60), 'truncated'],
  ['no members', zipOf([]), 'empty'],
  [
    'no table in it',
    zipOf([{ name: 'a.png', content: Buffer.from('\x89PNG', 'latin1') }]),
    'not_a_table',
  ],
];

for (const [name, bytes, code] of refused) {
  test(`an archive with ${name} is refused with ${code}`, async (t) => {
    await assert.rejects(readWhole(await fileOf(t, bytes)), { name: 'FileRefused', code });
  });
}

test('an archive that inflates out of proportion or past the bound is refused', async (t) => {
  const path = await fileOf(t, zipOf([{ name: 'a.csv', content: 'a'.repeat(4_000_000) }]));
  await assert.rejects(readWhole(path, { limits: { expansionRatioFromBytes: 1_000_000 } }), {
    code: 'zip_bomb',
  });
  await assert.rejects(readWhole(path, { limits: { expandedBytesMax: 3_999_999 } }), {
    code: 'zip_bomb',
  });
});

test('an archive with more members than the bound is refused', async (t) => {
  const path = await fileOf(
    t,
    zipOf([
      { name: 'a.csv', content: csv },
      { name: 'b.csv', content: csv },
    ]),
  );
  await assert.rejects(readWhole(path, { limits: { archiveMembersMax: 1 } }), {
    code: 'too_large',
  });
  assert.equal((await readWhole(path, { limits: { archiveMembersMax: 2 } })).tables.length, 2);
});
