import assert from 'node:assert/strict';
import test from 'node:test';
import { fixtureStore } from '../../test/fixtures/lookup.ts';
import { MemoryStore } from '../../test/fixtures/memory-store.ts';
import { prepareDocuments, renderLibrary } from './docs/library.ts';
import { prepareSite } from './prepare-site.ts';

test('a site is prepared for a store with data, and for one without', async () => {
  await prepareSite(fixtureStore());
  await prepareSite(new MemoryStore({ snapshot: fixtureStore().snapshot, axes: [] }));
});

test('documents are rendered once, a page a step, and every library has them', () => {
  let steps = 0;
  for (const _ of prepareDocuments()) steps++;
  const [one, other] = [renderLibrary('ko', []), renderLibrary('ko', [])];
  assert.equal(steps, 2 * one.pages.length);
  const shared = one.pages.filter(({ sections }, at) => sections === other.pages[at]!.sections);
  assert.ok(shared.length > one.pages.length / 2, String(shared.length));
});
