import { html, type Html } from '../html.ts';

/** A message about the page: `note` for facts, `warning` for what a reader must know before using the data. */
export function notice(tone: 'note' | 'warning', content: Html): Html {
  return html`<div class="notice ${tone}" role="note">${content}</div>`;
}
