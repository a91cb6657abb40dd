import { lookupContract } from '../../contract/lookup.ts';
import type { DemandItem } from '../../data/demand.ts';
import type { ApiRequest } from '../../kernel/http/api.ts';
import type { Content } from '../../kernel/http/respond.ts';
import { canonicalUrl } from '../../kernel/http/canonical-url.ts';
import { pageLinks, snapshotMeta, textContent, warningsPart } from '../answers.ts';
import { perStore } from '../per-store.ts';
import type { LookupStore } from '../store/store.ts';

interface DemandQuestion {
  readonly limit: number;
  readonly offset: number;
  readonly held: '1' | undefined;
  readonly gap: '1' | undefined;
}

/** What people search for, with what is held of it. Ranks are those of the whole list. */
export function demandAnswer(question: DemandQuestion, request: ApiRequest<LookupStore>): Content {
  const { data, warnings } = request;
  const { limit, offset } = question;
  const lists = demandLists(data);
  const list = question.held === '1' ? lists.held : question.gap === '1' ? lists.gap : lists.all;
  const items = list.slice(offset, offset + limit);
  const total = list.length;
  const { next, prev, headers } = pageLinks(request, { offset, limit, total });
  const { demand } = data;
  if (demand === null) warnings.push({ code: 'no_demand' });
  const head = JSON.stringify({
    anchor: demand === null ? null : { keyword: demand.anchor, index: 100 },
    method: demand?.method ?? null,
  });
  const tail = JSON.stringify({
    count: items.length,
    total,
    limit,
    offset,
    next,
    prev,
    held: question.held === '1',
    meta: snapshotMeta(data),
    ...warningsPart(warnings),
  });
  return textContent(`${head.slice(0, -1)},"items":[${items.join(',')}],${tail.slice(1)}`, headers);
}

/** The items as JSON, made once a snapshot. */
const demandLists = perStore((store) => {
  const items = (store.demand?.items ?? []).map((item) => ({ item, json: itemJson(item) }));
  return {
    all: items.map(({ json }) => json),
    held: items.filter(({ item }) => item.axes.length > 0).map(({ json }) => json),
    gap: items.filter(({ item }) => item.axes.length === 0).map(({ json }) => json),
  };
});

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
