import { html, type Html } from '../html.ts';

/** A part of a page that its reader opens. */
export function panel(summary: string, content: Html, isOpen = false): Html {
  return html`<details class="panel" ${isOpen ? html`open` : null}>
    <summary>${summary}</summary>
    <div>${content}</div>
  </details>`;
}
