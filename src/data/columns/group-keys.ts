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

/** Numbers of groups: whole numbers past 2^32 only if there may be so many. */
export type GroupNumbers = Int32Array | Float64Array;

/**
 * The parts into which a key divides the records, numbered in the order of their values; the last one has the records
 * without a value.
 */
export interface Parts {
  readonly count: number;
  /** Adds the numbers of a chunk's members to `ids`, which are multiplied by the count before. */
  addTo(ids: GroupNumbers, chunk: number, members: Uint16Array): void;
  /** Value of a part, null for the last one. */
  valueOf(part: number): Value;
}

export function partsOf(scan: ColumnScan, { part }: GroupKey): Parts {
  const { column } = scan;
  const { firstReadable, codes } = column;
  if (part !== 'value') return dateParts(scan, lengthOf[part]);
  const count = codes - firstReadable + 1;
  return {
    count,
    addTo(ids, chunk, members) {
      const ofRecords = scan.codes(chunk);
      for (let at = 0; at < members.length; at++) {
        // Below the first readable code the difference wraps around to a large number.
        const part = (ofRecords[members[at]!]! - firstReadable) >>> 0;
        ids[at] = ids[at]! * count + (part < count ? part : count - 1);
      }
    },
    valueOf: (number) => (number === count - 1 ? null : column.valueOf(firstReadable + number)),
  };
}

/** Parts of dates by the first characters of their ISO form; an unread date is in none of them. */
function dateParts(scan: ColumnScan, length: number): Parts {
  const { labels, partOfCode } = datesByPrefix(scan.column, length);
  const count = labels.length + 1;
  return {
    count,
    addTo(ids, chunk, members) {
      const ofRecords = scan.codes(chunk);
      for (let at = 0; at < members.length; at++) {
        ids[at] = ids[at]! * count + partOfCode[ofRecords[members[at]!]!]!;
      }
    },
    valueOf: (number) => labels[number] ?? null,
  };
}

function datesByPrefix(
  column: Column,
  length: number,
): { labels: readonly string[]; partOfCode: Uint32Array } {
  const labels: string[] = [];
  const partOfCode = new Uint32Array(column.codes);
  // `yyyymmdd` without its last digits; a text for each number would take too long.
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
  partOfCode.fill(labels.length, column.firstUnread);
  return { labels, partOfCode };
}

/** Digits of `yyyymmdd` after a year, a month or a day, by the characters of their ISO form. */
const digitsAfter: Readonly<Record<number, number>> = { 4: 4, 7: 2, 10: 0 };

/** Characters of an ISO date that name its year, month or day. */
const lengthOf = { year: 4, month: 7, day: 10 } as const;
