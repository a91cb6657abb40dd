import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { testEntry } from '../../../test/build-catalog.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { catalogTypes } from '../../data/axis.ts';
import { newestFirst, type CatalogEntry } from '../../data/catalog.ts';
import { EntryTable } from './entry-table.ts';

const day = fc.option(fc.constantFrom('2025-12-31', '2026-01-01', '2026-05-01'));
const entries: fc.Arbitrary<CatalogEntry[]> = fc.array(
  fc
    .record({
      type: fc.constantFrom(...catalogTypes),
      portalId: fc.nat({ max: 30 }).map(String),
      title: fc.string(),
      created: day,
      modified: day,
    })
    .map(testEntry),
);

test('an id keeps its first position and has its last entry, as in a Map', () => {
  fc.assert(
    fc.property(entries, (all) => {
      using table = new EntryTable(':memory:');
      const map = new Map<string, CatalogEntry>();
      for (const [row, entry] of all.entries()) {
        table.put(entry, row);
        map.set(entry.id, entry);
      }
      assert.deepEqual([...table], [...map.values()]);
      assert.equal(table.counts().total, map.size);
      for (const entry of map.values()) assert.deepEqual(table.find(entry.id)?.entry, entry);
    }),
  );
});

test('a table yields its entries in the order of the catalog', () => {
  fc.assert(
    fc.property(entries, (all) => {
      using table = new EntryTable(':memory:');
      for (const entry of all) table.put(entry);
      assert.deepEqual([...table.newestFirst()], [...table].sort(newestFirst));
    }),
  );
});

test('a table drops the entries of a killed process, and removes its file when disposed', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'entries.db');
  const killed = new EntryTable(path);
  killed.put(testEntry({ type: 'FILE', portalId: '1', title: '하나' }));
  {
    using table = new EntryTable(path);
    assert.deepEqual([...table], []);
    assert.ok(existsSync(path));
  }
  assert.ok(!existsSync(path));
  killed[Symbol.dispose]();
});
