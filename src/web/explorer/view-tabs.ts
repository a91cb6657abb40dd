import { html, type Html } from '../html.ts';
import { filteredTarget, type DatasetView } from './dataset-view.ts';

/** Links to the forms in which the records of the page are shown. */
export function viewTabs(view: DatasetView): Html {
  const { words, params, stored } = view;
  const all = ['table', 'chart', 'map'] as const;
  const forms = stored.hasCoordinates ? all : all.slice(0, 2);
  // Charts and maps are of all records; a random sample would misstate their numbers.
  const whole = { sample: undefined, seed: undefined };
  return html`<nav class="views" aria-label="${words.views}">
    ${forms.map(
      (form) =>
        html`<a
          href="${filteredTarget(view, form === 'table' ? { view: form } : { view: form, ...whole })}#table"
          rel="nofollow"
          ${form === params.view ? html`aria-current="page"` : null}
          >${words.viewNames[form]}</a
        >`,
    )}
  </nav>`;
}
