import { isPart, livingEnds } from '../data/regions/coverage.ts';
import { findRegion, type FoundRegion } from '../data/regions/find-region.ts';
import { formerNames } from '../data/regions/sido-names.ts';
import type { RegionBasis, HeldAxis } from '../data/axis.ts';
import type { ApiRequest } from '../kernel/http/api.ts';
import type { Warning } from '../kernel/http/endpoint.ts';
import type { Content } from '../kernel/http/respond.ts';
import { jsonContent, snapshotMeta, warningsPart } from './answers.ts';
import { regionSuggestions } from './region-suggestions.ts';
import type { LookupStore } from './store/store.ts';

export interface AskedRegion {
  readonly sido: string;
  readonly sigungu: string | undefined;
}

/** Datasets that overlap one region, from counts made with the snapshot. */
export function regionAnswer(question: AskedRegion, request: ApiRequest<LookupStore>): Content {
  const { data, warnings } = request;
  const found = findRegion(question.sido, question.sigungu);
  if (found === null) warnings.push(unknownRegion(question));
  const items = found === null ? [] : overlapping(data, found, question);
  return jsonContent(
    {
      region: found === null ? null : describe(found, question),
      items,
      count: items.length,
      total: items.length,
      notices: found === null ? [] : noticesOf(found),
      meta: snapshotMeta(data),
      ...warningsPart(warnings),
    },
    { 'X-Total-Count': String(items.length) },
  );
}

/** Says that nothing is called so, and what is. */
export function unknownRegion({ sido, sigungu }: AskedRegion): Warning {
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

function overlapping(store: LookupStore, found: FoundRegion, asked: AskedRegion): Overlap[] {
  const codes = new Set(found.countedCodes);
  return [...store.axes.values()]
    .flatMap((held) => overlapOf(held, codes, asked))
    .sort((a, b) => b.rows - a.rows || (a.axis < b.axis ? -1 : 1));
}

function overlapOf(held: HeldAxis, codes: ReadonlySet<string>, asked: AskedRegion): Overlap[] {
  const counts = held.regions.filter(({ code }) => codes.has(code));
  const rows = counts.reduce((sum, count) => sum + count.rows, 0);
  if (rows === 0) return [];
  const { code, title } = held.axis;
  const region = `sido=${encodeURIComponent(asked.sido)}${
    asked.sigungu === undefined ? '' : `&sigungu=${encodeURIComponent(asked.sigungu)}`
  }`;
  return [
    {
      axis: code,
      title,
      rows,
      share: Math.round((rows / held.rows) * 10_000) / 10_000,
      basis: [...new Set(counts.flatMap(({ basis }) => basis))].sort(),
      links: { rows: `/api/data/axis?axis=${code}&${region}` },
    },
  ];
}

function describe(found: FoundRegion, asked: AskedRegion): object {
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
    asked: { sido: asked.sido, sigungu: asked.sigungu ?? null },
    matchedBy,
  };
}

/**
 * What the region asked for has become. `divided` says that several took its place, so that
 * `region.sigungu` is still the former one.
 */
export function noticesOf({ former, exact, sido, sigungu }: FoundRegion): Warning[] {
  const notices: Warning[] = [];
  if (former !== null) {
    const { name: asked, until } = former;
    const now = isPart(former) ? [sido.name] : livingEnds(former).map(({ name }) => name);
    const divided = sigungu !== null && sigungu.until !== null;
    notices.push({ code: 'former_region', asked, until, now, divided });
  }
  if (!exact) notices.push({ code: 'covers_more_than_asked' });
  return notices;
}
