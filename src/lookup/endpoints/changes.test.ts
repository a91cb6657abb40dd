import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import { buildAxis } from '../../../test/build-axis.ts';
import { request } from '../../../test/fixtures/inject.ts';
import { json, setUp, type Answer } from '../../../test/fixtures/lookup-app.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { snapshotFolder } from '../../data/snapshot/snapshots.ts';
import { SnapshotStore } from '../store/snapshot.ts';

const target = '/api/data/changes?axis=file_15012896';

interface ChangesAnswer extends Answer {
  readonly since: string | null;
  readonly added: readonly Record<string, unknown>[];
  readonly changed: readonly { id: string; before: Answer; after: Answer }[];
  readonly removed: readonly Record<string, unknown>[];
  readonly totals: object;
  readonly next: string | null;
}

test('changes since the previous snapshot are listed, with both contents of changed records', async () => {
  const { router } = setUp();
  const answer = (await json(router, target)) as ChangesAnswer;
  assert.equal(answer.since, '20261119-0002');
  assert.deepEqual(answer.totals, { added: 1, changed: 1, removed: 1 });
  assert.deepEqual([answer['count'], answer['total']], [3, 3]);
  assert.equal(answer.added[0]!['관리번호'], '00059');
  assert.match(String(answer.added[0]!['_id']), /^[0-9a-f]{16}$/);
  const [change] = answer.changed;
  assert.deepEqual([change!.before['비고'], change!.after['관리번호']], ['공사 중', '00003']);
  assert.equal(answer.removed[0]!['관리번호'], '99999');
});

test('pages of changes cover added, changed and removed records once, in this order', async () => {
  const { router } = setUp();
  const seen: string[] = [];
  for (let next: string | null = `${target}&limit=1`; next !== null;) {
    const page = (await json(router, next)) as ChangesAnswer;
    seen.push(...['added', 'changed', 'removed'].filter((list) => (page[list] as []).length > 0));
    next = page.next;
  }
  assert.deepEqual(seen, ['added', 'changed', 'removed']);
});

test('since takes a snapshot or a day; a deleted snapshot is 410 with the stored snapshots', async () => {
  const { router } = setUp();
  for (const since of ['20261119-0002', '2026-11-20', '20261119']) {
    assert.equal((await json(router, `${target}&since=${since}`))['total'], 3, since);
  }
  assert.equal((await json(router, `${target}&since=2026-11-21`))['total'], 0);
  for (const since of ['20260101-0001', '2026-01-01']) {
    const response = await request(router, `${target}&since=${since}`);
    assert.equal(response.status, 410);
    const problem = (await response.json()) as Answer;
    assert.equal(problem['code'], 'snapshot_gone');
    assert.deepEqual(problem['suggestions'], ['20261119-0002', '20261121-0001']);
  }
  assert.equal((await json(router, `${target}&since=yesterday`))['code'], 'invalid_parameter');
});

test('if an earlier snapshot lacks the axis, all records of the axis count as added', async () => {
  const { router } = setUp();
  const answer = await json(router, '/api/data/changes?axis=gen_restdeinfo');
  assert.deepEqual(answer['totals'], { added: 6, changed: 0, removed: 0 });
  const page = '/api/data/changes?axis=gen_restdeinfo&limit=4&offset=';
  const pages = [await json(router, `${page}0`), await json(router, `${page}4`)];
  assert.deepEqual(
    pages.flatMap(({ added }) => added),
    answer['added'],
  );
});

test('format=atom is a feed with an entry for each change', async () => {
  const { router } = setUp();
  const response = await request(router, `${target}&format=atom`);
  assert.equal(response.headers.get('content-type'), 'application/atom+xml; charset=utf-8');
  const feed = await response.text();
  assert.deepEqual(
    Array.from(feed.matchAll(/<category term="(\w+)"/g), ([, kind]) => kind),
    ['added', 'changed', 'removed'],
  );
  assert.match(feed, /비고: 공사 중 → –<[^]*비고: 따옴표 &quot;둘&quot;/);
});

test('the changes between stored snapshots equal the differences of their files', async () => {
  using data = temporaryFolder();
  const first = buildAxis(data.path, 'file_1', [
    ['가', null],
    ['나', '1'],
    ['나', '1'],
  ]);
  const second = buildAxis(data.path, 'file_1', [
    ['나', '1'],
    ['다', '2'],
  ]);
  await using store = new SnapshotStore(data.path, second);
  assert.deepEqual(store.snapshotIds(), [first, second]);
  const query = { offset: 0, limit: 10 };
  const found = await store.changes('file_1', { since: first, ...query });
  assert.deepEqual(found!.added.map(String), ['{"이름":"다","비고":"2"}']);
  assert.deepEqual(found!.removed.map(String), [
    '{"이름":"가","비고":null}',
    '{"이름":"나","비고":"1"}',
  ]);
  const same = await store.changes('file_1', { since: second, ...query });
  assert.deepEqual(same!.totals, { added: 0, changed: 0, removed: 0 });
  rmSync(snapshotFolder(data.path, first), { recursive: true });
  assert.equal(await store.changes('file_1', { since: first, ...query }), null);
});
