import type { lookupContract } from '../../contract/lookup.ts';
import type { RouteParameters } from '../../contract/route.ts';
import type { Aggregate } from '../../data/columns/aggregates.ts';
import type { CheckedParameters } from '../../kernel/http/parameters.ts';
import type { Document } from '../../kernel/http/result.ts';
import { jsonContent, pageLinks, snapshotMeta, warningsPart } from '../answers.ts';
import { noGroups, readGroups } from '../grouping.ts';
import { regionNames } from '../region-names.ts';
import { explainFilters } from '../foreign-filters.ts';
import { requireAxis } from '../refusals.ts';
import { columnsOf, readSelection } from '../selection.ts';
import type { ApiRequest } from '../serve.ts';
import type { LookupStore } from '../store/store.ts';

/** Aggregates of the records of an axis, by group. */
export function groups(
  params: RouteParameters<typeof lookupContract.groups>,
  store: LookupStore,
  given: CheckedParameters,
) {
  const { axis, offset, limit } = params;
  const stored = requireAxis(axis, store);
  explainFilters(given, columnsOf(stored));
  const { selection, where, warnings } = readSelection(params, stored);
  const { query, having } = readGroups(params, stored);
  return async (request: ApiRequest<LookupStore>): Promise<Document> => {
    request.warnings.push(...warnings);
    const found =
      selection === null
        ? noGroups
        : await store.groups(axis, { ...selection, ...query, offset, limit }, request.isAbandoned);
    const { items, total, isTruncated, unread, totalRows } = found;
    const { number, isExact } = found.found;
    if (totalRows > 0 && addsUp(query.aggregates) && !(where ?? '').includes('_total')) {
      request.warnings.push({ code: 'totals_included', rows: totalRows, where: '_total = false' });
    }
    const { next, prev, headers } = pageLinks(request, { offset, limit, total });
    return jsonContent(
      {
        axis,
        title: stored.axis.title,
        by: query.by.map(({ name }) => name),
        agg: query.aggregates.map(({ name }) => name),
        ...(where === null ? {} : { where }),
        ...(having === null ? {} : { having }),
        ...(params.sort === undefined ? {} : { sort: params.sort }),
        ...regionNames(
          query.by
            .filter(({ column }) => column === '_sido' || column === '_sigungu')
            .flatMap(({ name }) => items.map((item) => item[name] ?? null)),
        ),
        items,
        count: items.length,
        total,
        groups: number,
        groupsRelation: isExact ? 'eq' : 'gte',
        truncated: isTruncated,
        totalRows,
        unread,
        limit,
        offset,
        next,
        prev,
        meta: snapshotMeta(store),
        ...warningsPart(request.warnings),
      },
      headers,
    );
  };
}

/** True if a total beside its parts changes an aggregate. */
function addsUp(aggregates: readonly Aggregate[]): boolean {
  return aggregates.some((each) => each.function !== 'min' && each.function !== 'distinct');
}
