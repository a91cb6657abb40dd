import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { openTables } from './open.ts';
import { readWhole } from '../../../test/read-whole.ts';
import { FileRefused } from './refused.ts';
import type { Cell, FindingKind } from './table.ts';
import { realData, realDataTest } from '../../../test/long-form.ts';

const folder = `${realData}/`;

interface ManifestEntry {
  readonly file: string;
  readonly kind: 'fixture' | 'load' | 'reference';
  readonly rows: number | null;
  readonly columns: number | null;
}

interface Difference {
  readonly rows?: number;
  readonly columns?: number;
  readonly why: string;
}

/** Counts that are wrong in the manifest, or absent. */
const differences: Readonly<Record<string, Difference>> = {
  'library-2016/전국도서관표준데이터_2016.csv': {
    columns: 32,
    why: 'the 33rd column has no name and no cell',
  },
  'library-2016/전국도서관표준데이터_2016.json': {
    rows: 1756,
    columns: 32,
    why: 'the manifest counts objects of the field list too',
  },
  'library-2016/전국도서관표준데이터_2016.xml': { rows: 1756, columns: 32, why: 'not counted' },
  'seoul-bike-stations-2022/공공자전거 대여소 정보(22.06월 기준).csv': {
    rows: 2653,
    why: 'three of the rows counted belong to a header of four rows',
  },
  'population-xls/01. population_in_Seoul.xls': {
    rows: 26,
    why: 'two of the rows counted belong to a header of three rows',
  },
  'api-kasi/getHoliDeInfo_2021.xml': { columns: 6, why: 'one record has a sixth element' },
  'api-gildongmu/air-measure.json': { rows: 1, columns: 26, why: 'not counted' },
  'api-gildongmu/seoul-subway-arrival.json': { rows: 7, columns: 31, why: 'not counted' },
  'api-kto/kto_ldongCode2_sido_2026.json': { rows: 16, columns: 3, why: 'not counted' },
  'api-kto/kto_searchFestival2_2026.json': { rows: 1, columns: 29, why: 'not counted' },
  'api-kto/kto_detailCommon2_125769.json': { rows: 1, columns: 28, why: 'not counted' },
  'api-kma/kma_mid_land_0600.json': { rows: 1, columns: 23, why: 'not counted' },
  'api-kma/kma_mid_land_unknown_region.json': { rows: 1, columns: 23, why: 'not counted' },
  'api-tago/tago_arrivals_gumi.json': { rows: 3, columns: 8, why: 'not counted' },
  'naver-datalab/naver_datalab_search_real_2019.json': { rows: 1, columns: 3, why: 'not counted' },
  'naver-datalab/naver_doc_datalab_search_1.json': { rows: 2, columns: 3, why: 'not counted' },
  'naver-datalab/naver_doc_datalab_shopping_1.json': { rows: 2, columns: 3, why: 'not counted' },
  'naver-datalab/naver_doc_datalab_shopping_2.json': { rows: 1, columns: 3, why: 'not counted' },
};

const refusals: Readonly<Record<string, string>> = {
  'api-errors/err_403_key_not_registered_2026.xml': 'portal_error',
  'api-errors/err_classic_key_not_registered_30.xml': 'portal_error',
  'api-errors/err_classic_limit_exceeded_22.xml': 'portal_error',
  'api-errors/err_plain_unauthorized.txt': 'portal_error',
  'api-errors/err_tago_99_unknown.json': 'portal_error',
  'api-errors/err_tourapi_22.json': 'portal_error',
  'api-errors/tourapi_empty_items_string.json': 'no_records',
  'naver-datalab/naver_err_010_quota.json': 'portal_error',
};

realDataTest('every real download is read or refused as its manifest expects', async () => {
  // A file of ours beside the data; its shape is checked by what is asserted of it.
  const manifest = JSON.parse(readFileSync(`${folder}MANIFEST.json`, 'utf8')) as {
    readonly files: readonly ManifestEntry[];
  };
  for (const entry of manifest.files) {
    if (entry.kind === 'reference') continue;
    const code = refusals[entry.file];
    if (code === undefined) await checkEntry(entry);
    else {
      await assert.rejects(
        readWhole(folder + entry.file),
        (error) => error instanceof FileRefused && error.code === code,
        entry.file,
      );
    }
  }
});

async function checkEntry(entry: ManifestEntry): Promise<void> {
  const known = differences[entry.file];
  let tables = 0;
  for await (const table of openTables(folder + entry.file, {}, () => undefined)) {
    tables += 1;
    let rows = 0;
    for await (const batch of table.batches) rows += batch.rows.length;
    assert.equal(rows, known?.rows ?? entry.rows, `${entry.file}: rows`);
    assert.equal(table.columns.length, known?.columns ?? entry.columns, `${entry.file}: columns`);
  }
  assert.equal(tables, 1, entry.file);
}

realDataTest('four downloads of the same broken dataset have the same records', async () => {
  const xls = await libraryRows('xls');
  // The CSV writes a row of one cell `","` as two empty cells: a blank row.
  const alone = xls.filter((row) => row !== onlyComma);
  assert.equal(alone.length, xls.length - 1);
  assert.deepEqual(await libraryRows('csv'), alone);
  assert.deepEqual(await libraryRows('json'), xls);
  assert.deepEqual(await libraryRows('xml'), xls);
});

const onlyComma = JSON.stringify(Array.from({ length: 32 }, (_, at) => (at === 19 ? ',' : null)));

/** Rows in one order, without the quotes that the workbook keeps around cells with commas. */
async function libraryRows(ending: string): Promise<string[]> {
  const { tables } = await readWhole(`${folder}library-2016/전국도서관표준데이터_2016.${ending}`);
  return (tables[0]?.rows ?? []).map((row) => JSON.stringify(row.map(bare))).sort();
}

realDataTest(
  'sheets of a real workbook are separate tables, and a real page names its total',
  async () => {
    const grid = await readWhole(`${folder}region-codes/기상청_격자_위경도(20221027).xlsx`);
    const sheets = grid.tables.map(({ section, columns }) => [section, columns.at(-1)]);
    assert.equal(sheets.length, 3);
    assert.equal(sheets.filter(([, last]) => last === '시트').length, 2);
    const page = await readWhole(`${folder}api-gildongmu/air-measure.json`);
    assert.deepEqual(page.tables[0]?.total, { records: 1, declared: 23 });
  },
);

const oddities: readonly (readonly [string, readonly FindingKind[]])[] = [
  ['library-2016/전국도서관표준데이터_2016.csv', ['quote_broken', 'row_blank']],
  ['library-2016/전국도서관표준데이터_2016.json', ['quote_broken']],
  ['library-2016/전국도서관표준데이터_2016.xml', ['markup_broken']],
  ['library-stats-seoul-2019/서울시 공공도서관_2019.csv', ['row_total']],
  ['museum-seoul-2018/서울특별시_박물관미술관정보_20180821.csv', []],
];

realDataTest('oddities of real downloads are reported, and nothing else', async () => {
  for (const [file, kinds] of oddities) {
    const { findings } = await readWhole(folder + file);
    assert.deepEqual([...new Set(findings.map(({ kind }) => kind))].sort(), kinds, file);
  }
});

realDataTest('a header of four rows with merged and broken cells gives whole names', async () => {
  const file = 'seoul-bike-stations-2022/공공자전거 대여소 정보(22.06월 기준).csv';
  const { tables } = await readWhole(folder + file);
  assert.deepEqual(tables[0]?.columns, [
    '대여소번호',
    '보관소(대여소)명',
    '소재지(위치)_자치구',
    '소재지(위치)_상세주소',
    '소재지(위치)_위도',
    '소재지(위치)_경도',
    '설치시기',
    '설치형태_LCD_거치대수',
    '설치형태_QR_거치대수',
    '운영방식',
  ]);
});

function bare(cell: Cell): Cell {
  const inner = typeof cell === 'string' ? /^"([^]*)"$/u.exec(cell)?.[1] : undefined;
  return inner === undefined ? cell : inner.trim() || null;
}
