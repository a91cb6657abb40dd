import type { Language } from '../../contract/language.ts';
import { docsTexts } from './texts.ts';
import { html, type Html } from '../html.ts';

/** A block of code with a copy button. Screen readers announce its `kind`, such as `sh`. */
export function sample(code: string, kind: string, language: Language): Html {
  const words = docsTexts[language];
  const label = words.sample(kind);
  return html`<div class="sample">
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
}
