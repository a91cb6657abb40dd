import type { BilingualText } from '../../contract/language.ts';
import type { BorderRow } from './border-lines.ts';

/** Boundaries that an operator loaded, as a snapshot stores them. */
export interface StoredBoundaries {
  /** Level of the regions between which the lines are. */
  readonly level: BoundaryLevel;
  /** Name of the file that they came from. */
  readonly file: string;
  readonly license: BoundaryLicense;
  /** Attribution to the author, as the licence requires. */
  readonly credit: string;
  /** ISO 8601 date-time. */
  readonly loadedAt: string;
  /** Codes of the current regions with boundaries, in order. */
  readonly regions: readonly string[];
  readonly lines: readonly BorderRow[];
}

export const boundaryLevels = ['sido', 'sigungu'] as const;
export type BoundaryLevel = (typeof boundaryLevels)[number];

/** Licences under which boundaries may be simplified and shown, with their names. */
export const boundaryLicenses = {
  'KOGL-0': { ko: '공공누리 0유형', en: 'KOGL type 0' },
  'KOGL-1': { ko: '공공누리 1유형', en: 'KOGL type 1' },
  'CC-BY-4.0': { ko: 'CC BY 4.0', en: 'CC BY 4.0' },
  'CC0-1.0': { ko: 'CC0 1.0', en: 'CC0 1.0' },
  'ODbL-1.0': { ko: 'ODbL 1.0', en: 'ODbL 1.0' },
} as const satisfies Readonly<Record<string, BilingualText>>;
export type BoundaryLicense = keyof typeof boundaryLicenses;
