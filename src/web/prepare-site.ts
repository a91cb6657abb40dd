import { regionAround } from '../data/regions/coordinates.ts';
import type { LookupStore } from '../lookup/store/store.ts';
import { SlicedWork } from '../lookup/store/sliced-work.ts';
import { knownTexts } from '../lookup/suggestions/known-texts.ts';
import { prepareDocuments } from './docs/library.ts';
import { prepareFileSizes } from './explorer/file-sizes.ts';
import { mapBase } from './explorer/map-base.ts';
import { visitPages } from './visit-pages.ts';

/** Computes, in pieces between requests, what the first readers of a store would wait for. */
export async function prepareSite(store: LookupStore): Promise<void> {
  await knownTexts(store);
  const work = new SlicedWork();
  await work.run(prepareMaps(store));
  await visitPages(store);
  await work.run(prepareDocuments(store));
  await prepareFileSizes(store);
}

function* prepareMaps(store: LookupStore): Generator<void, void> {
  const { boundaries } = mapBase(store);
  yield;
  yield* boundaries.prepare();
  yield;
  // Reads the borders by which positions are assigned.
  regionAround(37.5, 127);
}
