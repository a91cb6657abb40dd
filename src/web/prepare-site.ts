import type { LookupStore } from '../lookup/store/store.ts';
import { SlicedWork } from '../lookup/store/sliced-work.ts';
import { knownTexts } from '../lookup/suggestions/known-texts.ts';
import { mapBase } from './explorer/map-base.ts';

/** Computes, in slices, what the first suggestions and the first maps of a store would wait for. */
export async function prepareSite(store: LookupStore): Promise<void> {
  await knownTexts(store);
  await new SlicedWork().run(prepareMaps(store));
}

function* prepareMaps(store: LookupStore): Generator<void, void> {
  const { boundaries } = mapBase(store);
  yield;
  yield* boundaries.prepare();
}
