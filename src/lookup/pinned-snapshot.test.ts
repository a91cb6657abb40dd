import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildAxis } from '../../test/build-axis.ts';
import { request } from '../../test/fixtures/inject.ts';
import { json } from '../../test/fixtures/lookup-app.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { exportContract } from '../contract/export-routes.ts';
import { lookupContract } from '../contract/lookup.ts';
import type { Route } from '../contract/route.ts';
import type { FollowState } from '../data/remote/follow-state.ts';
import { createServerContext } from '../kernel/http/server-context.ts';
import type { Router } from '../kernel/http/router.ts';
import { silentLog } from '../kernel/log.ts';
import { createLookupApp } from './app.ts';
import { StoreHolder } from './current-store.ts';
import { SnapshotFollower } from './follow.ts';

const axisPath = '/api/data/axis?axis=file_1&limit=1';

test('every page of a pinned reading is of one snapshot, and names it in a header', async () => {
  await using service = serveFolder();
  const first = service.publish('하나');
  const opening = await request(service.router, axisPath);
  assert.equal(opening.headers.get('x-maru-snapshot'), first);
  service.publish('둘');
  let target: string | null = `${axisPath}&snapshot=${first}`;
  const names: unknown[] = [];
  while (target !== null) {
    const response = await request(service.router, target);
    assert.equal(response.headers.get('x-maru-snapshot'), first);
    const { items, next, meta } = (await response.json()) as Page;
    names.push(...items.map((item) => item['이름']));
    assert.equal(meta.snapshot, first);
    target = next;
  }
  assert.deepEqual(names, ['하나 0', '하나 1', '하나 2']);
  const { items } = await json(service.router, axisPath);
  assert.equal(items[0]!['이름'], '둘 0');
});

test('other requests are answered while a pinned snapshot is opened, once for all that wait', async () => {
  await using service = serveFolder();
  const first = service.publish('하나');
  service.publish('둘');
  const opened = service.notedOpenings();
  const answered: string[] = [];
  const send = async (name: string, path: string): Promise<void> => {
    const response = await request(service.router, path);
    assert.equal(response.status, 200);
    answered.push(name);
  };
  const pinnedPath = `${axisPath}&snapshot=${first}`;
  await Promise.all([
    send('pinned', pinnedPath),
    send('pinned', `${pinnedPath}&offset=1`),
    send('current', axisPath),
  ]);
  assert.deepEqual(answered, ['current', 'pinned', 'pinned']);
  assert.deepEqual(opened, [first]);
});

test('a pinned answer is cached for long under a tag of its own, and has a 304 with its snapshot', async () => {
  await using service = serveFolder();
  const first = service.publish('하나');
  service.publish('둘');
  const pinnedPath = `${axisPath}&snapshot=${first}`;
  const pinned = await request(service.router, pinnedPath);
  const current = await request(service.router, axisPath);
  assert.notEqual(pinned.headers.get('etag'), current.headers.get('etag'));
  assert.match(pinned.headers.get('cache-control')!, /max-age=86400/);
  assert.match(current.headers.get('cache-control')!, /max-age=60/);
  const headers = { 'If-None-Match': pinned.headers.get('etag')! };
  for (const _ of ['computed', 'cached']) {
    const same = await request(service.router, pinnedPath, { headers });
    assert.equal(same.status, 304);
    assert.equal(same.headers.get('x-maru-snapshot'), first);
  }
});

test('a snapshot that is no longer stored is 410 with those that are, and no id is 400', async () => {
  await using service = serveFolder();
  const first = service.publish('하나');
  assert.equal((await request(service.router, `${axisPath}&snapshot=${first}`)).status, 200);
  const later = ['둘', '셋', '넷', '다섯', '여섯'].map((name) => service.publish(name));
  const gone = await request(service.router, `${axisPath}&snapshot=${first}`);
  assert.equal(gone.status, 410);
  const problem = (await gone.json()) as Record<string, unknown>;
  assert.equal(problem['code'], 'snapshot_gone');
  assert.deepEqual(problem['suggestions'], later);
  assert.equal((await request(service.router, `${axisPath}&snapshot=${later[0]}`)).status, 200);
  for (const id of ['latest', '../../x', '20261121']) {
    const refused = await request(service.router, `${axisPath}&snapshot=${encodeURIComponent(id)}`);
    assert.equal(refused.status, 400, id);
  }
});

test('every endpoint answers from the snapshot that is given', async () => {
  await using service = serveFolder();
  const first = service.publish('하나');
  service.publish('둘');
  const queries: Readonly<Record<string, string>> = {
    values: '&field=이름',
    record: '&id=x',
    search: '&q=하나',
    suggest: '&q=하나',
    region: '&sido=서울',
    searchExport: '&q=하나',
  };
  const contract: Readonly<Record<string, Route>> = { ...lookupContract, ...exportContract };
  for (const [name, route] of Object.entries(contract)) {
    const path = route.path.replace('{file}', 'file_1.csv').replace('{format}', 'csv');
    const axis = name === 'search' || !('axis' in route.parameters) ? '' : '&axis=file_1';
    const query = `snapshot=${first}${axis}${queries[name] ?? ''}`;
    const response = await request(service.router, encodeURI(`${path}?${query}`));
    assert.ok(response.status === 200 || name === 'record', `${name} ${response.status}`);
    assert.equal(response.headers.get('x-maru-snapshot'), first, name);
    const body = await response.text();
    if (name === 'search') assert.match(body, /하나 0/);
  }
});

test('a follower answers 503 for a snapshot that it has not pulled yet, and a builder 410', async () => {
  for (const followed of [() => ({ checkedAtMs: 0, fault: null }), undefined]) {
    await using service = serveFolder(followed);
    const first = service.publish('하나');
    const later = `${first.slice(0, 9)}9999`;
    const response = await request(service.router, `${axisPath}&snapshot=${later}`);
    assert.equal(response.status, followed === undefined ? 410 : 503);
    assert.equal(response.headers.get('retry-after'), followed === undefined ? null : '2');
    const gone = await request(service.router, `${axisPath}&snapshot=20200101-0001`);
    assert.equal(gone.status, 410);
  }
});

interface Page {
  readonly items: readonly Record<string, string>[];
  readonly next: string | null;
  readonly meta: { readonly snapshot: string };
}

/** The service over a folder that snapshots are published to. */
function serveFolder(followed?: () => FollowState): AsyncDisposable & {
  router: Router;
  publish(name: string): string;
  /** Ids of the snapshots that the current store opens from now on. */
  notedOpenings(): readonly string[];
} {
  const data = temporaryFolder();
  const holder = new StoreHolder();
  const follower = new SnapshotFollower(data.path, holder, silentLog);
  const router = createLookupApp({
    holder,
    settings: { MARU_BASE_URL: null },
    server: createServerContext(silentLog),
    ...(followed === undefined ? {} : { followed }),
  });
  return {
    router,
    publish(name) {
      const rows = [0, 1, 2].map((row) => [`${name} ${row}`, null]);
      const id = buildAxis(data.path, 'file_1', rows);
      follower.checkPointer();
      return id;
    },
    notedOpenings() {
      const opened: string[] = [];
      const { store, release } = holder.lease()!;
      release();
      const open = store.openSnapshot.bind(store);
      store.openSnapshot = (id) => {
        opened.push(id);
        return open(id);
      };
      return opened;
    },
    async [Symbol.asyncDispose]() {
      follower[Symbol.dispose]();
      await holder[Symbol.asyncDispose]();
      data[Symbol.dispose]();
    },
  };
}
