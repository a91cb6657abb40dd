import { isPart, livingEnds } from '../../data/regions/coverage.ts';
import { countedIn, dividedRegions } from '../../data/regions/former-regions.ts';
import { findRegion, type FoundRegion } from '../../data/regions/find-region.ts';
import type { Region } from '../../data/regions/region-table.ts';
import { formerNames } from '../../data/regions/sido-names.ts';
import type { StoredAxis, RegionBasis, RegionCount } from '../../data/axis.ts';
import type { ApiRequest } from '../serve.ts';
import type { lookupContract } from '../../contract/lookup.ts';
import type { Params, Warning } from '../../contract/route.ts';
import type { Document } from '../../kernel/http/result.ts';
import { jsonContent, snapshotMeta, warningsPart } from '../answers.ts';
import { regionSuggestions } from '../region-suggestions.ts';
import type { LookupStore } from '../store/store.ts';

interface NamedRegion {
  readonly sido: string;
  readonly sigungu: string | undefined;
}

/** Datasets that overlap one region, from counts made with the snapshot. */
export function region({ sido, sigungu }: Params<typeof lookupContract.region>) {
  return ({ data, warnings }: ApiRequest<LookupStore>): Document => {
    const named = { sido, sigungu };
    const found = findRegion(sido, sigungu);
    if (found === null) warnings.push(unknownRegion(named));
    const items = found === null ? [] : overlapping(data, found, named);
    return jsonContent(
      {
        region: found === null ? null : describe(found, named),
        items,
        count: items.length,
        total: items.length,
        notices: found === null ? [] : noticesOf(found, [...data.axes.values()]),
        meta: snapshotMeta(data),
        ...warningsPart(warnings),
      },
      { 'X-Total-Count': String(items.length) },
    );
  };
}

/** A warning for a region that no name or code matches, with suggestions. */
export function unknownRegion({ sido, sigungu }: NamedRegion): Warning {
  const suggestions = regionSuggestions(sido, sigungu);
  return { code: 'unknown_region', sido, sigungu: sigungu ?? null, suggestions };
}

interface Overlap {
  readonly axis: string;
  readonly title: string;
  readonly rows: number;
  readonly share: number;
  readonly basis: readonly RegionBasis[];
  readonly links: { readonly rows: string };
}

function overlapping(store: LookupStore, found: FoundRegion, named: NamedRegion): Overlap[] {
  return [...store.axes.values()]
    .flatMap((held) => overlapOf(held, found.countedCode, named))
    .sort((a, b) => b.rows - a.rows || (a.axis < b.axis ? -1 : 1));
}

function overlapOf(held: StoredAxis, counted: string, named: NamedRegion): Overlap[] {
  const { rows, basis } = countOf(held, counted);
  if (rows === 0) return [];
  const { code, title } = held.axis;
  const region = `sido=${encodeURIComponent(named.sido)}${
    named.sigungu === undefined ? '' : `&sigungu=${encodeURIComponent(named.sigungu)}`
  }`;
  return [
    {
      axis: code,
      title,
      rows,
      share: Math.round((rows / held.rows) * 10_000) / 10_000,
      basis: [...basis].sort(),
      links: { rows: `/api/data/axis?axis=${code}&${region}` },
    },
  ];
}

function countOf({ regions }: StoredAxis, counted: string): RegionCount {
  return regions.find(({ code }) => code === counted) ?? { code: counted, rows: 0, basis: [] };
}

function describe(found: FoundRegion, named: NamedRegion): object {
  const { sido, sigungu, matchedBy } = found;
  return {
    sido: {
      code: sido.code,
      name: sido.name,
      short: sido.short,
      since: sido.since,
      formerNames: formerNames(sido),
    },
    sigungu:
      sigungu === null
        ? null
        : { code: sigungu.code, name: sigungu.name, parent: sigungu.parent ?? sido.code },
    asked: { sido: named.sido, sigungu: named.sigungu ?? null },
    matchedBy,
  };
}

/**
 * Current regions in place of the requested one. `divided` means that several took its place, so `region.sigungu`
 * is still the former one. Rows of these axes that may belong to it, undecided, are counted elsewhere.
 */
export function noticesOf(
  { former, sido, sigungu, countedCode }: FoundRegion,
  axes: readonly StoredAxis[],
): Warning[] {
  if (former === null) return sigungu === null ? [] : dividedNotices(sigungu, axes);
  const { name, until } = former;
  const living = isPart(former) ? [sido] : livingEnds(former);
  const now = living.map(({ name }) => name);
  const divided = sigungu !== null && sigungu.until !== null;
  const notices: Warning[] = [{ code: 'former_region', asked: name, until, now, divided }];
  const rows = axes.reduce((sum, held) => sum + (countOf(held, countedCode).undecided ?? 0), 0);
  if (rows > 0)
    notices.push({ code: 'rows_undecided', asked: name, rows, countedIn: countedIn(former) });
  return notices;
}

/**
 * A record that names only a divided region is counted under none of its living parts: the notice of each part has
 * the number of rows of the former region.
 */
function dividedNotices(sigungu: Region, axes: readonly StoredAxis[]): Warning[] {
  return dividedRegions(sigungu.code).flatMap(({ code, name: former, until }): Warning[] => {
    const rows = axes.reduce((sum, held) => sum + countOf(held, code).rows, 0);
    return rows === 0 ? [] : [{ code: 'divided_before', asked: sigungu.name, former, until, rows }];
  });
}
