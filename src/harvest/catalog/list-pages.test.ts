import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { collectPages, type ListPage } from './list-pages.ts';
import { ResponseStore } from '../runs/response-store.ts';

/** A list of numbers from 0 in pages of `size`; `spoil` changes what a look at a page gives. */
async function collect(
  total: number,
  size: number,
  spoil: (page: number, look: number, read: ListPage<number>) => ListPage<number> = (
    ...[, , read]
  ) => read,
  { folder = temporaryFolder(), pagesMax = 100, offline = false } = {},
) {
  using store = new ResponseStore(folder.path, () => 0);
  const looks = new Map<number, number>();
  const asked: number[] = [];
  const fetch = (page: number) => {
    const look = looks.get(page) ?? 0;
    looks.set(page, look + 1);
    asked.push(page);
    const all = Array.from({ length: total }, (_, at) => at);
    const items = all.slice((page - 1) * size, page * size);
    const body = Buffer.from(JSON.stringify(spoil(page, look, { items, total, size })));
    return Promise.resolve({ status: 200, body });
  };
  const list = {
    keyOf: (page: number) => `page ${page}`,
    fetch: offline ? null : fetch,
    read: ({ body }: { body: Uint8Array }) =>
      JSON.parse(Buffer.from(body).toString()) as ListPage<number>,
  };
  const items: number[] = [];
  const { mismatch, repeatsFirst } = await collectPages(list, store, pagesMax, (taken) => {
    items.push(...taken);
  });
  return { items, mismatch, repeatsFirst, asked, folder };
}

test('every item of a list comes once, in order, each page asked for once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(60), fc.integer({ min: 1, max: 12 }), async (total, size) => {
      const { items, mismatch, asked, folder } = await collect(total, size);
      using _folder = folder;
      assert.deepEqual(
        items,
        Array.from({ length: total }, (_, at) => at),
      );
      assert.equal(mismatch, 0);
      // An empty list is looked at twice before it is believed.
      assert.equal(asked.length, total === 0 ? 2 : Math.ceil(total / size));
    }),
    { numRuns: 40 },
  );
});

test('a short page and a repeated one are asked for again, and what passes leaves no trace', async () => {
  const { items, asked, folder } = await collect(30, 10, (page, look, read) => {
    if (look > 0) return read;
    if (page === 2) return { ...read, items: read.items.slice(1) };
    return page === 3 ? { ...read, items: Array.from({ length: 10 }, (_, at) => at + 10) } : read;
  });
  using _folder = folder;
  assert.deepEqual(
    items,
    Array.from({ length: 30 }, (_, at) => at),
  );
  assert.deepEqual(asked, [1, 2, 2, 3, 3]);
});

test('a page that stays short is believed when it comes the same twice, and the difference is told', async () => {
  const { items, mismatch, asked, folder } = await collect(30, 10, (page, _, read) =>
    page === 2 ? { ...read, items: read.items.slice(1) } : read,
  );
  using _folder = folder;
  assert.deepEqual([items.length, mismatch], [29, 1]);
  assert.deepEqual(asked, [1, 2, 2, 3]);
});

test('a list that gives its first page for every page says so and ends there', async () => {
  const first = Array.from({ length: 10 }, (_, at) => at);
  const { items, repeatsFirst, folder } = await collect(30, 10, (_, __, read) => ({
    ...read,
    items: first,
  }));
  using _folder = folder;
  assert.deepEqual([items.length, repeatsFirst], [10, true]);
});

test('a list is read to its last page allowed, and no further', async () => {
  for (const [pagesMax, pages] of [
    [3, 3],
    [2, 2],
  ] as const) {
    const { items, mismatch, folder } = await collect(30, 10, undefined, { pagesMax });
    using _folder = folder;
    assert.deepEqual([items.length, mismatch], [pages * 10, 30 - pages * 10]);
  }
});

test('what is stored is not asked for again; without it nobody is asked', async () => {
  const { folder } = await collect(30, 10);
  using _folder = folder;
  const again = await collect(30, 10, undefined, { folder });
  assert.deepEqual(again.asked, []);
  assert.equal((await collect(30, 10, undefined, { folder, offline: true })).items.length, 30);
  using empty = temporaryFolder();
  await assert.rejects(collect(30, 10, undefined, { folder: empty, offline: true }), /not stored/);
});
