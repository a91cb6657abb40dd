import type { lookupContract } from '../../contract/lookup.ts';
import type { RouteParameters } from '../../contract/route.ts';
import type { ValuesResult } from '../../data/columns/values.ts';
import type { CheckedParameters } from '../../kernel/http/parameters.ts';
import type { Document } from '../../kernel/http/result.ts';
import { jsonContent, pageLinks, snapshotMeta, warningsPart } from '../answers.ts';
import { regionNames } from '../region-names.ts';
import { explainFilters } from '../foreign-filters.ts';
import { requireAxis } from '../refusals.ts';
import { columnsOf, readSelection } from '../selection.ts';
import type { ApiRequest } from '../serve.ts';
import type { LookupStore } from '../store/store.ts';
import { parseList } from '../where/terms.ts';

/** Distinct values of a field with the number of records of each. */
export function values(
  params: RouteParameters<typeof lookupContract.values>,
  store: LookupStore,
  given: CheckedParameters,
) {
  const { axis, field, offset, limit } = params;
  const stored = requireAxis(axis, store);
  explainFilters(given, columnsOf(stored));
  const { selection, where, warnings } = readSelection(params, stored);
  // A list has at least one item.
  const { name } = parseList(field, { parameter: 'field', itemsMax: 1 })[0]!;
  const column = columnsOf(stored).find(name, 'field');
  return async (request: ApiRequest<LookupStore>): Promise<Document> => {
    request.warnings.push(...warnings);
    const query = { column: column.name, offset, limit };
    const found =
      selection === null
        ? noValues
        : await store.values(axis, { ...selection, ...query }, request.isAbandoned);
    const { items, total, nulls, unread } = found;
    const { next, prev, headers } = pageLinks(request, { offset, limit, total });
    return jsonContent(
      {
        axis,
        title: stored.axis.title,
        field: {
          name: column.name,
          label: column.label,
          type: column.type === 'region' ? 'string' : column.type,
        },
        ...(where === null ? {} : { where }),
        ...regionNames(column.type === 'region' ? items.map(({ value }) => value) : []),
        items,
        count: items.length,
        total,
        nulls,
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

const noValues: ValuesResult = { items: [], total: 0, nulls: 0, unread: {} };
