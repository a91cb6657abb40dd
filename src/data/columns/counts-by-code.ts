import { membersOf, type DocumentSet } from '../search/document-set.ts';
import type { ColumnScan } from './column-scan.ts';
import { runWithoutInlining } from './run-without-inlining.ts';

/**
 * Counts the records with each value of a column. The index of a count is the value's code, its number in the dictionary
 * of the column. `sets` has the records of each chunk.
 */
export function* countsByCode(
  scan: ColumnScan,
  sets: readonly DocumentSet[],
): Generator<void, Uint32Array> {
  const { column } = scan;
  const counts = new Uint32Array(column.codeCount);
  for (const [chunk, set] of sets.entries()) {
    if (set.count === 0) continue;
    const members = membersOf(set);
    const codes = scan.codesOf(chunk, members);
    runWithoutInlining(countCodes, codes, members.length, column.chunk(chunk).min, counts);
    yield;
  }
  return counts;
}

/** Adds the codes of records to the counts. A chunk stores each code minus `min`, its smallest code. */
function countCodes(codes: Uint32Array, length: number, min: number, counts: Uint32Array): void {
  for (let at = 0; at < length; at++) counts[codes[at]! + min]!++;
}
