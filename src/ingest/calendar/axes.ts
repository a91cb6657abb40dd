import type { Axis } from '../../data/axis.ts';
import type { KnownField } from '../fields/profiler.ts';
import type { Text } from '../../data/axis.ts';
import { anniversaries, anniversaryYears } from './anniversaries.ts';
import { isoDay } from './days.ts';
import { nationalDays } from './holidays.ts';
import { regionCodeAxis } from './region-codes.ts';
import { solarTerms } from './solar-terms.ts';
import { almanacYears, yearsOf, type SpecialDay } from './special-day.ts';
import { sundryDays } from './sundry-days.ts';

/** An axis that needs no key and no network: what a first start holds. */
export interface AlmanacAxis {
  readonly axis: Axis;
  readonly columns: readonly string[];
  /** Labels as the portal publishes them for the same fields. */
  readonly known: readonly KnownField[];
  /** Texts, as collecting would hold them. */
  readonly rows: readonly (readonly Text[])[];
}

/**
 * The five special-day axes of KASI, with records in the form of its answers, and the region table.
 * Holidays come from the gazette's list, anniversaries from their rules, the rest is computed. `origin` is
 * `file`: they are true, yet did not come through the portal. Collecting them later replaces them.
 */
export function almanacAxes(collectedAt: string): AlmanacAxis[] {
  const years = yearsOf(almanacYears);
  const listed = yearsOf(anniversaryYears).flatMap(anniversaries);
  const national = years.flatMap(nationalDays);
  const terms = years.flatMap(solarTerms);
  const sundry = years.flatMap(sundryDays);
  const sequence = sequenceOf([national, listed, terms, sundry]);
  const axis = (source: Source, days: readonly SpecialDay[], columns: readonly string[]) => ({
    axis: axisOf(source, collectedAt),
    columns,
    known: knownFields.filter(({ name }) => columns.includes(name)),
    rows: days.map((day) => columns.map((name) => cellOf(day, name, sequence))),
  });
  return [
    axis(
      sources.restDays,
      national.filter(({ isHoliday }) => isHoliday),
      dayColumns,
    ),
    axis(sources.nationalDays, national, dayColumns),
    axis(sources.anniversaries, listed, dayColumns),
    axis(sources.solarTerms, terms, sunColumns),
    axis(sources.sundryDays, sundry, sunColumns),
    regionCodeAxis(collectedAt),
  ];
}

const dayColumns = ['locdate', 'seq', 'dateKind', 'isHoliday', 'dateName'];
const sunColumns = [...dayColumns, 'kst', 'sunLongitude'];

const knownFields: readonly KnownField[] = [
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

interface Source {
  readonly code: string;
  readonly title: string;
  readonly titleEn: string;
  readonly maker: 'gazette' | 'rules' | 'computation';
}

const sources = {
  restDays: {
    code: 'gen_restdeinfo',
    title: '한국천문연구원_특일 정보 - 공휴일 정보조회',
    titleEn: 'KASI special days - public holidays',
    maker: 'gazette',
  },
  nationalDays: {
    code: 'gen_holideinfo',
    title: '한국천문연구원_특일 정보 - 국경일 정보조회',
    titleEn: 'KASI special days - national days',
    maker: 'gazette',
  },
  anniversaries: {
    code: 'gen_anniversaryinfo',
    title: '한국천문연구원_특일 정보 - 기념일 정보조회',
    titleEn: 'KASI special days - anniversaries',
    maker: 'rules',
  },
  solarTerms: {
    code: 'gen_24divisionsinfo',
    title: '한국천문연구원_특일 정보 - 24절기 정보조회',
    titleEn: 'KASI special days - 24 solar terms',
    maker: 'computation',
  },
  sundryDays: {
    code: 'gen_sundrydayinfo',
    title: '한국천문연구원_특일 정보 - 잡절 정보조회',
    titleEn: 'KASI special days - miscellaneous seasonal days',
    maker: 'computation',
  },
} as const satisfies Record<string, Source>;

/** Who says so, where the days were not asked of the portal. */
const makers = {
  gazette: '우주항공청 월력요항 (관보)',
  rules: '각종 기념일 등에 관한 규정',
  computation: '마루 (천문 계산)',
} as const;

function axisOf({ code, title, titleEn, maker }: Source, collectedAt: string): Axis {
  return {
    code,
    title,
    titleEn,
    type: 'API',
    portalId: '15012690',
    provider: { name: makers[maker], code: null },
    keyFields: ['locdate', 'dateKind', 'dateName'],
    origin: 'file',
    sourceModified: null,
    collectedAt,
    updateCycle: 'P1Y',
    license: null,
    sourceUrl: 'https://www.data.go.kr/data/15012690/openapi.do',
  };
}

function cellOf(day: SpecialDay, column: string, sequence: ReadonlyMap<SpecialDay, number>): Text {
  switch (column) {
    case 'locdate':
      return isoDay(day.day).replaceAll('-', '');
    case 'seq':
      return sequence.get(day)?.toString() ?? null;
    case 'dateKind':
      return day.kind;
    case 'isHoliday':
      return day.isHoliday ? 'Y' : 'N';
    case 'dateName':
      return day.name;
    case 'kst':
      return day.kst;
    default:
      return day.sunLongitude?.toString() ?? null;
  }
}

/** KASI counts the days of one date through all kinds: 식목일 is 1 and 한식 on the same date 2. */
function sequenceOf(kinds: readonly (readonly SpecialDay[])[]): ReadonlyMap<SpecialDay, number> {
  const taken = new Map<number, number>();
  const sequence = new Map<SpecialDay, number>();
  for (const day of kinds.flat()) {
    const next = (taken.get(day.day) ?? 0) + 1;
    taken.set(day.day, next);
    sequence.set(day, next);
  }
  return sequence;
}
