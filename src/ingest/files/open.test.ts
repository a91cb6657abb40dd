import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readWhole } from '../../../test/read-whole.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { Cell } from './table.ts';

const fixtures = new URL('../../../test/fixtures/files/', import.meta.url);

interface Golden {
  readonly columns: readonly string[];
  readonly rows: number;
  readonly last: readonly Cell[];
  /** `kind row` of each finding, in order. */
  readonly findings?: readonly string[];
}

const golden: Readonly<Record<string, Golden>> = {
  'titled-merged-header.csv': {
    columns: [
      '도서관번호',
      '도서관명',
      '위치_구',
      '위치_상세주소',
      '방문자_성인',
      '방문자_아동',
      '비고',
    ],
    rows: 4,
    last: ['00103', '다솜도서관', '다솜구', '다솜로 3', '12', '4', null],
    findings: ['row_blank 7', 'row_total 10', 'row_blank 11', 'row_note 13', 'row_note 14'],
  },
  'ragged.csv': {
    columns: ['번호', '이름', '열3', '이름_2', '전화번호', '열6', '추가열1', '추가열2'],
    rows: 4,
    last: ['4', '라온', '라', null, null, null, null, null],
    findings: ['row_narrower 3', 'row_wider 4', 'row_blank 5', 'row_blank 6'],
  },
  'quoted-twice.csv': {
    columns: ['도서관명', '휴관일', '자료수(도서)'],
    rows: 3,
    last: ['다솜도서관', '매주 토요일, 일요일', '7'],
    findings: ['quote_broken 2', 'quote_broken 4'],
  },
  'unclosed-quote.csv': {
    columns: ['이름', '특징', '주소'],
    rows: 4,
    last: ['라온', '밝다', '라온로 4'],
    findings: ['quote_broken 2', 'quote_broken 3'],
  },
  'no-header.csv': {
    columns: ['열1', '열2', '열3', '열4'],
    rows: 3,
    last: ['3', '다솜', '37.3', '2024-01-03'],
  },
  'semicolon.csv': { columns: ['이름', '비율(%)', '설명'], rows: 2, last: ['나루', '2,5', '셋'] },
  'bar.txt': {
    columns: ['도로명코드', '도로명', '우편번호'],
    rows: 2,
    last: ['111104100002', '나루대로', '03046'],
  },
  'tabs.txt': {
    columns: ['법정동코드', '법정동명', '폐지여부'],
    rows: 2,
    last: ['1111000000', '가람특별시 나루구', '폐지'],
  },
  'blanks.csv': {
    columns: ['이름', '면적(㎡)', '주소'],
    rows: 2,
    last: ['나루', null, '나루로 2'],
  },
  'wide-years.csv': {
    columns: ['구분', '2021', '2022', '2023'],
    rows: 2,
    last: ['나루', '11', '21', '31'],
  },
  'portal.json': {
    columns: ['이름', '휴무일', '좌석수', '비고'],
    rows: 2,
    last: ['나루', null, '20', '새로 생김'],
  },
  'unescaped-quotes.json': {
    columns: ['이름', '휴무일'],
    rows: 3,
    last: ['다솜', '월'],
    findings: ['quote_broken 1', 'quote_broken 2'],
  },
  'envelope.json': { columns: ['code', 'name', 'id'], rows: 2, last: ['0430', '나루', '7'] },
  'one-item.json': {
    columns: ['name', 'open', 'tags'],
    rows: 1,
    last: ['가람', true, '["가","나"]'],
  },
  'head-row.json': {
    columns: ['region_cd', 'locatadd_nm'],
    rows: 2,
    last: ['1111000000', '가람특별시 나루구'],
  },
  'odcloud.json': {
    columns: ['연번', '시설명', '주소 (도로명)'],
    rows: 2,
    last: [2, '나루', null],
  },
  'lines.ndjson': { columns: ['id', 'name', 'note'], rows: 3, last: ['003', '다솜', null] },
  'points.geojson': {
    columns: ['lon', 'lat', 'name', 'geometry'],
    rows: 2,
    last: [
      null,
      null,
      '나루',
      '{"type":"Polygon","coordinates":[[[127,37],[128,37],[128,38],[127,37]]]}',
    ],
  },
  'data-grid.xml': {
    columns: ['이름', '자료수(도서)', '2010년', '비고'],
    rows: 2,
    last: ['다솜 <작은> 도서관', '1 < 2 & 3', null, '있음'],
    findings: ['markup_broken null'],
  },
  'items.xml': {
    columns: ['name', 'address_road', 'address_zip', 'tag'],
    rows: 2,
    last: ['나루', '나루로 2', null, '다'],
  },
  'rows.xml': { columns: ['위치', '이름'], rows: 2, last: ['나루로 2', '나루'] },
  'columns.xml': { columns: ['시설명', '주소 (도로명)'], rows: 2, last: ['나루', null] },
  'entity-bomb.xml': { columns: ['name', 'file'], rows: 2, last: ['나루', null] },
  'table.xls': {
    columns: ['이름', '인원(명)_성인', '인원(명)_아동'],
    rows: 2,
    last: ['가람', '7', '8'],
  },
};

for (const [name, expected] of Object.entries(golden)) {
  test(`the fixture ${name} is read as a user would`, async () => {
    const { tables, findings } = await readWhole(fileURLToPath(new URL(name, fixtures)));
    assert.equal(tables.length, 1);
    const [table] = tables;
    assert.deepEqual(table?.columns, expected.columns);
    assert.equal(table?.rows.length, expected.rows);
    assert.deepEqual(table?.rows.at(-1), expected.last);
    assert.deepEqual(
      findings.map(({ kind, row }) => `${kind} ${row}`),
      expected.findings ?? [],
    );
    assert.ok(table?.rows.every((row) => row.length === table.columns.length));
  });
}

const refused: Readonly<Record<string, readonly [code: string, expected: RegExp]>> = {
  'page.csv': ['html_page', /web page/u],
  'quota-error.json': ['portal_error', /response 22 .*midnight/u],
  'key-error.xml': ['portal_error', /response 30 .*not registered/u],
  'no-items.json': ['no_records', /no record/u],
  'topology.json': ['not_a_table', /TopoJSON/u],
};

for (const [name, [code, expected]] of Object.entries(refused)) {
  test(`the fixture ${name} is refused with ${code}`, async () => {
    await assert.rejects(readWhole(fileURLToPath(new URL(name, fixtures))), (error: Error) => {
      assert.equal((error as Error & { code?: string }).code, code);
      assert.match(error.message, expected);
      return true;
    });
  });
}

test('titles and units above a header are kept with the table', async () => {
  const path = fileURLToPath(new URL('titled-merged-header.csv', fixtures));
  const { tables } = await readWhole(path);
  const layout = tables[0]?.layout;
  assert.equal(layout?.headerRows, 2);
  assert.deepEqual(layout?.titleLines, ['○○시 도서관 현황', '기준일: 2024-06-30 (단위: 명)']);
  assert.deepEqual(layout?.units, [null, null, null, null, '명', '명', null]);
});

test('a whole number past 2^53 is read as its digits, and so is its column', async () => {
  const { tables } = await readWhole(fileURLToPath(new URL('envelope.json', fixtures)));
  assert.deepEqual(tables[0]?.rows[0], [12, '가람', '12345678901234567890']);
});

test('entities of a document type are neither expanded nor fetched', async () => {
  const { tables } = await readWhole(fileURLToPath(new URL('entity-bomb.xml', fixtures)));
  assert.deepEqual(tables[0]?.rows[0], ['&b;', '&x;']);
});

test('a record that is not JSON is reported and the others are imported', async () => {
  const path = fileURLToPath(new URL('broken-record.json', fixtures));
  const { tables, findings } = await readWhole(path);
  assert.deepEqual(tables[0]?.rows, [['가람'], ['다솜']]);
  assert.deepEqual(tables[0]?.sourceRows, [1, 3]);
  assert.deepEqual(
    findings.map(({ kind, row }) => [kind, row]),
    [['row_unreadable', 2]],
  );
});

test('a row with absurdly many cells is reported and adds no columns', async () => {
  const path = fileURLToPath(new URL('burst-row.csv', fixtures));
  const { tables, findings } = await readWhole(path);
  assert.deepEqual(tables[0]?.columns, ['번호', '이름', '주소']);
  assert.equal(tables[0]?.rows.length, 4);
  assert.deepEqual(
    findings.map(({ kind, row }) => [kind, row]),
    [['row_unreadable', 4]],
  );
});

test('source rows are the lines of a text editor', async () => {
  const { tables } = await readWhole(fileURLToPath(new URL('unclosed-quote.csv', fixtures)));
  assert.deepEqual(tables[0]?.sourceRows, [2, 3, 4, 6]);
});

async function readText(text: string) {
  using folder = temporaryFolder();
  const path = join(folder.path, 'a.csv');
  writeFileSync(path, text);
  const { tables, findings } = await readWhole(path);
  const kinds = findings.map(({ kind, row }) => `${kind} ${row}`);
  return { columns: tables[0]?.columns, rows: tables[0]?.rows, kinds };
}

test('semicolons are the delimiter though each row has one comma inside a cell', async () => {
  const rows = Array.from({ length: 30 }, (_, at) => `가람;서울, 가람구;${at + 1}\n`);
  const { columns, rows: read } = await readText(`이름;주소;값\n${rows.join('')}`);
  assert.deepEqual(columns, ['이름', '주소', '값']);
  assert.deepEqual(read?.[0], ['가람', '서울, 가람구', '1']);
});

test('commas are the delimiter though each row has one semicolon inside a cell', async () => {
  const rows = Array.from({ length: 30 }, (_, at) => `가람,월; 화,${at + 1}\n`);
  const { columns, rows: read } = await readText(`이름,요일,값\n${rows.join('')}`);
  assert.deepEqual(columns, ['이름', '요일', '값']);
  assert.deepEqual(read?.[0], ['가람', '월; 화', '1']);
});

test('a footnote is reported as a note only, also with commas in it', async () => {
  const rows = '가람,1,2\n나루,3,4\n';
  const notes = '※ 자료: 가람청\n※ 2024년 기준, 잠정\n';
  const { rows: read, kinds } = await readText(`이름,남,여\n${rows}${notes}`);
  assert.equal(read?.length, 2);
  assert.deepEqual(kinds, ['row_note 4', 'row_note 5']);
});

test('a narrow row that begins like a note is a row if rows follow', async () => {
  const { rows, kinds } = await readText('이름,남,여\n가람,1,2\n※나루,3\n다솜,5,6\n');
  assert.deepEqual(rows?.[1], ['※나루', '3', null]);
  assert.deepEqual(kinds, ['row_narrower 3']);
});
