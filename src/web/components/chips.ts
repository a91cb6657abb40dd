import { html, type Html } from '../html.ts';
import { emptyHtml } from '../layout.ts';

/** A filter of the page; its link leads to the page without the filter. */
interface FilterChip {
  readonly text: string;
  readonly removeHref: string;
}

/** Filters in use, each of which a link removes. */
export function filterChips(
  label: string,
  chips: readonly FilterChip[],
  words: { readonly remove: (text: string) => string },
): Html {
  if (chips.length === 0) return emptyHtml;
  return html`<ul class="chips filters" aria-label="${label}">
    ${chips.map(
      ({ text, removeHref }) =>
        html`<li>
          <a class="chip" href="${removeHref}" rel="nofollow" aria-label="${words.remove(text)}"
            ><span>${text}</span> <span class="cross" aria-hidden="true">×</span></a
          >
        </li>`,
    )}
  </ul>`;
}

/** A short link; the title explains a number in its text. */
interface LinkChip {
  readonly text: string;
  readonly href: string;
  readonly title?: string;
}

/** Short links side by side. */
export function linkChips(links: readonly LinkChip[]): Html {
  return html`<ul class="chips">
    ${links.map((link) => html`<li>${linkChip(link)}</li>`)}
  </ul>`;
}

function linkChip({ text, href, title }: LinkChip): Html {
  return title === undefined
    ? html`<a class="chip" href="${href}">${text}</a>`
    : html`<a class="chip" title="${title}" href="${href}">${text}</a>`;
}
