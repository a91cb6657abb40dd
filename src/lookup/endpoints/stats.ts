import { hasKoreanLabel } from '../../data/shown-label.ts';
import { catalogTypes, type CatalogType, type Origin, type StoredAxis } from '../../data/axis.ts';
import { regionByCode, type Region } from '../../data/regions/region-table.ts';
import type { ApiRequest } from '../serve.ts';
import type { Document } from '../../kernel/http/result.ts';
import { jsonContent, warningsPart } from '../answers.ts';
import { freshnessLevels, freshnessOf } from '../../data/freshness.ts';
import { perStoreAndDay } from '../per-store.ts';
import type { LookupStore } from '../store/store.ts';

/** Counts of the axes and the catalog. Every total is the sum of its parts. */
export function statsAnswer({ data, warnings }: ApiRequest<LookupStore>, today: string): Document {
  return jsonContent({ ...statsOf(data, today), ...warningsPart(warnings) });
}

/** State of the catalog and the axes, with the freshness of a day. */
export const statsOf = perStoreAndDay((store: LookupStore, today: string) => {
  const axes = [...store.axes.values()];
  const { snapshot, catalog, demand } = store;
  const fields = axes.flatMap((stored) => stored.fields);
  const regions = currentRegions(axes);
  const sido = regions.filter(({ level }) => level === 'sido').length;
  return {
    snapshot: {
      id: snapshot.id,
      builtAt: snapshot.builtAt,
      previous: snapshot.previous,
      schemaVersion: snapshot.schemaVersion,
    },
    axes: {
      total: axes.length,
      ...countBy(freshnessLevels, axes, ({ axis }) => freshnessOf(axis, today)),
      byOrigin: countBy(origins, axes, ({ axis }) => axis.origin),
    },
    rows: { total: sumRows(axes), byType: rowsByType(axes) },
    fields: {
      total: fields.length,
      withKoreanLabel: fields.filter(hasKoreanLabel).length,
    },
    catalog: { total: catalog.total, byType: catalog.byType, held: catalog.held },
    regions: { sido, sigungu: regions.length - sido },
    demand: {
      keywords: demand?.items.length ?? 0,
      held: demand?.items.filter((item) => item.axes.length > 0).length ?? 0,
      anchor: demand?.anchor ?? null,
    },
    index: { bytes: snapshot.indexBytes },
    collectors: snapshot.collectors ?? noRuns,
  };
});

const origins = ['portal', 'file', 'sample'] as const satisfies readonly Origin[];

/** Collections of data that was loaded from files: none has run. */
const noRuns = { lastRun: null, succeeded: 0, failed: 0, waitingForQuota: 0 };

function countBy<const Key extends string, Item>(
  keys: readonly Key[],
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): Record<Key, number> {
  const counts = Object.fromEntries(keys.map((key) => [key, 0])) as Record<Key, number>;
  for (const item of items) counts[keyOf(item)]++;
  return counts;
}

function rowsByType(axes: readonly StoredAxis[]): Record<CatalogType, number> {
  const ofType = (type: CatalogType): number =>
    sumRows(axes.filter(({ axis }) => axis.type === type));
  return Object.fromEntries(catalogTypes.map((type) => [type, ofType(type)])) as Record<
    CatalogType,
    number
  >;
}

/** Current regions with at least one record. */
function currentRegions(axes: readonly StoredAxis[]): Region[] {
  const codes = new Set(axes.flatMap((stored) => stored.regions.map(({ code }) => code)));
  return [...codes].flatMap((code) => {
    const region = regionByCode(code);
    return region === undefined || region.until !== null ? [] : [region];
  });
}

function sumRows(axes: readonly StoredAxis[]): number {
  return axes.reduce((sum, { rows }) => sum + rows, 0);
}
