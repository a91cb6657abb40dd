import assert from 'node:assert/strict';
import test from 'node:test';
import { fixtureStore } from '../../test/fixtures/lookup.ts';
import { MemoryStore } from '../../test/fixtures/memory-store.ts';
import { prepareDocuments, renderLibrary } from './docs/library.ts';
import { fileSizes } from './explorer/file-sizes.ts';
import { prepareSite } from './prepare-site.ts';

test('a site is prepared for a store with data, and for one without', async () => {
  await prepareSite(fixtureStore());
  await prepareSite(new MemoryStore({ snapshot: fixtureStore().snapshot, axes: [] }));
});

test('a preparation searches records and the catalog by the examples of the search box', async () => {
  const store = fixtureStore();
  const searched: string[] = [];
  const search = store.search.bind(store);
  store.search = (query, isAbandoned) => {
    searched.push(query.text);
    return search(query, isAbandoned);
  };
  await prepareSite(store);
  for (const text of ['주차장', '도서관', '설날']) assert.ok(searched.includes(text), text);
});

test('a preparation measures the files of datasets, and a page reads no records for it again', async () => {
  const store = fixtureStore();
  await prepareSite(store);
  let reads = 0;
  const records = store.records.bind(store);
  store.records = (...query) => (reads++, records(...query));
  for (const stored of store.axes.values()) await fileSizes(stored, stored.fields, store);
  assert.equal(reads, 0);
});

test('two requests for the sizes of files at the same time wait for one measurement', async () => {
  const store = fixtureStore();
  const stored = store.axes.get('file_15012896')!;
  const sizes = fileSizes(stored, stored.fields, store);
  assert.equal(fileSizes(stored, stored.fields, store), sizes);
  assert.ok((await sizes).csv!.perRow > 0);
});

test('documents are rendered once, references once a store, and every library has them', () => {
  const store = fixtureStore();
  let steps = 0;
  for (const _ of prepareDocuments(store)) steps++;
  const [one, other] = [renderLibrary('ko', store), renderLibrary('ko', store)];
  assert.equal(steps, 2 * one.pages.length);
  const shared = one.pages.filter(({ sections }, at) => sections === other.pages[at]!.sections);
  assert.equal(shared.length, one.pages.length);
  // The references of another store list other axes.
  const { pages } = renderLibrary('ko', fixtureStore());
  const own = pages.filter(({ sections }, at) => sections !== one.pages[at]!.sections);
  assert.ok(own.length > 0 && own.length < pages.length / 2, String(own.length));
});
