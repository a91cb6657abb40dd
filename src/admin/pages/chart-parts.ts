import { html, type Html } from '../../web/html.ts';

/** The legend of a column chart's two colours. */
export function legend([part, rest]: readonly [part: string, rest: string], note: string): Html {
  return html`<p class="legend">
    <span class="key part">${part}</span> <span class="key">${rest}</span> <span>${note}</span>
  </p>`;
}

/** The numbers of a chart, collapsed at first. */
export function numbers(label: string, content: Html): Html {
  return html`<details>
    <summary>${label}</summary>
    ${content}
  </details>`;
}
