import type { Language } from '../../contract/language.ts';
import { formatNumber } from '../layout.ts';
import type { ChartData } from './chart-data.ts';
import { chartTexts } from './chart-texts.ts';

/** Sentences about the records of a chart, those that it leaves out or should; its page and its files have them. */
export function chartRemarks(data: ChartData, language: Language): string[] {
  const { key, years, isCut, nulls, unread, totalRows, groups, bars, total } = data;
  const words = chartTexts[language];
  const isByRegion = key.column === '_sido' || key.column === '_sigungu';
  return [
    ...(isByRegion ? [words.currentRegions] : []),
    // A sum has a row with the rest.
    ...(data.kind === 'time' || data.isAdditive || bars >= total
      ? []
      : [words.drawn(formatNumber(bars), formatNumber(total))]),
    ...(years === null ? [] : [words.severalYears(years.from, years.to)]),
    ...(isCut ? [words.cut(formatNumber(groups.length))] : []),
    ...(nulls === 0 ? [] : [words.nulls(formatNumber(nulls))]),
    ...(unread === 0 ? [] : [words.unread(formatNumber(unread))]),
    ...(totalRows === 0 ? [] : [words.totals(formatNumber(totalRows))]),
  ];
}
