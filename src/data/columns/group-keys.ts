import type { Value } from '../axis.ts';
import { isoOf } from '../values/iso.ts';
import type { Column } from './column.ts';
import type { ColumnScan } from './column-scan.ts';

/** A key of groups: the value of a column, or the year, month or day of a date. */
export interface GroupKey {
  /** Name in the answer. */
  readonly name: string;
  readonly column: string;
  readonly part: 'value' | 'year' | 'month' | 'day';
}

/**
 * The parts into which a key divides the records, numbered in the order of their values; the last one has the records
 * without a value.
 */
export interface Parts {
  readonly count: number;
  /** Parts of the records `members` of a chunk. */
  read(chunk: number, members: Uint16Array): MemberParts;
  /** Value of a part, null for the last one. */
  valueOf(part: number): Value;
}

/** The part of each member is its entry of `numbers` plus `base`; valid until the next call of `read`. */
interface MemberParts {
  readonly numbers: Uint32Array;
  readonly base: number;
}

export function partsOf(scan: ColumnScan, { part }: GroupKey): Parts {
  return part === 'value' ? valueParts(scan) : dateParts(scan, lengthOf[part]);
}

function valueParts(scan: ColumnScan): Parts {
  const { column } = scan;
  const { firstReadable } = column;
  const count = column.codeCount - firstReadable + 1;
  const parts = new Uint32Array(column.chunkRecordsMax);
  return {
    count,
    read(chunk, members) {
      const codes = scan.codesOf(chunk, members);
      const base = column.chunk(chunk).min - firstReadable;
      if (base >= 0) return { numbers: codes, base };
      for (let at = 0; at < members.length; at++) {
        const part = codes[at]! + base;
        parts[at] = part < 0 ? count - 1 : part;
      }
      return { numbers: parts, base: 0 };
    },
    valueOf: (number) => (number === count - 1 ? null : column.valueOf(firstReadable + number)),
  };
}

/** Parts of dates by the first characters of their ISO form. An unreadable date counts as no value. */
function dateParts(scan: ColumnScan, length: number): Parts {
  const { column } = scan;
  const { labels, partOfCode } = datesByPrefix(column, length);
  const parts = new Uint32Array(column.chunkRecordsMax);
  return {
    count: labels.length + 1,
    read(chunk, members) {
      const codes = scan.codesOf(chunk, members);
      const { min } = column.chunk(chunk);
      for (let at = 0; at < members.length; at++) parts[at] = partOfCode[codes[at]! + min]!;
      return { numbers: parts, base: 0 };
    },
    valueOf: (number) => labels[number] ?? null,
  };
}

function datesByPrefix(
  column: Column,
  length: number,
): { labels: readonly string[]; partOfCode: Uint32Array } {
  const labels: string[] = [];
  const partOfCode = new Uint32Array(column.codeCount);
  // Cuts off the last digits of `yyyymmdd`, because making a text of each number would take too long.
  const divisor = 10 ** ((column.type === 'datetime' ? 6 : 0) + digitsAfter[length]!);
  let last = -1;
  const numbers = column.numbers();
  for (let at = 0; at < numbers.length; at++) {
    const prefix = Math.floor(numbers[at]! / divisor);
    if (prefix !== last) labels.push(isoOf(numbers[at]!).slice(0, length));
    last = prefix;
    partOfCode[column.firstReadable + at] = labels.length - 1;
  }
  partOfCode.fill(labels.length, 0, column.firstReadable);
  partOfCode.fill(labels.length, column.firstUnreadable);
  return { labels, partOfCode };
}

/** Digits of `yyyymmdd` after a year, a month or a day, by the characters of their ISO form. */
const digitsAfter: Readonly<Record<number, number>> = { 4: 4, 7: 2, 10: 0 };

/** Characters of an ISO date that name its year, month or day. */
const lengthOf = { year: 4, month: 7, day: 10 } as const;
