import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { readWhole } from '../../../test/read-whole.ts';

async function read(text: string) {
  using folder = temporaryFolder();
  const path = join(folder.path, 'a.xml');
  writeFileSync(path, text);
  const { tables } = await readWhole(path);
  return { columns: tables[0]?.columns, rows: tables[0]?.rows };
}

test('the text of a record beside its attributes or elements is a column', async () => {
  const regions = '<region code="11">서울</region>\n<region code="26"> 부산 </region>';
  assert.deepEqual(await read(`<list>${regions}</list>`), {
    columns: ['code', 'region'],
    rows: [
      ['11', '서울'],
      ['26', '부산'],
    ],
  });
  assert.deepEqual(await read('<r><row><a>1</a>비고</row><row><a>2</a></row></r>'), {
    columns: ['a', 'row'],
    rows: [
      ['1', '비고'],
      ['2', null],
    ],
  });
});

test('records without a text of their own have no column for it', async () => {
  assert.deepEqual(await read('<r>\n<row>\n<a>1</a>\n</row>\n<row>\n<a>2</a>\n</row>\n</r>'), {
    columns: ['a'],
    rows: [['1'], ['2']],
  });
});

const header = '<header><resultCode>00</resultCode><resultMsg>NORMAL SERVICE.</resultMsg></header>';

test('a response without an XML declaration is XML, though it has a body', async () => {
  const items = '<item><name>가람</name></item><item><name>나루</name></item>';
  const body = `<body><items>${items}</items><totalCount>2</totalCount></body>`;
  const expected = { columns: ['name'], rows: [['가람'], ['나루']] };
  assert.deepEqual(await read(`<response>${header}${body}</response>`), expected);
  const commented = `<!-- made by a gateway -->\n<response>${header}${body}</response>`;
  assert.deepEqual(await read(commented), expected);
});

test('records of a response are read whatever their name, also a single one', async () => {
  const bus =
    '<msgHeader><queryTime>2024-01-01</queryTime><resultCode>0</resultCode></msgHeader>' +
    '<msgBody><busRouteList><id>1</id><name>가람</name></busRouteList>REST</msgBody>';
  const second = '<busRouteList><id>2</id><name>나루</name></busRouteList>';
  const both = [
    ['1', '가람'],
    ['2', '나루'],
  ];
  const answers: readonly (readonly [text: string, rows: number])[] = [
    [bus.replace('REST', second), 2],
    [bus.replace('REST', ''), 1],
    [`${header}<Body><Items><Item><id>1</id><name>가람</name></Item></Items></Body>`, 1],
    [`${header}<body><one><id>1</id><name>가람</name></one><totalCount>1</totalCount></body>`, 1],
  ];
  for (const [text, count] of answers) {
    const expected = { columns: ['id', 'name'], rows: both.slice(0, count) };
    assert.deepEqual(await read(`<response>${text}</response>`), expected, text);
  }
});

test('a response without records is refused as one, whatever its facts', async () => {
  const body = '<dataType>XML</dataType><items/><pageNo>1</pageNo><totalCount>0</totalCount>';
  const seoul = '<headerCd>4</headerCd><headerMsg>결과가 없습니다.</headerMsg>';
  for (const text of [
    `${header}<body>${body}</body>`,
    `<msgHeader>${seoul}<itemCount>0</itemCount></msgHeader><msgBody/>`,
  ]) {
    await assert.rejects(read(`<response>${text}</response>`), { code: 'no_records' }, text);
  }
});

test('records in a root called table are XML', async () => {
  assert.deepEqual(await read('<table><row><a>1</a></row><row><a>2</a></row></table>'), {
    columns: ['a'],
    rows: [['1'], ['2']],
  });
});

const pages: readonly string[] = [
  '<html><head><title>로그인</title></head><body>로그인이 필요합니다.</body></html>',
  '<?xml version="1.0"?>\n<html xmlns="http://www.w3.org/1999/xhtml"><body>오류</body></html>',
  '<script>alert("로그인이 필요합니다."); location.href="/login";</script>',
  '<head><meta http-equiv="refresh" content="0;url=/error"/></head><body></body>',
  '<body><p>서비스 점검 중입니다.</p></body>',
  '<table><tr><td>오류</td></tr></table>',
];

test('a page of a login or an error is refused as a web page, with or without a declaration', async () => {
  for (const page of pages) await assert.rejects(read(page), { code: 'html_page' }, page);
});
