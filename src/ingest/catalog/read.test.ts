import assert from 'node:assert/strict';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { FileRefused } from '../files/refused.ts';
import { everydayGroups } from '../../data/korean/everyday-words.ts';
import { matchingText } from '../../data/korean/normalise.ts';
import { EntryTable } from './entry-table.ts';
import { readCatalog } from './read.ts';
import type { Finding } from '../../data/finding.ts';
import { catalogSummary } from './summary.ts';
import { realData, realDataTest } from '../../../test/long-form.ts';

const fixtures = fileURLToPath(new URL('../../../test/fixtures/', import.meta.url));
const list2026 = `${fixtures}catalog/목록개방현황 20260731.csv`;

async function read(path: string) {
  using table = new EntryTable(':memory:');
  const findings: Finding[] = [];
  await readCatalog(path, table, (finding) => findings.push(finding));
  return { entries: [...table], counts: table.counts(), findings };
}

test('a row of the 2026 list becomes a dataset with all of its values', async () => {
  const { entries } = await read(list2026);
  assert.deepEqual(entries[0], {
    id: 'FILE:99000001',
    portalId: '99000001',
    type: 'FILE',
    title: '가온시_공영주차장 현황',
    provider: '경상남도 가온시',
    category: '교통물류 - 도로',
    keywords: ['주차장', '공영주차장', '주차요금'],
    description:
      '가온시가 운영하는 공영주차장의 이름, 주소, 요금입니다.\n"무료" 주차장도 있습니다.',
    formats: ['CSV'],
    license: {
      id: 'unrestricted',
      name: '이용허락범위 제한 없음',
      url: 'https://www.data.go.kr/ugs/selectPortalPolicyView.do',
    },
    created: '2021-03-02',
    modified: '2026-05-11',
    updateCycle: 'P1Y',
    views: 12_345,
    requests: 1234,
    url: 'https://www.data.go.kr/data/99000001/fileData.do',
  });
});

test('one number with two types is two datasets; an unsafe address is replaced by the portal’s', async () => {
  const { entries } = await read(list2026);
  assert.deepEqual(
    entries.map(({ id }) => id),
    ['FILE:99000001', 'API:99000001', 'STD:99000002', 'FILE:99000003', 'LINKED:99000006'],
  );
  const [, api, standard] = entries;
  assert.deepEqual(api?.formats, ['JSON', 'XML']);
  assert.equal(api?.updateCycle, 'PT0S');
  assert.equal(api?.url, 'https://www.data.go.kr/data/99000001/openapi.do');
  assert.equal(standard?.url, 'https://www.data.go.kr/data/99000002/standard.do');
  assert.deepEqual([standard?.created, standard?.modified], ['2020-01-31', '2025-12-01']);
  assert.equal(standard?.license?.id, 'KOGL-4');
  assert.equal(standard?.views, null);
});

test('of two rows with one id the newest is imported and the other reported', async () => {
  const { entries, findings } = await read(list2026);
  assert.equal(entries.find(({ id }) => id === 'FILE:99000003')?.title, '새 이름의 목록');
  assert.equal(findings.filter(({ kind }) => kind === 'duplicate').length, 1);
});

test('a row that names no dataset and an unreadable value are reported with the row number', async () => {
  const { entries, findings } = await read(list2026);
  const refused = findings.filter(({ kind }) => kind === 'row_refused');
  assert.deepEqual(
    refused.map(({ detail }) => detail),
    [
      '목록키 is "번호없음", which is not a dataset number',
      '목록유형 of 99000004 is "기타", which is not FILE, API, STD or LINKED',
      '목록명 of LINKED:99000005 is empty',
    ],
  );
  assert.ok(refused.every(({ row }) => row !== null && row > 1));
  const linked = entries.at(-1);
  assert.deepEqual([linked?.created, linked?.modified, linked?.views], [null, null, null]);
  assert.equal(findings.filter(({ kind }) => kind === 'value_unreadable').length, 3);
});

test('the 2022 list with its dotted headers is read as well', async () => {
  const { entries, findings } = await read(`${fixtures}catalog/list-2022.csv`);
  assert.deepEqual(
    entries.map(({ id, provider, created, views }) => [id, provider, created, views]),
    [
      ['API:99000011', '가상연구원', '2012-12-06', 2983],
      ['STD:99000012', '가상센터', '2016-01-12', null],
    ],
  );
  assert.deepEqual(findings, []);
});

test('the date of a list is the one in its file name, else that of its newest change', async () => {
  const { counts } = await read(list2026);
  assert.deepEqual(catalogSummary(counts, list2026), {
    total: 5,
    byType: { API: 1, FILE: 2, LINKED: 1, STD: 1 },
    date: '2026-07-31',
  });
  assert.equal(catalogSummary(counts, 'list.csv').date, '2026-06-30');
});

test('a file that is not a catalog is refused, and the error names the dataset to download', async () => {
  await assert.rejects(read(`${fixtures}demand/ranking.csv`), (error) => {
    assert.ok(error instanceof FileRefused);
    assert.match(error.message, /목록키.*15062804/);
    return true;
  });
});

realDataTest('every row of the real list of 2022 is imported', async () => {
  const path = join(realData, 'portal-catalog-2022/openData.dev-even.csv.gz');
  const { entries, findings } = await read(path);
  assert.equal(entries.length, 30_734);
  // Seven descriptions are `#NAME?`, an error value of a spreadsheet.
  const kinds = findings.map(({ kind }) => kind);
  assert.deepEqual(kinds, Array<string>(7).fill('formula_without_value'));
  assert.equal(entries.filter(({ type }) => type === 'STD').length, 76);
});

realDataTest(
  'every official word for an everyday word occurs in a title of the list of 2022',
  async () => {
    const path = join(realData, 'portal-catalog-2022/openData.dev-even.csv.gz');
    const { entries } = await read(path);
    const titles = entries.map(({ title }) => matchingText(title)).join('\n');
    const official = new Set(everydayGroups.flatMap((group) => group.official));
    assert.deepEqual(
      [...official].filter((word) => !titles.includes(word)),
      [],
    );
  },
);
