import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { SnapshotStore } from '../../lookup/store/snapshot.ts';
import { loadFiles } from './load.ts';

test('totals of a file are marked, so that a sum can leave them out', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, '도서관_15012896.csv');
  const rows = [
    '시도,구분,좌석수',
    '합계,,60',
    '서울,소계,30',
    '서울,공공,10',
    '서울,작은,20',
    '부산,소계,30',
    '부산,공공,30',
  ];
  writeFileSync(file, `${rows.join('\n')}\n`);
  const { axes, snapshot } = await loadFiles(join(folder.path, 'var'), [file]);
  const { code } = axes[0]!;
  await using store = new SnapshotStore(join(folder.path, 'var'), snapshot!);
  const query = {
    by: [],
    aggregates: [{ name: 'sum', function: 'sum', column: '좌석수' }],
    offset: 0,
    limit: 1,
  } as const;
  const all = await store.groups(code, query);
  assert.deepEqual([all.items, all.totalRows], [[{ sum: 180 }], 3]);
  const condition = { kind: 'compare', column: '_total', operator: '=', value: 'false' } as const;
  const parts = await store.groups(code, { ...query, condition });
  assert.deepEqual([parts.items, parts.totalRows], [[{ sum: 60 }], 0]);
  const marked = store.additions(code, [0, 1, 2, 3, 4, 5]).map(({ _total }) => _total);
  assert.deepEqual(marked, [true, true, false, false, true, false]);
});
