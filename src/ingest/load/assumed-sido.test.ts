import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { OpenedSnapshot } from '../../data/snapshot/opened.ts';
import { loadFiles } from './load.ts';
import type { LoadedAxis } from './loaded-axes.ts';

test('구 names without a 시도 are located by the file’s name, with a finding', async () => {
  const { axis, regions } = await loadDistricts('부산광역시_쉼터 현황.csv', [
    '중구',
    '동구',
    '강서구',
  ]);
  assert.deepEqual(regions, ['26 3', '26110 1', '26170 1', '26440 1']);
  assert.deepEqual(axis.findings, [
    {
      kind: 'sido_assumed',
      count: 1,
      examples: [
        {
          file: '부산광역시_쉼터 현황.csv',
          row: null,
          detail: {
            ko: '중구, 동구, 강서구: 제목, 제공기관 또는 파일 이름에 따라 부산광역시 지역으로 보았습니다.',
            en: '중구, 동구, 강서구: assumed to be in 부산광역시, because of the title, provider or file name.',
          },
        },
      ],
    },
  ]);
});

test('구 names without a 시도 are located by the other names if no title has one', async () => {
  const { axis, regions } = await loadDistricts('쉼터 현황.csv', ['중구', '수성구', '달서구']);
  assert.deepEqual(regions, ['27 3', '27110 1', '27260 1', '27290 1']);
  assert.match(axis.findings[0]!.examples[0]!.detail.en, /대구광역시, because of the other names/);
});

test('names of several 시도 leave an ambiguous one without a region', async () => {
  const { axis, regions } = await loadDistricts('쉼터 현황.csv', [
    '중구',
    '수성구',
    '해운대구',
    '종로구',
  ]);
  assert.deepEqual(regions, ['11 1', '11110 1', '26 1', '26350 1', '27 1', '27260 1']);
  assert.deepEqual(axis.findings, []);
});

async function loadDistricts(
  name: string,
  districts: readonly string[],
): Promise<{ axis: LoadedAxis; regions: string[] }> {
  using data = temporaryFolder();
  using source = temporaryFolder();
  const file = join(source.path, name);
  const rows = districts.map((district, at) => `${district} 쉼터 ${at},${district}`);
  writeFileSync(file, `쉼터명,시군구명\n${rows.join('\n')}\n`);
  const { axes, snapshot } = await loadFiles(data.path, [file]);
  using opened = OpenedSnapshot.open(data.path, snapshot!);
  const regions = opened.axes.get(axes[0]!.code)!.regions;
  return { axis: axes[0]!, regions: regions.map(({ code, rows: count }) => `${code} ${count}`) };
}
