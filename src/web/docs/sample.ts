import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { Language } from '../../contract/language.ts';
import { docsTexts } from './texts.ts';

/** A block of code with a button to copy it; `kind` is such as `sh`, for who cannot see the form of it. */
export function sample(code: string, kind: string, language: Language): HtmlEscapedString {
  const words = docsTexts[language];
  const label = words.sample(kind);
  const block = html`<div class="sample">
    <pre tabindex="0" role="group" aria-label="${label}"><code translate="no">${code}</code></pre>
    <button
      type="button"
      class="copy"
      hidden
      data-copied="${words.copied}"
      data-refused="${words.copyRefused}"
    >
      ${words.copy}
    </button>
  </div>`;
  // Nothing in it is waited for, so it is no promise.
  return block as HtmlEscapedString;
}
