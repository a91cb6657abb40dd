import { html, type Html } from '../html.ts';

/**
 * Links to the pages above this one; the page itself comes last, without a link. With `search`, `trail.js` adds a link
 * of that name to the search that the reader came from.
 */
export function trail(
  label: string,
  above: readonly Crumb[],
  here: string,
  search: string | null = null,
): Html {
  return html`<nav
    class="trail"
    aria-label="${label}"
    ${search === null ? null : html`data-search="${search}"`}
  >
    <ol>
      ${above.map(({ text, href }) => html`<li><a href="${href}">${text}</a></li>`)}
      <li aria-current="page">${here}</li>
    </ol>
  </nav>`;
}

interface Crumb {
  readonly text: string;
  readonly href: string;
}
