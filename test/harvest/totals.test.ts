import assert from 'node:assert/strict';
import { test } from 'node:test';
import { currentId } from '../../src/data/snapshot/snapshots.ts';
import { SnapshotStore } from '../../src/lookup/store/snapshot.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { collectFrom } from './collecting.ts';
import { portalAtNoon } from './portal-at-noon.ts';

test('totals among collected records are marked, so that a sum can leave them out', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon();
  const axis = 'nec_vote_status';
  await collectFrom(folder.path, ['nec_code', axis], { gateway: portal.url });
  await using store = new SnapshotStore(folder.path, currentId(folder.path)!);
  const query = { by: [], aggregates: [], offset: 0, limit: 1 } as const;
  const isTotal = { kind: 'compare', column: 'wiwName', operator: '=', value: '합계' } as const;
  const all = await store.groups(axis, query);
  const totals = await store.groups(axis, {
    ...query,
    aggregates: [{ name: 'rows', function: 'count', column: null }],
    condition: isTotal,
  });
  assert.ok(all.totalRows > 0);
  assert.deepEqual([totals.items[0], totals.totalRows], [{ rows: all.totalRows }, all.totalRows]);
});
