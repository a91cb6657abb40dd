import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildAxis, testFields } from '../../../test/build-axis.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { SnapshotStore } from '../../lookup/store/snapshot.ts';

test('past 10,000 groups those with the most records are used, and the answer names the bound', async () => {
  using data = temporaryFolder();
  const groups = 10_050;
  const rows = Array.from({ length: groups + 30 }, (_, i) => [`이름 ${i % groups}`, `${i % 3}`]);
  const id = buildAxis(join(data.path, 'var'), 'file_1', rows);
  await using store = new SnapshotStore(join(data.path, 'var'), id);
  const [name, note] = testFields.map((field) => field.name) as [string, string];
  const by = [{ name, column: name, part: 'value' }] as const;
  const aggregates = [{ name: 'count', function: 'count', column: null }] as const;
  const sort = [{ column: 'count', isDescending: true }];
  const query = { by, aggregates, sort, offset: 0, limit: 31 };
  const one = await store.groups('file_1', query);
  assert.deepEqual([one.total, one.isTruncated], [10_000, true]);
  assert.deepEqual(
    one.items.map(({ count }) => count),
    [...Array.from({ length: 30 }, () => 2), 1],
  );
  // With a second key of as many values, groups are counted in a hash table.
  const two = await store.groups('file_1', {
    ...query,
    by: [
      ...by,
      { name: 'again', column: name, part: 'value' },
      { name: note, column: note, part: 'value' },
    ],
  });
  assert.deepEqual([two.total, two.isTruncated], [10_000, true]);
  assert.ok(two.items.every((group) => group[name] === group['again']));
});
