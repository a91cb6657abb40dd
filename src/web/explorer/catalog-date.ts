import type { Language } from '../../contract/language.ts';
import { todayInSeoul } from '../../data/freshness.ts';
import { dayMs } from '../../data/korean-time.ts';
import type { CatalogSummary } from '../../lookup/store/store.ts';
import { catalogTexts } from './catalog-texts.ts';

/** The date of the catalog and its age from a year on, since newer datasets are not in it; empty without a date. */
export function catalogDate({ date }: CatalogSummary, language: Language): string {
  if (date === null) return '';
  const words = catalogTexts[language];
  const years = Math.floor((Date.parse(todayInSeoul()) - Date.parse(date)) / (yearDays * dayMs));
  return years < 1 ? words.asOf(date) : words.yearsOld(date, years);
}

const yearDays = 365.25;
