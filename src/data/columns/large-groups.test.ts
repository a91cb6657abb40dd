import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildAxis, testFields } from '../../../test/build-axis.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { SnapshotStore } from '../../lookup/store/snapshot.ts';

test('of more than 10,000 groups those with the most records are used, and the total is cut', async () => {
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
  assert.deepEqual(one.found, { number: groups, isExact: true });
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
  assert.deepEqual(two.found, one.found);
  assert.ok(two.items.every((group) => group[name] === group['again']));
});

test('the 10,000 groups that are used have exact aggregates, from one pass or two', async () => {
  using data = temporaryFolder();
  const groups = 10_010;
  const fields = [testFields[0]!, { ...testFields[1]!, name: '수', type: 'integer' as const }];
  // The first 10,000 groups have two or three numbers, the last ones have one and are left out.
  const numbers = Array.from({ length: groups * 2 + 500 }, (_, i) => {
    const group = i % groups;
    return { group, number: i >= groups && group >= 10_000 ? null : (i * 7919) % 1511 };
  }).filter(({ number }) => number !== null) as { group: number; number: number }[];
  const rows = numbers.map(({ group, number }) => [`${group}`, `${number}`]);
  const id = buildAxis(join(data.path, 'var'), 'file_1', rows, null, fields);
  await using store = new SnapshotStore(join(data.path, 'var'), id);
  const functions = ['sum', 'min', 'max', 'median', 'distinct'] as const;
  const expected = new Map(
    [...Map.groupBy(numbers, ({ group }) => group)].map(([group, members]) => {
      const sorted = members.map(({ number }) => number).sort((a, b) => a - b);
      const middle = [sorted[(sorted.length - 1) >> 1]!, sorted[sorted.length >> 1]!];
      return [
        String(group),
        {
          sum: sorted.reduce((sum, number) => sum + number, 0),
          min: sorted[0]!,
          max: sorted.at(-1)!,
          median: (middle[0]! + middle[1]!) / 2,
          distinct: new Set(sorted).size,
        },
      ];
    }),
  );
  // One key has a slot for each possible group, two have too many: the records are read a second time.
  for (const keys of [['이름'], ['이름', '다시']]) {
    const answer = await store.groups('file_1', {
      by: keys.map((name) => ({ name, column: '이름', part: 'value' })),
      aggregates: functions.map((name) => ({ name, function: name, column: '수' })),
      offset: 0,
      limit: groups,
    });
    assert.deepEqual([answer.total, answer.isTruncated], [10_000, true]);
    for (const { 이름: name, 다시: again, ...values } of answer.items) {
      assert.deepEqual(values, expected.get(String(name)));
      assert.ok(Number(name) < 10_000 && (keys.length === 1 || again === name));
    }
  }
});
