import type { Language } from '../../contract/language.ts';
import { html, type Html } from '../html.ts';
import { homeTexts } from './texts.ts';

/** Script of the search box, for the head of its page. */
export const suggestScript: Html = html`<script src="/assets/suggest.js" defer></script>`;

/** Marks a search form whose box completes what is typed. */
export function suggesting(form: Html, language: Language): Html {
  const { kinds, label } = texts[language];
  return html`<div
    class="suggesting"
    data-kinds="${JSON.stringify(kinds)}"
    data-label="${label}"
    data-sample="${homeTexts[language].origins.sample}"
  >
    ${form}
  </div>`;
}

const texts = {
  ko: {
    label: '검색어 제안',
    kinds: {
      dataset: '데이터셋',
      region: '지역',
      name: '이름',
      word: '낱말',
      reading: '한글로 입력',
    },
  },
  en: {
    label: 'Suggestions',
    kinds: {
      dataset: 'Dataset',
      region: 'Region',
      name: 'Name',
      word: 'Word',
      reading: 'Typed in Korean',
    },
  },
} as const;
