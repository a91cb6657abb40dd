import { parseQuery } from '../../data/korean/terms.ts';
import { queryOf } from '../../lookup/remaining-query.ts';
import { html, type Html } from '../html.ts';
import { emptyHtml } from '../layout.ts';
import { conditionText } from './condition-text.ts';
import { filteredTarget, whereOf, type DatasetView } from './dataset-view.ts';
import { readValueWords } from './value-words.ts';

/** A link that turns words of the page’s search into conditions on the fields whose values they are, if any is one. */
export async function valueOffer(view: DatasetView): Promise<Html> {
  const { params, stored, store, words } = view;
  if (params.q === undefined) return emptyHtml;
  const { conditions, rest } = await readValueWords(parseQuery(params.q).terms, stored, store);
  if (conditions.length === 0) return emptyHtml;
  const where = whereOf([...view.conditions, ...conditions]);
  const text = conditions.map((part) => conditionText(part, view)).join(', ');
  return html`<p class="quiet">
    ${words.valueOffer}
    <a rel="nofollow" href="${filteredTarget(view, { q: queryOf(rest), where })}#${params.view}"
      >${text}</a
    >
  </p>`;
}
