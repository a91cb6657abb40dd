import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../../test/any-text.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { Value } from '../axis.ts';
import { valueAt } from './column-run.ts';
import { RecordRuns } from './record-runs.ts';

test('records come back from runs as they would from JSON, whether they were spilled or not', () => {
  const value = fc.oneof(
    anyText(),
    fc.constantFrom('가', '나', '\ud800 alone', 'a text of more than twelve units'),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
  );
  const record = fc.tuple(fc.tuple(value, value), fc.boolean());
  fc.assert(
    fc.property(fc.array(record, { maxLength: 60 }), (records) => {
      using folder = temporaryFolder();
      const read: Value[][] = [];
      {
        using runs = new RecordRuns(join(folder.path, 'records'), 2);
        for (const [at, [values, isSpilled]] of records.entries()) {
          runs.add(values, at, at * 2);
          if (isSpilled) runs.spill();
        }
        for (const run of runs.take()) {
          assert.equal(run.from, read.length);
          for (let at = 0; at < run.records; at++) {
            const [high, low] = run.ids.subarray(at * 2);
            assert.deepEqual([high, low], [run.from + at, (run.from + at) * 2]);
            read.push(run.columns.map((column) => valueAt(column, at)));
          }
        }
      }
      assert.deepEqual(readdirSync(folder.path), []);
      const stored = records.map(([values]) =>
        values.map((value) => (typeof value === 'string' ? value.toWellFormed() : value)),
      );
      assert.deepEqual(read.map(jsonOf), stored.map(jsonOf));
    }),
  );
});

function jsonOf(values: readonly Value[]): string {
  return JSON.stringify(values);
}
