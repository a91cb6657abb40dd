import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { migrate } from './migrate.ts';

const first = {
  name: '0001-first',
  sql: 'CREATE TABLE first (id INTEGER) STRICT',
  checksum: 'w',
};
const second = { name: '0002-more', sql: 'CREATE TABLE more (id INTEGER) STRICT', checksum: 'x' };

test('a migration is applied once, and refused when it was changed or is unknown', () => {
  using database = new DatabaseSync(':memory:');
  migrate(database, [first]);
  migrate(database, [first]);
  migrate(database, [first, second]);
  const changed = { ...second, checksum: 'y' };
  assert.throws(() => migrate(database, [first, changed]), /0002-more was changed/);
  assert.throws(() => migrate(database, [first]), /older than the store. Start the newer program/);
});

test('a migration that fails rolls back all that it changed', () => {
  using database = new DatabaseSync(':memory:');
  const broken = {
    name: '0002-broken',
    sql: 'CREATE TABLE half (id INTEGER); nonsense',
    checksum: 'z',
  };
  assert.throws(() => migrate(database, [first, broken]));
  const half = database.prepare(`SELECT 1 FROM sqlite_schema WHERE name IN ('half', 'first')`);
  assert.equal(half.get(), undefined);
});
