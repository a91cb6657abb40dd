import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { collectPages, type ListPage } from './list-pages.ts';
import { ResponseStore } from '../runs/response-store.ts';

/** A list of numbers from 0 in pages of `size`; `spoil` changes a copy of a page. */
async function collect(
  total: number,
  size: number,
  spoil: (page: number, copy: number, read: ListPage<number>) => ListPage<number> = (
    ...[, , read]
  ) => read,
  { folder = temporaryFolder(), pagesMax = 100, offline = false } = {},
) {
  using store = new ResponseStore(folder.path, () => 0);
  const copies = new Map<number, number>();
  const requested: number[] = [];
  const fetch = (page: number) => {
    const copy = copies.get(page) ?? 0;
    copies.set(page, copy + 1);
    requested.push(page);
    const all = Array.from({ length: total }, (_, at) => at);
    const items = all.slice((page - 1) * size, page * size);
    const body = Buffer.from(JSON.stringify(spoil(page, copy, { items, total, size })));
    return Promise.resolve({ status: 200, body });
  };
  const list = {
    keyOf: (page: number) => `page ${page}`,
    fetch: offline ? null : fetch,
    read: ({ body }: { body: Uint8Array }) =>
      JSON.parse(Buffer.from(body).toString()) as ListPage<number>,
  };
  const items: number[] = [];
  const { mismatch, isFirstRepeated } = await collectPages(list, store, pagesMax, (pageItems) => {
    items.push(...pageItems);
  });
  return { items, mismatch, isFirstRepeated, requested, folder };
}

test('every item of a list is collected once, in order, with one request a page', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(60), fc.integer({ min: 1, max: 12 }), async (total, size) => {
      const { items, mismatch, requested, folder } = await collect(total, size);
      using _folder = folder;
      assert.deepEqual(
        items,
        Array.from({ length: total }, (_, at) => at),
      );
      assert.equal(mismatch, 0);
      // An empty page is accepted once a second copy is equal.
      assert.equal(requested.length, total === 0 ? 2 : Math.ceil(total / size));
    }),
    { numRuns: 40 },
  );
});

test('a short page and a repeated page are fetched again and replaced', async () => {
  const { items, requested, folder } = await collect(30, 10, (page, copy, read) => {
    if (copy > 0) return read;
    if (page === 2) return { ...read, items: read.items.slice(1) };
    return page === 3 ? { ...read, items: Array.from({ length: 10 }, (_, at) => at + 10) } : read;
  });
  using _folder = folder;
  assert.deepEqual(
    items,
    Array.from({ length: 30 }, (_, at) => at),
  );
  assert.deepEqual(requested, [1, 2, 2, 3, 3]);
});

test('a page that stays short is accepted after two equal copies, and counts as a mismatch', async () => {
  const { items, mismatch, requested, folder } = await collect(30, 10, (page, _, read) =>
    page === 2 ? { ...read, items: read.items.slice(1) } : read,
  );
  using _folder = folder;
  assert.deepEqual([items.length, mismatch], [29, 1]);
  assert.deepEqual(requested, [1, 2, 2, 3]);
});

test('a page that equals an earlier one is fetched again, and dropped if it stays so', async () => {
  const second = Array.from({ length: 10 }, (_, at) => at + 10);
  for (const copies of [1, 9]) {
    const { items, mismatch, requested, folder } = await collect(50, 10, (page, copy, read) =>
      page === 4 && copy < copies ? { ...read, items: second } : read,
    );
    using _folder = folder;
    const lost = copies === 1 ? 0 : 10;
    assert.deepEqual([new Set(items).size, items.length, mismatch], [50 - lost, 50 - lost, lost]);
    assert.deepEqual(requested, [1, 2, 3, 4, 4, 5]);
  }
});

test('a list whose pages all equal the first is reported', async () => {
  const first = Array.from({ length: 10 }, (_, at) => at);
  const { items, isFirstRepeated, folder } = await collect(30, 10, (_, __, read) => ({
    ...read,
    items: first,
  }));
  using _folder = folder;
  assert.deepEqual([items.length, isFirstRepeated], [10, true]);
});

test('a list is read up to its bound of pages', async () => {
  for (const [pagesMax, pages] of [
    [3, 3],
    [2, 2],
  ] as const) {
    const { items, mismatch, folder } = await collect(30, 10, undefined, { pagesMax });
    using _folder = folder;
    assert.deepEqual([items.length, mismatch], [pages * 10, 30 - pages * 10]);
  }
});

test('stored pages are not requested again, and offline runs need all of them', async () => {
  const { folder } = await collect(30, 10);
  using _folder = folder;
  const again = await collect(30, 10, undefined, { folder });
  assert.deepEqual(again.requested, []);
  assert.equal((await collect(30, 10, undefined, { folder, offline: true })).items.length, 30);
  using empty = temporaryFolder();
  await assert.rejects(collect(30, 10, undefined, { folder: empty, offline: true }), /not stored/);
});
