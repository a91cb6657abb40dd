import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FaultSetting } from '../../sample/faults/schedule.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { collectFrom, hashesOf } from './collecting.ts';
import { portalAtNoon } from './portal-at-noon.ts';

const code = 'std_library';

/** A portal with three pages of libraries. */
function portalWith(...faults: FaultSetting[]) {
  return portalAtNoon({ scale: { [code]: 2_100 }, faults });
}

/** Collects once; returns the outcome, the records and the findings with their numbers. */
async function collect(data: string, gateway: string) {
  const { axes } = await collectFrom(data, [code], { gateway });
  const [{ outcome, rows, findings, message }] = axes as [(typeof axes)[number]];
  return { outcome, rows, message, found: findings.map(({ kind, count }) => [kind, count]) };
}

test('a first collection of less than half of the rows that the portal counts publishes nothing', async () => {
  using folder = temporaryFolder();
  await using portal = await portalWith({ fault: 'page_ignored' });
  const { outcome, found, message } = await collect(folder.path, portal.url);
  assert.deepEqual([outcome, found], ['failed', [['rows_mostly_missing', 1_100]]]);
  assert.match(message ?? '', /1100 of 2100 records .* Nothing is published; .*--accept/);
  assert.equal(hashesOf(folder.path, [code])[code], 'not held');
  const accepted = { gateway: portal.url, client: null, accept: true };
  const { axes } = await collectFrom(folder.path, [code], accepted);
  assert.deepEqual([axes[0]?.outcome, axes[0]?.rows], ['published', 1_000]);
});

test('a loss that the portal’s total contradicts is rejected in every run', async () => {
  using folder = temporaryFolder();
  await using portal = await portalWith();
  await collect(folder.path, portal.url);
  const good = hashesOf(folder.path, [code]);
  for (const [fault, missing] of [
    ['page_ignored', 1_100],
    ['page_ignored', 1_100],
    ['page_short', 334],
  ] as const) {
    portal.setFaults([{ fault }]);
    const { outcome, found } = await collect(folder.path, portal.url);
    assert.deepEqual([outcome, found], ['kept', [['rows_missing', missing]]], fault);
    assert.deepEqual(hashesOf(folder.path, [code]), good);
  }
  // A provider that deletes rows no longer counts them.
  portal.setFaults([{ fault: 'records_lost' }]);
  const { found } = await collect(folder.path, portal.url);
  assert.deepEqual(found, [['rows_lost', 1_050]]);
});
