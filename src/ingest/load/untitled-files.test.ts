import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { loadFiles } from './load.ts';

/** Titles of the axes of a load by their files, and the sentences about missing titles. */
async function titlesOf(contents: Readonly<Record<string, string>>, title?: string) {
  using folder = temporaryFolder();
  const source = join(folder.path, 'source');
  for (const [path, text] of Object.entries(contents)) {
    mkdirSync(dirname(join(source, path)), { recursive: true });
    writeFileSync(join(source, path), text);
  }
  const options = title === undefined ? {} : { title };
  const { axes, notHeld } = await loadFiles(join(folder.path, 'data'), [source], options);
  assert.deepEqual(notHeld, []);
  const missing = axes.flatMap(({ findings }) =>
    findings.filter(({ kind }) => kind === 'title_missing').flatMap(({ examples }) => examples),
  );
  return {
    titles: Object.fromEntries(axes.map((axis) => [axis.files.join(), axis.title])),
    missing: missing.map(({ detail }) => detail.en),
  };
}

const table = (name: string) => `시설명,좌석수\n${name},12\n가람,7\n`;

test('untitled files have the title of their folder, and files of several days are all kept', async () => {
  const { titles, missing } = await titlesOf({
    '서울시 도서관 현황/20240630.csv': table('나루'),
    '서울시 도서관 현황/20240731.csv': table('다솜'),
    '공영주차장/1.csv': table('라온'),
    '공영주차장/2.csv': '주차장명,면수\n마루,3\n',
  });
  assert.deepEqual(titles, {
    '20240630.csv': '서울시 도서관 현황 (20240630)',
    '20240731.csv': '서울시 도서관 현황 (20240731)',
    '1.csv': '공영주차장',
    '2.csv': '공영주차장 (주차장명, 면수)',
  });
  assert.deepEqual(missing, []);
});

test('a file without a title in its name or folder is titled by the line above its table', async () => {
  const { titles, missing } = await titlesOf({
    'download (3).csv': `<전국 체육시설 현황>\n(단위: 석)\n${table('나루')}`,
  });
  assert.deepEqual(titles, { 'download (3).csv': '전국 체육시설 현황' });
  assert.deepEqual(missing, []);
});

test('a file without any title is reported with advice', async () => {
  const { titles, missing } = await titlesOf({ '20240630.csv': table('나루') });
  assert.deepEqual(titles, { '20240630.csv': '20240630' });
  assert.match(missing.join('\n'), /^The file’s name has no title.*--title/u);
});

test('a file without a title gets the title on the command line', async () => {
  const { titles, missing } = await titlesOf({ '1.csv': table('나루') }, '도서관 좌석');
  assert.deepEqual(titles, { '1.csv': '도서관 좌석' });
  assert.deepEqual(missing, []);
});
