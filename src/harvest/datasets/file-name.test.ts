import assert from 'node:assert/strict';
import { test } from 'node:test';
import iconv from 'iconv-lite';
import { nameOfDisposition, safeName } from './file-name.ts';
import { datasetLimits } from './limits.ts';

const name = '예시광역시_뷁공영주차장 현황_20260831.csv';
const inCp949 = iconv.encode(name, 'cp949').toString('latin1');
const octets = iconv.encode(name, 'cp949').toString('hex').replace(/../g, '%$&');

test('a file’s name is read in every encoding that the servers use', () => {
  const headers = [
    `attachment; filename="${inCp949}"`,
    `attachment; filename="${Buffer.from(name).toString('latin1')}"`,
    `attachment; filename="${encodeURIComponent(name)}"`,
    `attachment; filename=${encodeURIComponent(name).replaceAll('%20', '+')}`,
    `attachment; filename="${octets}"`,
    `attachment; filename="old.csv"; filename*=UTF-8''${encodeURIComponent(name)}`,
    `attachment; filename*=EUC-KR''${octets}`,
    `attachment; filename="=?UTF-8?B?${Buffer.from(name).toString('base64')}?="`,
  ];
  for (const header of headers) assert.equal(nameOfDisposition(header), name, header);
  assert.equal(nameOfDisposition(null), null);
  assert.equal(nameOfDisposition('attachment'), null);
});

test('an unsafe name loses its folders, its control characters and its excess length', () => {
  assert.equal(safeName('../../etc/현황.csv'), '현황.csv');
  assert.equal(safeName('C:\\temp\\현황.csv'), '현황.csv');
  assert.equal(safeName('a\u0000b\n|c.csv'), 'a_b_c.csv');
  assert.equal(safeName('..'), null);
  const longestStem = '가'.repeat(Math.floor((datasetLimits.nameBytesMax - 4) / 3));
  assert.equal(safeName(`${longestStem}.csv`), `${longestStem}.csv`);
  assert.equal(safeName(`${longestStem}가가.csv`), `${longestStem}.csv`);
});
