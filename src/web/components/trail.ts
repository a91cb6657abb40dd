import { html, type Html } from '../html.ts';

/** Links to the pages above this one; the page itself comes last, without a link. */
export function trail(label: string, above: readonly Crumb[], here: string): Html {
  return html`<nav class="trail" aria-label="${label}">
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
