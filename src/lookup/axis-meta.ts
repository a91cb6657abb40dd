import type { StoredAxis } from '../data/axis.ts';
import { snapshotMeta } from './answers.ts';
import type { LookupStore } from './store/store.ts';

/** The member `meta` of an answer about one axis: snapshot, source and licence. */
export function axisMeta({ axis }: StoredAxis, store: LookupStore) {
  return {
    ...snapshotMeta(store),
    sourceModified: axis.sourceModified,
    collectedAt: axis.collectedAt,
    origin: axis.origin,
    source: {
      portalId: axis.portalId,
      provider: axis.provider?.name ?? null,
      url: axis.sourceUrl,
    },
    license: axis.license,
  };
}
