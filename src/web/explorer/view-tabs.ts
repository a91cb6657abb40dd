import { html, type Html } from '../html.ts';
import { filteredTarget, type DatasetView } from './dataset-view.ts';

/** Links to the forms in which the records of the page are shown. */
export function viewTabs(view: DatasetView): Html {
  const { words, params } = view;
  const forms = ['table', 'chart'] as const;
  return html`<nav class="views" aria-label="${words.views}">
    ${forms.map(
      (form) =>
        html`<a
          href="${filteredTarget(view, { view: form, offset: 0 })}#table"
          rel="nofollow"
          ${form === params.view ? html`aria-current="page"` : null}
          >${words.viewNames[form]}</a
        >`,
    )}
  </nav>`;
}
