import calendar from '../../data/calendar.json' with { type: 'json' };
import type { PublishedField } from '../fields/profiler.ts';
import type { BuiltInAxis } from './axis.ts';

/**
 * The five special-day axes of KASI. Their `origin` is `file`: the days are real, but were not collected from the
 * portal. Collecting the axes replaces them.
 */
export function calendarAxes(collectedAt: string): BuiltInAxis[] {
  return calendar.axes.map(({ code, title, titleEn, provider, columns, rows }) => ({
    axis: {
      code,
      title,
      titleEn,
      type: 'API',
      portalId: '15012690',
      provider: { name: provider, code: null },
      keyFields: ['locdate', 'dateKind', 'dateName'],
      origin: 'file',
      sourceModified: null,
      collectedAt,
      updateCycle: 'P1Y',
      license: null,
      sourceUrl: 'https://www.data.go.kr/data/15012690/openapi.do',
    },
    columns,
    publishedFields: publishedFields.filter(({ name }) => columns.includes(name)),
    rows,
  }));
}

const publishedFields: readonly PublishedField[] = [
  { name: 'locdate', label: '날짜', labelEn: 'Date', role: 'date' },
  { name: 'seq', label: '순번', labelEn: 'Order within the day', role: null },
  {
    name: 'dateKind',
    label: '종류(01 국경일, 02 기념일, 03 24절기, 04 잡절)',
    labelEn: 'Kind',
    role: 'code',
  },
  {
    name: 'isHoliday',
    label: '공공기관 휴일여부(Y/N)',
    labelEn: 'Public offices closed',
    role: null,
  },
  { name: 'dateName', label: '명칭', labelEn: 'Name', role: 'name' },
  { name: 'kst', label: '한국표준시', labelEn: 'Korean Standard Time (hhmm)', role: null },
  {
    name: 'sunLongitude',
    label: '태양황경',
    labelEn: 'Ecliptic longitude of the sun',
    unit: '°',
    role: null,
  },
];
