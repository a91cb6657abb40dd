import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readWhole } from '../../../test/read-whole.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';

async function totalsOf(text: string) {
  using folder = temporaryFolder();
  const path = join(folder.path, 'a.csv');
  writeFileSync(path, text);
  const { findings } = await readWhole(path);
  return findings.flatMap(({ kind, row }) => (kind === 'row_total' ? [row] : []));
}

test('a row of the whole country among those of 시도 is a total', async () => {
  const wide = '행정구역별,2023,2024\n전국,100,110\n서울특별시,60,65\n부산광역시,40,45\n';
  assert.deepEqual(await totalsOf(wide), [2]);
  const long =
    '연도,시도,업종,업체,종사자\n2023,전국,제조,9,30\n2023,서울,제조,5,20\n2023,부산,제조,4,10\n' +
    '2024,전국,제조,7,20\n2024,서울,제조,4,15\n2024,부산,제조,3,5\n';
  assert.deepEqual(await totalsOf(long), [2, 5]);
});

test('전국 is not a total without rows of 시도, below another name, or before texts', async () => {
  for (const text of [
    '지역,2023,2024\n전국,100,110\n',
    '항목,2023,2024\n전국,100,110\n도시,60,65\n농촌,40,45\n',
    '사업명,지역,예산\n가람,전국,100\n나루,서울,60\n다온,부산,40\n',
    '지역,행사,장소\n전국,가람제,가람\n서울,나루제,나루\n부산,다온제,다온\n',
  ]) {
    assert.deepEqual(await totalsOf(text), [], text);
  }
});
