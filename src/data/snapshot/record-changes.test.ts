import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isLongForm } from '../../../test/long-form.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { Row } from '../axis.ts';
import { compareRecords, type RecordChanges } from './record-changes.ts';
import { pairRows, RowHashes } from './pair-rows.ts';
import { RecordsFile, RecordsWriter } from './records.ts';

const anyRow = fc.record({
  번호: fc.oneof(fc.nat(6).map(String), fc.constant(null)),
  이름: fc.constantFrom('공원', '도서관', null),
});
const anyRows = fc.array(anyRow, { maxLength: 30 });

test('applying the changes to the earlier records gives the later ones; no row is listed twice', () => {
  fc.assert(
    fc.property(anyRows, anyRows, fc.boolean(), (before, after, hasKey) => {
      const { added, changed, removed } = changesOf(before, after, hasKey ? ['번호'] : []);
      const unchanged = before.filter(
        (_, row) => !removed.includes(row) && !changed.some(([from]) => from === row),
      );
      const patched = [
        ...unchanged,
        ...changed.map(([, to]) => after[to]!),
        ...added.map((row) => after[row]!),
      ];
      assert.deepEqual(sorted(patched), sorted(after));
      for (const [from, to] of changed) {
        assert.equal(before[from]!.번호, after[to]!.번호);
        assert.notDeepEqual(before[from], after[to]);
      }
      const unpaired = new Set(removed.map((row) => JSON.stringify(before[row])));
      assert.ok(added.every((row) => !unpaired.has(JSON.stringify(after[row]))));
    }),
    { numRuns: isLongForm ? 200 : 20 },
  );
});

test('a hundred thousand equal rows are paired in linear time', () => {
  const [before, after] = [new RowHashes(100_000), new RowHashes(100_001)];
  const startMs = performance.now();
  const { onlyBefore, onlyAfter } = runToEnd(pairRows(before, after, { isPairListed: false }));
  assert.deepEqual([onlyBefore, onlyAfter], [[], [100_000]]);
  assert.ok(performance.now() - startMs < 2_000);
});

function changesOf(
  before: readonly Row[],
  after: readonly Row[],
  keyFields: readonly string[],
): RecordChanges {
  using folder = temporaryFolder();
  using other = temporaryFolder();
  using first = openRecords(folder.path, before);
  using second = openRecords(other.path, after);
  return runToEnd(compareRecords(first, second, keyFields));
}

function openRecords(folder: string, rows: readonly Row[]): RecordsFile {
  using writer = new RecordsWriter(folder);
  for (const row of rows) writer.add(JSON.stringify(row));
  writer.close();
  return RecordsFile.in(folder);
}

function runToEnd<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

function sorted(rows: readonly Row[]): string[] {
  return rows.map((row) => JSON.stringify(row)).sort();
}
