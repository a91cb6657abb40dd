import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createServerContext } from '../../src/kernel/http/server-context.ts';
import { startServer } from '../../src/kernel/http/server.ts';
import { silentLog } from '../../src/kernel/log.ts';
import { createLookupApp } from '../../src/lookup/app.ts';
import { StoreHolder } from '../../src/lookup/current-store.ts';
import { SnapshotFollower } from '../../src/lookup/follow.ts';
import { pointTo, snapshotIds } from '../../src/data/snapshot/snapshots.ts';
import { buildAxis } from '../build-axis.ts';
import { temporaryFolder } from '../temporary-folder.ts';

test('snapshots are swapped and rolled back under load without an error or a mixed answer', async () => {
  using data = temporaryFolder();
  const marks = new Map<string, string>();
  const publish = (round: number): void => {
    const rows = Array.from({ length: 300 }, () => [`판${round}`, '주차장']);
    marks.set(buildAxis(data.path, 'file_1', rows), `판${round}`);
  };
  publish(0);
  await using holder = new StoreHolder();
  using follower = new SnapshotFollower(data.path, holder, silentLog);
  const router = createLookupApp({
    holder,
    server: createServerContext(silentLog),
    settings: { MARU_BASE_URL: null },
  });
  await using server = await startServer({ router, host: '127.0.0.1', port: 0 });

  const end = new AbortController();
  const seen = new Set<string>();
  const readers = Array.from({ length: 8 }, async (_, reader) => {
    for (let requested = 0; !end.signal.aborted; requested++) {
      const path =
        (requested + reader) % 2 === 0
          ? `/api/data/axis?axis=file_1&limit=50&offset=${requested % 250}`
          : `/api/data/search?q=${encodeURIComponent('주차장')}&limit=50`;
      const response = await fetch(server.address + path);
      assert.equal(response.status, 200);
      const { items, total, meta } = (await response.json()) as Answer;
      const names = new Set(items.map((item) => (item.record ?? item)['이름']));
      assert.deepEqual([...names], [marks.get(meta.snapshot)], meta.snapshot);
      assert.equal(total, 300);
      seen.add(meta.snapshot);
    }
  });
  for (let round = 1; round <= 12; round++) {
    publish(round);
    follower.checkPointer();
    await untilSeen(seen, snapshotIds(data.path).at(-1)!);
  }
  const [oldest] = snapshotIds(data.path);
  seen.delete(oldest!);
  pointTo(data.path, oldest!);
  follower.checkPointer();
  await untilSeen(seen, oldest!);
  end.abort();
  await Promise.all(readers);
  assert.ok(seen.size >= 12);
});

interface Answer {
  readonly items: readonly (Record<string, unknown> & {
    readonly record?: Record<string, unknown>;
  })[];
  readonly total: number;
  readonly meta: { readonly snapshot: string };
}

/** Lets the readers run until one of them was answered from the snapshot. */
async function untilSeen(seen: ReadonlySet<string>, id: string): Promise<void> {
  while (!seen.has(id)) await new Promise((resolve) => setImmediate(resolve));
}
