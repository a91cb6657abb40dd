import { html, type Html } from '../../web/html.ts';
import { number } from './table.ts';

/** The most important numbers of a page, large and side by side. */
export function figures(entries: readonly (readonly [name: string, value: number | null])[]): Html {
  return html`<dl class="figures">
    ${entries.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${number(value)}</dd>
        </div>`,
    )}
  </dl>`;
}
