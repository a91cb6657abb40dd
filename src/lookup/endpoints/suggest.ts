import type { RouteParameters } from '../../contract/route.ts';
import type { suggestContract } from '../../contract/suggest-route.ts';
import type { Document } from '../../kernel/http/result.ts';
import { jsonContent, snapshotMeta, warningsPart } from '../answers.ts';
import type { ApiRequest } from '../serve.ts';
import type { LookupStore } from '../store/store.ts';
import { suggest } from '../suggestions/suggest.ts';

/** Datasets, regions, names and words that begin with a text which is being typed. */
export function suggestions({ q, limit }: RouteParameters<typeof suggestContract.suggest>) {
  return async ({ data, warnings, isAbandoned }: ApiRequest<LookupStore>): Promise<Document> => {
    const items = await suggest(q, limit, data, isAbandoned);
    return jsonContent({
      q,
      items,
      count: items.length,
      total: items.length,
      limit,
      meta: snapshotMeta(data),
      ...warningsPart(warnings),
    });
  };
}
