import { lookupContract } from '../../contract/lookup.ts';
import type { RouteParameters } from '../../contract/route.ts';
import { invalidParameter } from '../refusals.ts';
import { isCodeTable } from '../../data/code-table.ts';
import type { DemandItem } from '../../data/demand.ts';
import type { ApiRequest } from '../serve.ts';
import type { Document } from '../../kernel/http/result.ts';
import { canonicalUrl } from '../../kernel/http/canonical-url.ts';
import { pageLinks, snapshotMeta, textContent, warningsPart } from '../answers.ts';
import { perStore } from '../per-store.ts';
import type { LookupStore } from '../store/store.ts';

/** Search demand, with the stored data of each keyword. Ranks are positions in the whole list. */
export function demand({
  held,
  gap,
  limit,
  offset,
}: RouteParameters<typeof lookupContract.demand>) {
  refuseBoth({ held, gap });
  return (request: ApiRequest<LookupStore>): Document => {
    const { data, warnings } = request;
    const list = rankedKeywords(data, { held, gap });
    const items = list.slice(offset, offset + limit).map(({ json }) => json);
    const total = list.length;
    const { next, prev, headers } = pageLinks(request, { offset, limit, total });
    const { demand: ranking } = data;
    if (ranking === null) warnings.push({ code: 'no_demand' });
    const head = JSON.stringify({
      anchor: ranking === null ? null : { keyword: ranking.anchor, index: 100 },
      method: ranking?.method ?? null,
    });
    const tail = JSON.stringify({
      count: items.length,
      total,
      limit,
      offset,
      next,
      prev,
      held: held === '1',
      meta: snapshotMeta(data),
      ...warningsPart(warnings),
    });
    const json = `${head.slice(0, -1)},"items":[${items.join(',')}],${tail.slice(1)}`;
    return textContent(json, headers);
  };
}

type DemandPart = Partial<Pick<RouteParameters<typeof lookupContract.demand>, 'held' | 'gap'>>;

/** Keywords of a part of the ranking, with their ranks in the whole list. Throws 400 for both parts. */
export function rankedKeywords(store: LookupStore, part: DemandPart): readonly RankedKeyword[] {
  refuseBoth(part);
  const lists = demandLists(store);
  return part.held === '1' ? lists.stored : part.gap === '1' ? lists.gap : lists.all;
}

interface RankedKeyword {
  readonly item: DemandItem;
  readonly json: string;
}

function refuseBoth({ held, gap }: DemandPart): void {
  if (held !== '1' || gap !== '1') return;
  throw invalidParameter('gap', {
    ko: 'held와 함께 쓸 수 없습니다. 하나만 쓰세요.',
    en: 'It cannot be combined with held. Send only one of them.',
  });
}

/** Items as JSON, written once for each snapshot. */
const demandLists = perStore((store) => {
  const items = (store.demand?.items ?? [])
    .map((item) => ({ ...item, axes: item.axes.filter((link) => isAnswer(link, store)) }))
    .map((item) => ({ item, json: itemJson(item) }));
  return {
    all: items,
    stored: items.filter(({ item }) => item.axes.length > 0),
    gap: items.filter(({ item }) => item.axes.length === 0),
  };
});

/** True if an axis has data about a keyword, and not only a row of a list of codes with that name. */
function isAnswer({ axis, match }: DemandItem['axes'][number], { axes }: LookupStore): boolean {
  const stored = axes.get(axis);
  return match !== 'name' || stored === undefined || !isCodeTable(stored);
}

function itemJson({
  rank,
  keyword,
  index,
  belowResolution,
  errorClass,
  axes,
  catalogTotal,
}: DemandItem): string {
  return JSON.stringify({
    rank,
    keyword,
    index,
    belowResolution,
    errorClass,
    held: axes.length > 0,
    axes,
    catalog: {
      total: catalogTotal,
      search: canonicalUrl(lookupContract.catalog, { q: keyword }),
    },
  });
}
