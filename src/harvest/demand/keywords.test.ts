import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { testEntry } from '../../../test/build-catalog.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { readKeywords, defaultKeywords } from './keywords.ts';
import { trendLimits } from './limits.ts';

function read(text: string) {
  using folder = temporaryFolder();
  const path = join(folder.path, 'keywords.txt');
  writeFileSync(path, text);
  return readKeywords(path);
}

test('a list has a keyword on each line with its synonyms after commas, and no keyword twice', () => {
  assert.deepEqual(read('\uFEFF주차장 , 공영주차장\r\n\r\n  도서관\n주 차 장\n'), [
    { groupName: '주차장', keywords: ['주차장', '공영주차장'] },
    { groupName: '도서관', keywords: ['도서관'] },
  ]);
});

test('a list is read up to its bounds, and one past them is refused with its bound', () => {
  assert.equal(read(wordList(trendLimits.keywordsMax, '\n')).length, trendLimits.keywordsMax);
  assert.throws(
    () => read(wordList(trendLimits.keywordsMax + 1, '\n')),
    /at most 5000 are measured at a time/,
  );
  assert.equal(
    read(wordList(trendLimits.synonymsMax, ','))[0]?.keywords.length,
    trendLimits.synonymsMax,
  );
  assert.throws(
    () => read(wordList(trendLimits.synonymsMax + 1, ',')),
    /Line 1 of .* has more than 20 words/,
  );
  assert.equal(read('가'.repeat(100)).length, 1);
  assert.throws(() => read('가'.repeat(101)), /more than 100 characters/);
  assert.throws(() => read('\n \n'), /has no keyword/);
  const padding = ' '.repeat(trendLimits.keywordBytesMax - 6);
  assert.equal(read(`도서${padding}`).length, 1);
  assert.throws(() => read(`도서${padding} `), /bytes; at most 1048576 are read/);
});

test('without a list keywords of served datasets come first, then the most frequent', () => {
  const entries = [
    testEntry({
      type: 'FILE',
      portalId: '1',
      title: '하나',
      keywords: ['그늘막', '폭염', 'CSV', '물'],
    }),
    testEntry({ type: 'API', portalId: '2', title: '둘', keywords: ['버스', '정류장'] }),
    testEntry({ type: 'API', portalId: '3', title: '셋', keywords: ['버스', '그늘막'] }),
    testEntry({ type: 'LINKED', portalId: '4', title: '넷', keywords: ['남의말', '남의말2'] }),
  ];
  const words = defaultKeywords(entries, new Set(['1'])).map(({ groupName }) => groupName);
  assert.deepEqual(words, ['그늘막', '폭염', '버스', '정류장']);
});

test('without a list keywords are chosen up to their default number', () => {
  const many = Array.from({ length: trendLimits.defaultKeywordsMax + 1 }, (_, at) => `낱말${at}`);
  const entry = testEntry({ type: 'FILE', portalId: '1', title: '하나', keywords: many });
  assert.equal(defaultKeywords([entry], new Set()).length, trendLimits.defaultKeywordsMax);
});

function wordList(count: number, separator: string): string {
  return Array.from({ length: count }, (_, at) => `말${at}`).join(separator);
}
