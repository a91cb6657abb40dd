import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readWhole } from '../../../test/read-whole.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';

async function read(text: string) {
  using folder = temporaryFolder();
  const path = join(folder.path, 'a.csv');
  writeFileSync(path, text);
  const { tables, findings } = await readWhole(path);
  return {
    rows: tables[0]!.rows.map((cells) => cells.map((cell) => cell ?? '').join()),
    filled: findings.flatMap(({ kind, row }) => (kind === 'cell_filled' ? [row] : [])),
  };
}

test('a 시도 that is written once for a group is filled down, apart from totals', async () => {
  const { rows, filled } = await read(
    '시도,시군구,인구\n전국,,9\n서울특별시,소계,3\n,종로구,1\n,중구,2\n부산광역시,중구,4\n,서구,2\n,합계,9\n',
  );
  assert.deepEqual(rows.slice(2), [
    '서울특별시,종로구,1',
    '서울특별시,중구,2',
    '부산광역시,중구,4',
    '부산광역시,서구,2',
    ',합계,9',
  ]);
  assert.deepEqual(filled, [4, 5, 7]);
});

test('a 시군구 is filled down within its 시도', async () => {
  const { rows } = await read(
    '시도,시군구,행정동,수\n서울특별시,중구,명동,1\n,,필동,2\n,종로구,사직동,3\n부산광역시,중구,중앙동,4\n,,동광동,5\n',
  );
  assert.deepEqual(rows, [
    '서울특별시,중구,명동,1',
    '서울특별시,중구,필동,2',
    '서울특별시,종로구,사직동,3',
    '부산광역시,중구,중앙동,4',
    '부산광역시,중구,동광동,5',
  ]);
});

const unknown: readonly (readonly [title: string, text: string])[] = [
  ['a name comes again', '시도,시군구\n서울,종로구\n,중구\n부산,중구\n서울,용산구\n'],
  ['a name is no region', '시도,시군구\n가나다,종로구\n,중구\n'],
  ['the parts are those of another', '시도,시군구\n서울,종로구\n,해운대구\n'],
  ['the first cell is blank', '시도,시군구\n,종로구\n서울,중구\n,용산구\n'],
  ['nothing names the parts', '시도,이름\n서울,가\n,나\n'],
];
for (const [title, text] of unknown) {
  test(`a blank 시도 stays blank where ${title}`, async () => {
    const { rows, filled } = await read(text);
    assert.ok(rows.some((row) => row.startsWith(',')));
    assert.deepEqual(filled, []);
  });
}
