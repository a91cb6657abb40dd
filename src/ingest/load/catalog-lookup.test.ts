import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildCatalog, testEntry } from '../../../test/build-catalog.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { findInputs } from './inputs.ts';
import { openCatalogLookup } from './catalog-lookup.ts';
import { planLoad } from './plan.ts';

const entries = [
  testEntry({ type: 'FILE', portalId: '3077539', title: '서울특별시 성북구_공장현황' }),
  testEntry({ type: 'FILE', portalId: '3077469', title: '서울특별시 종로구_공장 정보' }),
  testEntry({ type: 'API', portalId: '15000001', title: '서울특별시 종로구_공장 정보' }),
  testEntry({ type: 'FILE', portalId: '3081093', title: '서울특별시 금천구_공장등록현황' }),
  testEntry({
    type: 'FILE',
    portalId: '15000010',
    title: '시험청_지점현황(본점)',
    description: '본점의 지점명, 주소, 전화번호를 제공합니다.',
  }),
  testEntry({
    type: 'FILE',
    portalId: '15000011',
    title: '시험청_지점현황(출장소)',
    description: '출장소의 출장소명, 좌표를 제공합니다.',
  }),
  testEntry({ type: 'FILE', portalId: '15000020', title: '시험청_명단' }),
  testEntry({ type: 'FILE', portalId: '15000021', title: '시험청 명단' }),
];

test('a title matches whatever stands between its words, and columns choose among several', async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, 'var');
  const snapshot = buildCatalog(data, entries);
  using catalog = openCatalogLookup(data, snapshot);
  const codeOf = async (name: string, header: string) => {
    const path = join(folder.path, name);
    writeFileSync(path, `${header}\n가,1\n`);
    const plan = await planLoad(findInputs([path]).files, {}, catalog, new Date(0));
    const { isProvisional, axis, candidates } = plan.axes[0]!.identity;
    if (!isProvisional) return axis.code;
    return [...(candidates?.same ?? []), ...(candidates?.near ?? [])].map(
      (entry) => entry.portalId,
    );
  };
  const header = '이름,값';
  assert.equal(await codeOf('서울특별시_성북구_공장현황_20230101.csv', header), 'file_3077539');
  assert.equal(await codeOf('서울특별시_종로구_공장정보.csv', header), 'file_3077469');
  assert.equal(await codeOf('서울특별시_금천구_ 공장등록현황.csv', header), 'file_3081093');
  assert.equal(await codeOf('시험청_지점현황.csv', '출장소명,좌표'), 'file_15000011');
  assert.equal(await codeOf('시험청_지점현황 (본점).csv', '출장소명,좌표'), 'file_15000010');
  assert.deepEqual(await codeOf('시험청_지점현황(지사).csv', header), ['15000010', '15000011']);
  assert.deepEqual(await codeOf('시험청_명단.csv', header), [
    '15000020',
    '15000021',
    '15000020',
    '15000021',
  ]);
  assert.deepEqual(await codeOf('서울특별시_공장현황.csv', header), []);
});
