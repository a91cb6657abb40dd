import type { Language } from '../../contract/language.ts';
import type { Origin } from '../../data/axis.ts';
import { html, type Html } from '../html.ts';

/** The mark of invented data, which stands beside every mention of it; empty for real data. */
export function sampleBadge(origin: Origin | null, language: Language): Html {
  return origin === 'sample'
    ? html`<span class="badge sample">${sampleWords[language]}</span>`
    : html``;
}

export const sampleWords = { ko: '예시 데이터', en: 'Sample data' } as const;
