import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { buildAxis } from '../../test/build-axis.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { dataPaths } from '../data/snapshot/layout.ts';
import { previousId, pointTo } from '../data/snapshot/snapshots.ts';
import { createLog, silentLog } from '../kernel/log.ts';
import { StoreHolder } from './current-store.ts';
import { SnapshotFollower } from './follow.ts';
import type { LookupStore } from './store/store.ts';

test('the follower serves nothing before the first snapshot, then each one the pointer names', async () => {
  using data = temporaryFolder();
  await using holder = new StoreHolder();
  using follower = new SnapshotFollower(data.path, holder, silentLog);
  assert.equal(holder.lease(), null);
  const first = buildAxis(data.path, 'file_1', [['하나', null]]);
  follower.checkPointer();
  assert.equal(served(holder), first);
  const second = buildAxis(data.path, 'file_1', [['둘', null]]);
  follower.checkPointer();
  assert.equal(served(holder), second);
  pointTo(data.path, previousId(data.path)!);
  follower.checkPointer();
  assert.equal(served(holder), first);
});

test('a request keeps its snapshot when another is published, and gets the same bytes', async () => {
  using data = temporaryFolder();
  await using holder = new StoreHolder();
  buildAxis(data.path, 'file_1', [['하나', null]]);
  using follower = new SnapshotFollower(data.path, holder, silentLog);
  const lease = holder.lease()!;
  const before = await lease.store.page('file_1', { offset: 0, limit: 1 });
  buildAxis(data.path, 'file_1', [['둘', null]]);
  follower.checkPointer();
  const after = await lease.store.page('file_1', { offset: 0, limit: 1 });
  assert.deepEqual(after.items, before.items);
  lease.release();
});

test('a pointer to a missing snapshot is logged once, and serving continues', async () => {
  using data = temporaryFolder();
  await using holder = new StoreHolder();
  const id = buildAxis(data.path, 'file_1', [['하나', null]]);
  let lines = '';
  const log = createLog({ level: 'error', pretty: false, write: (text) => (lines += text) });
  using follower = new SnapshotFollower(data.path, holder, log);
  writeFileSync(dataPaths(data.path).current, '20200101-0001\n');
  follower.checkPointer();
  follower.checkPointer();
  log.flush();
  assert.equal(served(holder), id);
  assert.equal(lines.split('\n').filter((line) => line.includes('snapshot_refused')).length, 1);
});

test('a folder that was emptied and filled again is opened although its first id is the same', async () => {
  using data = temporaryFolder();
  await using holder = new StoreHolder();
  const first = buildAxis(data.path, 'file_1', [['하나', null]]);
  using follower = new SnapshotFollower(data.path, holder, silentLog);
  const before = holder.version;
  rmSync(dataPaths(data.path).snapshots, { recursive: true });
  rmSync(dataPaths(data.path).current);
  assert.equal(buildAxis(data.path, 'file_2', [['둘', null]]), first);
  follower.checkPointer();
  assert.notEqual(holder.version, before);
  const lease = holder.lease()!;
  assert.deepEqual([...lease.store.axes.keys()], ['file_2']);
  lease.release();
});

function served(holder: StoreHolder): string {
  const lease = holder.lease()!;
  lease.release();
  return lease.store.snapshot.id;
}

test('a snapshot is prepared once it is in service, and stays open until then', async () => {
  using data = temporaryFolder();
  const id = buildAxis(data.path, 'file_1', [['하나', null]]);
  await using holder = new StoreHolder();
  const prepared = Promise.withResolvers<readonly [string, string | null]>();
  const prepare = async (store: LookupStore): Promise<void> => {
    prepared.resolve([store.snapshot.id, holder.version]);
  };
  using _follower = new SnapshotFollower(data.path, holder, silentLog, {
    prepare,
    prepareAfterMs: 0,
  });
  const [preparedId, version] = await prepared.promise;
  assert.equal(preparedId, id);
  assert.ok(version?.startsWith(id));
});
