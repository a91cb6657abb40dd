import { html, type Html } from '../html.ts';
import { filteredTarget, type DatasetView } from './dataset-view.ts';

/** Links to the views of the records of the page. */
export function viewTabs(view: DatasetView): Html {
  const { words, params, stored } = view;
  const all = ['table', 'chart', 'map'] as const;
  const views = stored.hasCoordinates ? all : all.slice(0, 2);
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
