import { html, type Html } from '../html.ts';
import { filteredTarget, type DatasetView } from './dataset-view.ts';

/** Links to the views of the records of the page; without records, no map beside the one that is open. */
export function viewTabs(view: DatasetView, total: number): Html {
  const { words, params, stored } = view;
  const all = ['table', 'chart', 'map'] as const;
  const hasMap = stored.hasCoordinates && (total > 0 || params.view === 'map');
  const views = hasMap ? all : all.slice(0, 2);
  // Charts and maps are of all records; a random sample would misstate their numbers.
  const whole = { sample: undefined, seed: undefined };
  return html`<nav class="views" aria-label="${words.views}">
    ${views.map(
      (each) =>
        html`<a
          href="${filteredTarget(view, each === 'table' ? { view: each } : { view: each, ...whole })}#table"
          rel="nofollow"
          ${each === params.view ? html`aria-current="page"` : null}
          >${words.viewNames[each]}</a
        >`,
    )}
  </nav>`;
}
