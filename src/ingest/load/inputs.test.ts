import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import iconv from 'iconv-lite';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { findInputs } from './inputs.ts';

test('links to files are followed; other entries are reported without waiting', () => {
  using folder = temporaryFolder();
  using other = temporaryFolder();
  const inside = (name: string): string => join(folder.path, name);
  writeFileSync(join(other.path, 'real.csv'), '이름\n가\n');
  writeFileSync(inside('plain.csv'), '이름\n가\n');
  writeFileSync(inside('readme.md'), '');
  symlinkSync(join(other.path, 'real.csv'), inside('link.csv'));
  symlinkSync(join(other.path, 'gone.csv'), inside('lost.csv'));
  symlinkSync(folder.path, inside('round'));
  execFileSync('mkfifo', [inside('pipe.csv')]);
  const { files, passedOver, refused } = findInputs([folder.path]);
  assert.deepEqual(
    files.map(({ path }) => basename(path)),
    ['link.csv', 'plain.csv'],
  );
  assert.deepEqual(
    passedOver.map((path) => basename(path)),
    ['readme.md'],
  );
  assert.deepEqual(
    refused.map(({ path, code, message }) => [basename(path), code, message.en.slice(path.length)]),
    [
      ['lost.csv', 'unreadable', ': there is no such file or folder (ENOENT).'],
      ['pipe.csv', 'not_a_file', ' is a pipe, not a file; name a data file.'],
      ['round', 'not_a_file', ' is a folder, not a file; name a data file.'],
    ],
  );
  assert.throws(() => findInputs([inside('pipe.csv')]), { code: 'not_a_file' });
  assert.throws(() => findInputs([inside('absent.csv')]), /absent\.csv: there is no such file/);
});

test('a CP949 name is decoded; a name that is not text or that another file has is reported', () => {
  using folder = temporaryFolder();
  const write = (name: Buffer) =>
    writeFileSync(Buffer.concat([Buffer.from(`${folder.path}/`), name]), '이름\n가\n');
  write(iconv.encode('주차장.csv', 'cp949'));
  write(iconv.encode('도서관.csv', 'cp949'));
  write(Buffer.from('도서관.csv'));
  write(Buffer.from([0xff, 0xfe, ...Buffer.from('.csv')]));
  const { files, refused } = findInputs([folder.path]);
  assert.deepEqual(files.map(({ path }) => basename(path)).toSorted(compare), [
    '도서관.csv',
    '주차장.csv',
  ]);
  assert.deepEqual(
    refused.map(({ code, message }) => [
      code,
      /neither UTF-8 nor CP949, or another/.test(message.en),
    ]),
    [
      ['unreadable', true],
      ['unreadable', true],
    ],
  );
  const named = findInputs([join(folder.path, '주차장.csv')]);
  assert.equal(named.files[0]?.sizeBytes, files.find(({ path }) => /주차/.test(path))?.sizeBytes);
});

function compare(a: string, b: string): number {
  return a < b ? -1 : 1;
}

test('an invalid manifest is refused with its path and its fault', () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'a', 'data.csv');
  mkdirSync(join(folder.path, 'a'));
  writeFileSync(file, '이름\n가\n');
  const broken: readonly (readonly [string, RegExp])[] = [
    ['{"files":[', /MANIFEST\.json cannot be used: .*JSON/],
    ['{"files":{}}', /MANIFEST\.json cannot be used: "files" is not a list/],
    ['{"files":[{"file":"a"},7]}', /entry 2 of "files" is not an object/],
    ['{"files":[{"title":"a"}]}', /entry 1 of "files" has no text "file"/],
  ];
  for (const [manifest, message] of broken) {
    writeFileSync(join(folder.path, 'MANIFEST.json'), manifest);
    assert.throws(() => findInputs([file]), message);
  }
  writeFileSync(
    join(folder.path, 'MANIFEST.json'),
    '\ufeff{"files":[{"file":"a/data.csv","title":"이름"}]}',
  );
  assert.equal(findInputs([file]).files[0]?.title, '이름');
  writeFileSync(join(folder.path, 'MANIFEST.json'), '{"version":3}');
  assert.equal(findInputs([file]).files[0]?.title, null);
});

test('files of every format that is read are found in folders by their endings', () => {
  using folder = temporaryFolder();
  const names = ['a.geojsonl', 'b.geojsons', 'c.gml', 'd.gpx', 'e.xlsb'];
  for (const name of names) writeFileSync(join(folder.path, name), '이름\n가\n');
  const { files, passedOver } = findInputs([folder.path]);
  assert.deepEqual([files.map(({ path }) => basename(path)), passedOver], [names, []]);
});
