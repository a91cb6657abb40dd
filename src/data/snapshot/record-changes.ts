import { contentDigest, recordDigest } from '../record-id.ts';
import { pairRows, RowHashes } from './pair-rows.ts';
import type { RecordsFile } from './records.ts';

/** Rows of the records that differ between two snapshots of an axis. */
export interface RecordChanges {
  /** Rows of the later snapshot. */
  readonly added: readonly number[];
  /** Rows of records with the same key and another content, in the order of the later snapshot. */
  readonly changed: readonly (readonly [before: number, after: number])[];
  /** Rows of the earlier snapshot. */
  readonly removed: readonly number[];
}

/**
 * Compares the records of an axis in two snapshots, in steps of a few milliseconds. Equal records are recognised by
 * their bytes, so only those that differ are parsed.
 */
export function* compareRecords(
  before: RecordsFile,
  after: RecordsFile,
  keyFields: readonly string[],
): Generator<void, RecordChanges> {
  const contents = [yield* contentHashes(before), yield* contentHashes(after)] as const;
  const { onlyBefore, onlyAfter } = yield* pairRows(...contents, { isPairListed: false });
  if (keyFields.length === 0) return { added: onlyAfter, changed: [], removed: onlyBefore };
  const keys = [
    yield* keyHashes(before, onlyBefore, keyFields),
    yield* keyHashes(after, onlyAfter, keyFields),
  ] as const;
  const byKey = yield* pairRows(...keys, { isPairListed: true });
  return {
    added: byKey.onlyAfter.map((at) => onlyAfter[at]!),
    changed: byKey.pairs.map(([from, to]) => [onlyBefore[from]!, onlyAfter[to]!]),
    removed: byKey.onlyBefore.map((at) => onlyBefore[at]!),
  };
}

function* contentHashes(records: RecordsFile): Generator<void, RowHashes> {
  const hashes = new RowHashes(records.count);
  for (const { bytes, from, starts, ends } of records.blocks()) {
    for (let at = 0; at < starts.length; at++) {
      hashes.set(from + at, contentDigest(bytes.subarray(starts[at], ends[at])));
      if (at % stepRecords === stepRecords - 1) yield;
    }
    yield;
  }
  return hashes;
}

function* keyHashes(
  records: RecordsFile,
  rows: readonly number[],
  keyFields: readonly string[],
): Generator<void, RowHashes> {
  const hashes = new RowHashes(rows.length);
  for (const [at, row] of rows.entries()) {
    hashes.set(at, recordDigest(records.record(row), keyFields));
    if (at % stepParses === stepParses - 1) yield;
  }
  return hashes;
}

/** Records between two yields, to hash or to parse: about two milliseconds of work. */
const stepRecords = 1_024;
const stepParses = 128;
