import { isMergedSido, currentSuccessors } from '../../data/regions/coverage.ts';
import { countingRegionNames, dividedPredecessors } from '../../data/regions/former-regions.ts';
import { findRegion, type RegionMatch } from '../../data/regions/find-region.ts';
import { bordersYear } from '../../data/regions/coordinates.ts';
import { latestChange, type Region } from '../../data/regions/region-table.ts';
import { formerNamesOfSido } from '../../data/regions/sido-names.ts';
import type { Origin, StoredAxis, RegionBasis, RegionCount } from '../../data/axis.ts';
import type { ApiRequest } from '../serve.ts';
import type { lookupContract } from '../../contract/lookup.ts';
import type { RouteParameters, Warning } from '../../contract/route.ts';
import type { Document } from '../../kernel/http/result.ts';
import { jsonContent, snapshotMeta, warningsPart } from '../answers.ts';
import { regionSuggestions } from '../region-suggestions.ts';
import type { LookupStore } from '../store/store.ts';

interface RegionQuery {
  readonly sido: string;
  readonly sigungu?: string | undefined;
}

/** Axes with records in one region, from the counts in the snapshot. */
export function region({ sido, sigungu }: RouteParameters<typeof lookupContract.region>) {
  return ({ data, warnings }: ApiRequest<LookupStore>): Document => {
    const query = { sido, sigungu };
    const match = findRegion(sido, sigungu);
    if (match === null) warnings.push(unknownRegion(query));
    const items = match === null ? [] : overlapsOf(data, match, query);
    return jsonContent(
      {
        region: match === null ? null : regionItem(match, query),
        items,
        count: items.length,
        total: items.length,
        table: { latestChange, borders: bordersYear },
        notices: match === null ? [] : noticesOf(match, [...data.axes.values()]),
        meta: { ...snapshotMeta(data), sample: sampleRows(items) },
        ...warningsPart(warnings),
      },
      { 'X-Total-Count': String(items.length) },
    );
  };
}

/** A warning for a region that no name or code matches, with suggestions. */
export function unknownRegion({ sido, sigungu }: RegionQuery): Warning {
  const suggestions = regionSuggestions(sido, sigungu);
  return { code: 'unknown_region', sido, sigungu: sigungu ?? null, suggestions };
}

function sampleRows(items: readonly Overlap[]): number {
  return items.reduce((sum, { origin, rows }) => sum + (origin === 'sample' ? rows : 0), 0);
}

interface Overlap {
  readonly axis: string;
  readonly title: string;
  readonly rows: number;
  readonly origin: Origin;
  readonly share: number;
  readonly basis: readonly RegionBasis[];
  readonly links: { readonly rows: string };
}

/** Axes with records in a region, most records first. */
export function overlapsOf(store: LookupStore, match: RegionMatch, query: RegionQuery): Overlap[] {
  return [...store.axes.values()]
    .flatMap((stored) => overlapOf(stored, match.countedCode, query))
    .sort((a, b) => b.rows - a.rows || (a.axis < b.axis ? -1 : 1));
}

function overlapOf(stored: StoredAxis, countedCode: string, query: RegionQuery): Overlap[] {
  const { rows, basis } = countOf(stored, countedCode);
  if (rows === 0) return [];
  const { code, title, origin } = stored.axis;
  const region = `sido=${encodeURIComponent(query.sido)}${
    query.sigungu === undefined ? '' : `&sigungu=${encodeURIComponent(query.sigungu)}`
  }`;
  return [
    {
      axis: code,
      title,
      rows,
      origin,
      share: Math.round((rows / stored.rows) * 10_000) / 10_000,
      basis: [...basis].sort(),
      links: { rows: `/api/data/axis?axis=${code}&${region}` },
    },
  ];
}

function countOf({ regions }: StoredAxis, code: string): RegionCount {
  return regions.find((count) => count.code === code) ?? { code, rows: 0, basis: [] };
}

function regionItem({ sido, sigungu, matchedBy }: RegionMatch, query: RegionQuery): object {
  return {
    sido: {
      code: sido.code,
      name: sido.name,
      short: sido.short,
      since: sido.since,
      formerNames: formerNamesOfSido(sido),
    },
    sigungu:
      sigungu === null
        ? null
        : { code: sigungu.code, name: sigungu.name, parent: sigungu.parent ?? sido.code },
    asked: { sido: query.sido, sigungu: query.sigungu ?? null },
    matchedBy,
  };
}

/**
 * Notices of a former region: the current regions in its place, and the rows that may belong to it but are
 * counted elsewhere. With `divided` several regions took its place, and `region.sigungu` is still the former one.
 */
export function noticesOf(
  { former, sido, sigungu, countedCode }: RegionMatch,
  axes: readonly StoredAxis[],
): Warning[] {
  if (former === null) return sigungu === null ? [] : dividedNotices(sigungu, axes);
  const { name, until } = former;
  const currentRegions = isMergedSido(former) ? [sido] : currentSuccessors(former);
  const now = currentRegions.map(({ name }) => name);
  const divided = sigungu !== null && sigungu.until !== null;
  const notices: Warning[] = [{ code: 'former_region', asked: name, until, now, divided }];
  const rows = axes.reduce((sum, stored) => sum + (countOf(stored, countedCode).undecided ?? 0), 0);
  if (rows > 0)
    notices.push({
      code: 'rows_undecided',
      asked: name,
      rows,
      countedIn: countingRegionNames(former),
    });
  return notices;
}

/**
 * Notices of a part of a divided region. A record that names only the former region counts under none of its
 * parts, so each notice has the number of rows of the former region.
 */
function dividedNotices(sigungu: Region, axes: readonly StoredAxis[]): Warning[] {
  return dividedPredecessors(sigungu.code).flatMap(({ code, name: former, until }): Warning[] => {
    const rows = axes.reduce((sum, stored) => sum + countOf(stored, code).rows, 0);
    return rows === 0 ? [] : [{ code: 'divided_before', asked: sigungu.name, former, until, rows }];
  });
}
