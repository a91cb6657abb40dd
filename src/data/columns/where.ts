import {
  emptySet,
  intersect,
  setOfBitmap,
  unite,
  type DocumentSet,
} from '../search/document-set.ts';
import { chunkDocumentsMax } from '../search/postings.ts';
import type { CodeSet } from './code-set.ts';
import type { ColumnScan, ColumnScans } from './column-scan.ts';
import { withoutNot, type Condition, type PlainCondition } from './condition.ts';
import { findCodes } from './find-codes.ts';
import { fullSet } from './full-set.ts';
import { runWithoutInlining } from './run-without-inlining.ts';

/** Finds the records of a chunk that a condition selects. */
export type ChunkTest = (chunk: number, recordCount: number) => DocumentSet;

/** Compiles a condition: finds the codes of its comparisons in the dictionaries. */
export function* prepareCondition(
  scans: ColumnScans,
  condition: Condition,
): Generator<void, ChunkTest> {
  return yield* prepare(scans, withoutNot(condition));
}

/** Test for records whose code in one column is in a set. */
export function testOfCodes(scan: ColumnScan, codes: CodeSet): ChunkTest {
  return (chunk, recordCount) => {
    const { min, max } = scan.column.chunk(chunk);
    if (max < codes.from || min >= codes.to) return emptySet;
    const isWholeChunk = codes.bits === null && min >= codes.from && max < codes.to;
    if (isWholeChunk) return fullSet(recordCount);
    return documentsWith(scan.codes(chunk), recordCount, codes, min);
  };
}

function* prepare(scans: ColumnScans, condition: PlainCondition): Generator<void, ChunkTest> {
  switch (condition.kind) {
    case 'and':
    case 'or': {
      const tests: ChunkTest[] = [];
      for (const part of condition.parts) tests.push(yield* prepare(scans, part));
      return condition.kind === 'and' ? testOfAll(tests) : testOfAny(tests);
    }
    default: {
      const scan = scans.scanOf(condition.column);
      return testOfCodes(scan, yield* findCodes(scan.column, condition));
    }
  }
}

/** Test for records that pass every test. */
export function testOfAll(tests: readonly ChunkTest[]): ChunkTest {
  return (chunk, recordCount) => {
    let documents = fullSet(recordCount);
    for (const test of tests) {
      if (documents.count === 0) return documents;
      const passed = test(chunk, recordCount);
      documents = documents.count === recordCount ? passed : intersect(documents, passed);
    }
    return documents;
  };
}

function testOfAny(tests: readonly ChunkTest[]): ChunkTest {
  return (chunk, recordCount) =>
    tests.reduce<DocumentSet>(
      (documents, test) => unite(documents, test(chunk, recordCount)),
      emptySet,
    );
}

/** Records whose code is in a set; `codes` are given minus `min`. */
function documentsWith(
  codes: Uint32Array,
  recordCount: number,
  set: CodeSet,
  min: number,
): DocumentSet {
  const bitmap = new Uint32Array(chunkDocumentsMax / 32);
  const { from, to, bits } = set;
  if (bits === null)
    runWithoutInlining(markRange, codes, recordCount, from - min, to - 1 - min, bitmap);
  else runWithoutInlining(markMembers, codes, recordCount, bits, min, bitmap);
  return setOfBitmap(bitmap);
}

/** Marks the codes from `first` to `last`. */
function markRange(
  codes: Uint32Array,
  recordCount: number,
  first: number,
  last: number,
  bitmap: Uint32Array,
): void {
  for (let record = 0; record < recordCount;) {
    const start = record;
    const end = Math.min(recordCount, start + 32);
    let bits = 0;
    for (; record < end; record++) {
      const code = codes[record]!;
      // The sign bit of both differences: a comparison takes five times as long. Codes are below 2^31.
      bits = (bits >>> 1) | (~((code - first) | (last - code)) & 0x8000_0000);
    }
    bitmap[start >>> 5] = bits >>> (start + 32 - end);
  }
}

function markMembers(
  codes: Uint32Array,
  recordCount: number,
  set: Uint32Array,
  min: number,
  bitmap: Uint32Array,
): void {
  for (let record = 0; record < recordCount;) {
    const start = record;
    const end = Math.min(recordCount, start + 32);
    let bits = 0;
    for (; record < end; record++) {
      const code = codes[record]! + min;
      bits = (bits >>> 1) | ((set[code >>> 5]! >>> (code & 31)) << 31);
    }
    bitmap[start >>> 5] = bits >>> (start + 32 - end);
  }
}
