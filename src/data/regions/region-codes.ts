import { currentSigunguOfDongCode } from './dongs.ts';
import { regionByCode } from './region-table.ts';
import type { Region } from './region-table.ts';
import type { NameMatch } from './sido-names.ts';

/** The region of a legal or administrative code of 2, 5, 8 or 10 digits; undefined if there is none. */
export function matchCode(text: string): NameMatch | undefined {
  const region = codeShape.test(text) ? regionOfCode(text) : undefined;
  return region === undefined ? undefined : { region, matchedBy: 'code' };
}

/**
 * True if all values are codes of the legal or administrative system. The statistics office (31010 for 수원), the
 * bus service and the health insurer (210000) use other systems, in which some of the same numbers occur.
 */
export function areRegionCodes(values: Iterable<string>): boolean {
  let known = 0;
  let unknown = 0;
  for (const value of values) {
    if (matchCode(wholeCode(value.trim())) === undefined) unknown++;
    else known++;
  }
  return known > 0 && unknown === 0;
}

/** The digits of a code. Programs write whole numbers as decimals if values are missing in their column: `11110.0`. */
export function wholeCode(text: string): string {
  return text.endsWith('.0') ? text.slice(0, -2) : text;
}

function regionOfCode(code: string): Region | undefined {
  // 세종 has no sigungu, but its records have the code 36110.
  if (code.startsWith('36110')) return regionByCode('36');
  const sigungu = code.slice(0, 5);
  if (code.length === 2 || sigungu.endsWith('000')) return regionByCode(code.slice(0, 2));
  const currentSigungu = code.length > 5 ? currentSigunguOfDongCode(code) : undefined;
  return regionByCode(currentSigungu ?? sigungu);
}

const codeShape = /^(?:\d{2}|\d{5}|\d{8}|\d{10})$/;
