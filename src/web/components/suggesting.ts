import type { Language } from '../../contract/language.ts';
import { html, type Html } from '../html.ts';
import { sampleWords } from './badge.ts';

/** A search form whose box completes what is typed; one a page. */
export function suggesting(form: Html, language: Language): Html {
  const { kinds, label } = texts[language];
  return html`<div
      class="suggesting"
      data-kinds="${JSON.stringify(kinds)}"
      data-label="${label}"
      data-sample="${sampleWords[language]}"
    >
      ${form}
    </div>
    <script src="/assets/suggest.js" defer></script>`;
}

const texts = {
  ko: {
    label: '검색어 제안',
    kinds: {
      dataset: '데이터셋',
      listed: '포털 목록(보유하지 않음)',
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
      listed: 'Portal catalog (not held)',
      region: 'Region',
      name: 'Name',
      word: 'Word',
      reading: 'Typed in Korean',
    },
  },
} as const;
