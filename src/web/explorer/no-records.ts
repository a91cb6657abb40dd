import { rewritesWithResults } from '../../lookup/rewrites.ts';
import { linkChips } from '../components/chips.ts';
import { notice } from '../components/notice.ts';
import { html, type Html } from '../html.ts';
import { emptyHtml } from '../layout.ts';
import { filteredTarget, type DatasetView } from './dataset-view.ts';

/** A message that nothing was found, with other spellings of the words that find records of the dataset. */
export async function noRecords(view: DatasetView): Promise<Html> {
  const { words, params, conditions } = view;
  const others = await spellings(view);
  const given = [params.q, params.sido, params.near, params.bbox].filter(
    (one) => one !== undefined,
  );
  const hasSeveral = given.length + conditions.length > 1;
  return notice(
    'note',
    html`<p>${words.none}</p>
      ${hasSeveral ? html`<p>${words.noneHelp}</p>` : emptyHtml}
      ${
        others.length === 0
          ? emptyHtml
          : html`<p>${words.tryInstead}</p>
              ${linkChips(others.map((text) => ({ text, href: `${filteredTarget(view, { q: text })}#${params.view}` })))}`
      }`,
  );
}

/** Queries that may replace the query of the address, by the rules of the search; empty if it has no query. */
async function spellings({ store, stored, params, isAbandoned }: DatasetView): Promise<string[]> {
  if (params.q === undefined) return [];
  const rewrites = await rewritesWithResults(params.q, {
    store,
    scope: 'records',
    count: async (query) => {
      const axis = stored.axis.code;
      const part = { axis, match: 'record', limit: 0, offset: 0 } as const;
      return (await store.search({ ...query, ...part }, isAbandoned)).total;
    },
    isAbandoned,
  });
  return rewrites.map(({ text }) => text);
}
