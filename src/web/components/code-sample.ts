import type { Language } from '../../contract/language.ts';
import { html, type Html } from '../html.ts';

/** A block of code with a copy button. Screen readers announce its `kind`, such as `sh`. */
export function codeSample(code: string, kind: string, language: Language): Html {
  const words = texts[language];
  const label = words.sample(kind);
  return html`<div class="code">
    <pre tabindex="0" role="group" aria-label="${label}"><code translate="no">${code}</code></pre>
    <button
      type="button"
      class="copy"
      hidden
      data-copied="${words.copied}"
      data-refused="${words.refused}"
    >
      ${words.copy}
    </button>
  </div>`;
}

const texts = {
  ko: {
    sample: (kind: string) => `예시 (${kind})`,
    copy: '복사',
    copied: '복사했습니다',
    refused: '선택했습니다. Ctrl+C',
  },
  en: {
    sample: (kind: string) => `sample (${kind})`,
    copy: 'Copy',
    copied: 'Copied',
    refused: 'Selected: Ctrl+C',
  },
} as const;
