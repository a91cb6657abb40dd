import { html, type Html } from '../html.ts';
import { emptyHtml } from '../layout.ts';

interface PagerLinks {
  readonly label: string;
  /** Place in the list, such as `1–50 / 14,651`. */
  readonly place: string;
  readonly first: PagerLink | null;
  readonly previous: PagerLink | null;
  readonly next: PagerLink | null;
  readonly last: PagerLink | null;
}

interface PagerLink {
  readonly text: string;
  readonly href: string;
}

/** Links to other pages of a list. */
export function pager({ label, place, first, previous, next, last }: PagerLinks): Html {
  return html`<nav class="pager" aria-label="${label}">
    <span>${link(first, null)} ${link(previous, 'prev')}</span>
    <span class="quiet">${place}</span>
    <span>${link(next, 'next')} ${link(last, null)}</span>
  </nav>`;
}

function link(target: PagerLink | null, rel: 'prev' | 'next' | null): Html {
  if (target === null) return emptyHtml;
  return html`<a
    class="button quiet"
    href="${target.href}"
    ${rel === null ? emptyHtml : html`rel="${rel}"`}
    >${target.text}</a
  >`;
}
