import type { CatalogType } from '../../data/axis.ts';
import type { CatalogEntry } from '../../data/catalog.ts';
import { portalPage } from '../../data/portal/portal-page.ts';
import { isoOf } from '../../data/values/iso.ts';
import { readShape } from '../../data/values/shape.ts';
import { shapes } from '../../data/values/shapes.ts';
import { catalogTypeOf, licenseOf, splitList, updateCycleOf } from './terms.ts';

/** Function that returns a dataset's value in a column of the list file, as the source wrote it. */
export type ColumnReader = (column: CatalogColumn) => unknown;
export type CatalogColumn = keyof typeof headers;

/**
 * Index of each known column in the header of a list file. Two versions of the file are known: the one of 2026
 * (dataset 15062804) has 34 columns, the one of 2022 has 13 with dots for blanks (`목록.등록일`).
 */
export function catalogColumns(
  header: readonly string[],
): Readonly<Partial<Record<CatalogColumn, number>>> {
  const headings = header.map((name) => name.normalize('NFC').replaceAll(/[^가-힣A-Za-z\d]/g, ''));
  return Object.fromEntries(
    Object.entries(headers).flatMap(([column, names]) => {
      const index = names.map((name) => headings.indexOf(name)).find((index) => index >= 0);
      return index === undefined ? [] : [[column, index]];
    }),
  );
}

/** Columns that every dataset has. */
export const requiredColumns = ['number', 'type', 'title'] as const satisfies CatalogColumn[];

/** The Korean header of a column, for messages. */
export function koreanHeader(column: CatalogColumn): string {
  return headers[column][0];
}

/**
 * Reads one dataset. Calls `refuse` and returns null if the row is not a dataset; calls `reportUnreadable` for a value
 * that cannot be read.
 */
export function catalogEntryOf(
  readColumn: ColumnReader,
  report: { refuse(detail: string): void; reportUnreadable(detail: string): void },
): CatalogEntry | null {
  const text = (column: CatalogColumn): string | null => cleanText(readColumn(column));
  const portalId = text('number') ?? '';
  if (!/^\d{1,12}$/.test(portalId)) {
    report.refuse(`목록키 is "${portalId}", which is not a dataset number`);
    return null;
  }
  const type = catalogTypeOf(text('type') ?? '');
  if (type === null) {
    report.refuse(
      `목록유형 of ${portalId} is "${text('type') ?? ''}", which is not FILE, API, STD or LINKED`,
    );
    return null;
  }
  const title = text('title');
  if (title === null) {
    report.refuse(`목록명 of ${type}:${portalId} is empty`);
    return null;
  }
  const day = (column: CatalogColumn): string | null => {
    const value = dayOf(text(column));
    if (value === undefined)
      report.reportUnreadable(`${koreanHeader(column)} of ${type}:${portalId} is not a date`);
    return value ?? null;
  };
  const count = (column: CatalogColumn): number | null => {
    const value = countOf(text(column));
    if (value === undefined)
      report.reportUnreadable(`${koreanHeader(column)} of ${type}:${portalId} is not a number`);
    return value ?? null;
  };
  return {
    id: `${type}:${portalId}`,
    portalId,
    type,
    title,
    provider: text('provider'),
    category: text('category'),
    keywords: splitList(text('keywords')),
    description: text('description'),
    formats: splitList(text('formats'), /[,;+/\s]+/).map((format) => format.toUpperCase()),
    license: licenseOf(text('license')),
    created: day('created'),
    modified: day('modified'),
    updateCycle: updateCycleOf(text('updateCycle')),
    views: count('views'),
    requests: count('requests'),
    url: pageOf(text('url'), portalId, type),
  };
}

/** Headers of each column. Only letters and digits count: `목록.등록일` and `목록 등록일` are the same header. */
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

function cleanText(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = String(value).normalize('NFC').trim();
  return text === '' || text === '-' || text === '(NULL)' || text === 'null' ? null : text;
}

/** ISO date of a text in any spelling of the list; null for a missing value, undefined if it is not a date. */
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
  const isWhole =
    shape === shapes.integer ||
    shape === shapes.compactDate ||
    shape === shapes.compactImpossible ||
    shape === shapes.compactMonth;
  return isWhole && reading.value > 0 ? reading.value : undefined;
}

function pageOf(text: string | null, portalId: string, type: CatalogType): string {
  if (text !== null && /^https?:\/\/[^\s"<>]+$/.test(text)) return text;
  return portalPage(portalId, type);
}
