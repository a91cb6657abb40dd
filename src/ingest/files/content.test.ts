import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readWhole } from '../../../test/read-whole.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';

const tar = Buffer.concat([Buffer.alloc(257), Buffer.from('ustar'), Buffer.alloc(250)]);
const refused: readonly (readonly [name: string, content: Buffer | string, kind: RegExp])[] = [
  ['자료.alz', Buffer.from('ALZ\x01\0\0\0\0'), /ALZ archive/u],
  ['자료.egg', Buffer.from('EGGA\0\0\0\0'), /EGG archive/u],
  ['자료.tar', tar, /TAR archive/u],
  ['자료.mdb', Buffer.from('\0\x01\0\0Standard Jet DB\0\x01'), /Access/u],
  ['직원.vcf', 'BEGIN:VCARD\nFN:가람\nEND:VCARD\n', /vCard/u],
  ['일정.ics', 'BEGIN:VCALENDAR\nBEGIN:VEVENT\n', /iCalendar/u],
  ['표.sql', "-- dump\nCREATE TABLE a (b int);\nINSERT INTO a VALUES (1,'가');\n", /SQL dump/u],
  [
    '표.txt',
    "REM INSERTING into A\nSET DEFINE OFF;\nInsert into A (B) values ('가');\n",
    /SQL dump/u,
  ],
  ['표.slk', 'ID;PWXL;N;E\nC;Y1;X1;K"구"\nE\n', /SYLK/u],
  ['표.dif', 'TABLE\n0,1\n"EXCEL"\nVECTORS\n0,2\n""\n', /DIF/u],
  [
    '표.fods',
    '<?xml version="1.0"?>\n<office:document office:version="1.2"><a/></office:document>',
    /FODS/u,
  ],
];

for (const [name, content, kind] of refused) {
  test(`${name} is refused by the name of its format`, async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, name);
    writeFileSync(path, content);
    await assert.rejects(readWhole(path), { code: 'unsupported', message: kind });
  });
}

test('a text of sentences is not read as a table, but a list of one column is', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, '설명.txt');
  writeFileSync(path, '이 자료는 교통량 조사 결과입니다.\n문의: 02-000-0000\n');
  await assert.rejects(readWhole(path), { code: 'not_a_table' });
  writeFileSync(path, '도서관명\n가람 도서관\n나루 도서관.\n');
  const { tables } = await readWhole(path);
  assert.equal(tables[0]?.rows.length, 2);
});

test('names and values below each other are refused; a table with colons in it is read', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, '시설.txt');
  const places = ['가람', '나루', '다온'];
  for (const [start, between] of [
    ['- ', '\n  '],
    ['', '\n'],
  ] as const) {
    const blocks = places.map((name) => [`이름: ${name}`, '주소 : 1, 2', '비고:'].join(between));
    writeFileSync(path, blocks.map((block) => `${start}${block}\n\n`).join(''));
    await assert.rejects(readWhole(path), { code: 'unsupported', message: /names and values/u });
  }
  writeFileSync(path, `이름,시각\n${'가람: 본점,09\n나루: 분점,10\n'.repeat(6)}`);
  assert.equal((await readWhole(path)).tables[0]?.rows.length, 12);
});
