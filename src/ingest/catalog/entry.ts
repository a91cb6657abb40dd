import type { CatalogType } from '../../data/axis.ts';
import type { CatalogEntry } from '../../data/catalog.ts';
import { portalPage } from '../../data/portal/portal-page.ts';
import { isoOf } from '../fields/iso.ts';
import { readShape } from '../fields/shape.ts';
import { shapes } from '../fields/shapes.ts';
import { catalogTypeOf, licenseOf, listOf, updateCycleOf } from './terms.ts';

/** Facts about a dataset as the source wrote them, by their names in the list file. */
export type CatalogText = (column: CatalogColumn) => unknown;
export type CatalogColumn = keyof typeof headers;

/**
 * Finds the columns of a list file, by what they hold. Two generations are known: 15062804 of 2026 with 34
 * columns, and one of 2022 with 13 whose blanks became dots (`목록.등록일`). Others are found as long as the
 * words are these.
 */
export function catalogColumns(
  header: readonly string[],
): Readonly<Partial<Record<CatalogColumn, number>>> {
  const words = header.map((name) => name.normalize('NFC').replaceAll(/[^가-힣A-Za-z\d]/g, ''));
  return Object.fromEntries(
    Object.entries(headers).flatMap(([column, names]) => {
      const index = names.map((name) => words.indexOf(name)).find((found) => found >= 0);
      return index === undefined ? [] : [[column, index]];
    }),
  );
}

/** Columns without which a row is no dataset. */
export const requiredColumns = ['number', 'type', 'title'] as const satisfies CatalogColumn[];

/** The list's name of a column, for messages. */
export function headerOf(column: CatalogColumn): string {
  return headers[column][0];
}

/** Reads one dataset; reports `fault` if it is none, `doubt` if only a value is lost. */
export function catalogEntryOf(
  given: CatalogText,
  report: { fault(detail: string): void; doubt(detail: string): void },
): CatalogEntry | null {
  const text = (column: CatalogColumn): string | null => cleaned(given(column));
  const portalId = text('number') ?? '';
  if (!/^\d{1,12}$/.test(portalId)) {
    report.fault(`목록키 is "${portalId}", not a dataset number`);
    return null;
  }
  const type = catalogTypeOf(text('type') ?? '');
  if (type === null) {
    report.fault(
      `목록유형 of ${portalId} is "${text('type') ?? ''}", none of FILE, API, STD, LINKED`,
    );
    return null;
  }
  const title = text('title');
  if (title === null) {
    report.fault(`목록명 of ${type}:${portalId} is empty`);
    return null;
  }
  const day = (column: CatalogColumn): string | null => {
    const value = dayOf(text(column));
    if (value === undefined) report.doubt(`${headerOf(column)} of ${type}:${portalId} is no date`);
    return value ?? null;
  };
  const count = (column: CatalogColumn): number | null => {
    const value = countOf(text(column));
    if (value === undefined)
      report.doubt(`${headerOf(column)} of ${type}:${portalId} is no number`);
    return value ?? null;
  };
  return {
    id: `${type}:${portalId}`,
    portalId,
    type,
    title,
    provider: text('provider'),
    category: text('category'),
    keywords: listOf(text('keywords')),
    description: text('description'),
    formats: listOf(text('formats'), /[,;+/\s]+/).map((format) => format.toUpperCase()),
    license: licenseOf(text('license')),
    created: day('created'),
    modified: day('modified'),
    updateCycle: updateCycleOf(text('updateCycle')),
    views: count('views'),
    requests: count('requests'),
    url: pageOf(text('url'), portalId, type),
  };
}

/** `목록.등록일`, `목록 등록일` and `목록등록일` are one header: only letters and digits count. */
const headers = {
  number: ['목록키'],
  type: ['목록유형'],
  title: ['목록명'],
  provider: ['제공기관', '제공기관명', '기관명'],
  category: ['분류체계'],
  keywords: ['키워드'],
  description: ['설명', '목록설명'],
  formats: ['확장자데이터포맷', '확장자'],
  license: ['이용허락범위'],
  created: ['등록일', '목록등록일'],
  modified: ['수정일', '목록수정일'],
  updateCycle: ['업데이트주기'],
  views: ['조회수'],
  requests: ['다운로드활용신청건수', '다운로드수', '활용신청건수'],
  url: ['목록URL'],
} as const;

function cleaned(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = String(value).normalize('NFC').trim();
  return text === '' || text === '-' || text === '(NULL)' || text === 'null' ? null : text;
}

/** ISO date of any spelling the list has; undefined if the text is none. */
function dayOf(text: string | null): string | null | undefined {
  if (text === null) return null;
  const reading = { value: 0 };
  switch (readShape(text, reading)) {
    case shapes.date:
    case shapes.compactDate:
    case shapes.dateTime:
      return isoOf(reading.value).slice(0, 10);
    case shapes.marker:
    case shapes.dateZero:
      return null;
    default:
      return undefined;
  }
}

function countOf(text: string | null): number | null | undefined {
  if (text === null) return null;
  const reading = { value: 0 };
  const shape = readShape(text, reading);
  if (shape === shapes.zero) return 0;
  const whole =
    shape === shapes.integer || shape === shapes.compactDate || shape === shapes.compactImpossible;
  return whole && reading.value > 0 ? reading.value : undefined;
}

function pageOf(text: string | null, portalId: string, type: CatalogType): string {
  if (text !== null && /^https?:\/\/[^\s"<>]+$/.test(text)) return text;
  return portalPage(portalId, type);
}
