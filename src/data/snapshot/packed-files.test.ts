import { test } from 'node:test';
import assert from 'node:assert/strict';
import { PackedFiles } from './packed-files.ts';

test('facts of packed files are those of the footer, with and without a place', () => {
  const records = { at: 5_000_000_000, bytes: 12, sha256: 'ab'.repeat(32) };
  const search = { bytes: 34, sha256: 'cd'.repeat(32) };
  const files = new PackedFiles([{}, { 'records.json': records, 'search.bin': search }]);
  assert.deepEqual(files.facts(1, 'records.json'), records);
  assert.deepEqual(files.facts(1, 'search.bin'), search);
});

test('a file that an axis lacks has no facts', () => {
  const files = new PackedFiles([{ 'records.json': { at: 0, bytes: 0, sha256: '00'.repeat(32) } }]);
  assert.equal(files.facts(0, 'columns.bin'), undefined);
  assert.equal(files.facts(0, 'records.parquet'), undefined);
});
