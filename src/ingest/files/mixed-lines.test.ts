import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { mixedLines, type TextDecoding } from './mixed-lines.ts';
import { readWhole } from '../../../test/read-whole.ts';

const line = (at: number): string => `${at},한마음 주차장 ${at},서울특별시 강남구 테헤란로 ${at}\n`;
const cp949 = (text: string): Buffer => iconv.encode(text, 'cp949');
const asIs: TextDecoding = { write: (bytes) => `<${bytes.toString('latin1')}>`, end: () => '.' };

test('lines in another encoding than the rest are decoded in their own and reported', async () => {
  using folder = temporaryFolder();
  for (const inUtf8 of [0, 1, 10, 40, 60, 90, 99]) {
    const lines = ['번호,주차장명,주소\n', ...Array.from({ length: 100 }, (_, at) => line(at))];
    const path = join(folder.path, `${inUtf8}.csv`);
    const bytes = lines.map((text, at) => (at < inUtf8 ? Buffer.from(text) : cp949(text)));
    writeFileSync(path, Buffer.concat(bytes));
    const { tables, findings } = await readWhole(path);
    const [table] = tables;
    assert.deepEqual(table?.columns, ['번호', '주차장명', '주소'], path);
    const text = table?.rows.map((cells) => `${cells.join(',')}\n`);
    assert.deepEqual(text, lines.slice(1), path);
    const others = findings.map(({ kind, row }) => `${kind} ${row}`);
    const first = table?.encoding === 'cp949' ? 1 : inUtf8 + 1;
    const count = table?.encoding === 'cp949' ? inUtf8 : 101 - inUtf8;
    assert.deepEqual(
      others,
      Array.from({ length: count }, (_, at) => `encoding_mixed ${first + at}`),
      path,
    );
  }
});

test('a text in one encoding is read as that, wherever it is cut', () => {
  const letters = fc.constantFrom(...'가힣뷁한글漢字abc ,"0123\r\n');
  const text = fc.array(letters, { maxLength: 80 }).map((all) => all.join(''));
  fc.assert(
    fc.property(text, fc.constantFrom('utf-8', 'cp949'), fc.nat(9), (whole, encoding, cut) => {
      const bytes = iconv.encode(whole, encoding);
      const others: number[] = [];
      const decoding = mixedLines(encoding, asIs, (at) => others.push(at));
      const size = cut + 1;
      let read = '';
      for (let at = 0; at < bytes.length; at += size) {
        read += decoding.write(bytes.subarray(at, at + size));
      }
      assert.equal(read + decoding.end(), whole);
      assert.deepEqual(others, []);
    }),
    { numRuns: 2_000 },
  );
});

test('damaged UTF-8 is not read as CP949', () => {
  const whole = Buffer.from(line(1));
  for (let at = 3; at < whole.length - 1; at++) {
    if (whole[at]! < 0x80) continue;
    const others: number[] = [];
    const decoding = mixedLines('utf-8', asIs, (each) => others.push(each));
    const damaged = Buffer.concat([whole.subarray(0, at), whole.subarray(at + 1)]);
    assert.match(decoding.write(damaged) + decoding.end(), /\ufffd/);
    assert.deepEqual(others, []);
  }
});

test('a line longer than the bound is decoded in the main encoding', () => {
  const limit = 1024 * 1024;
  const kept = mixedLines('cp949', asIs, () => {});
  assert.equal(kept.write(Buffer.alloc(limit, 'x')), '');
  assert.equal(kept.end().length, limit);
  const passed = mixedLines('cp949', asIs, () => {});
  assert.equal(passed.write(Buffer.alloc(limit + 1, 'x')).length, limit + 3);
  assert.equal(passed.write(Buffer.from('y')), '<y>');
  assert.equal(passed.end(), '.');
});
