import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { storedFindings } from './findings.ts';
import { collectPaths, openJobs } from './job-store.ts';
import { createStoredQuota, quotasOf } from './quota-store.ts';
import { Runs } from './runs.ts';

/** The store of the first version, without the column `since`. */
const oldest = `
CREATE TABLE runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  axis TEXT NOT NULL,
  origin TEXT NOT NULL,
  state TEXT NOT NULL,
  owner TEXT NOT NULL,
  asked INTEGER NOT NULL,
  heartbeat INTEGER NOT NULL,
  finished INTEGER,
  parked_until INTEGER,
  requests INTEGER NOT NULL DEFAULT 0,
  planned INTEGER NOT NULL,
  rows INTEGER NOT NULL DEFAULT 0,
  resumable INTEGER NOT NULL DEFAULT 1,
  message TEXT
) STRICT;
CREATE TABLE answers (
  run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  key TEXT NOT NULL,
  segment INTEGER NOT NULL,
  offset INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  facts TEXT,
  PRIMARY KEY (run, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE findings (
  axis TEXT NOT NULL,
  kind TEXT NOT NULL,
  count INTEGER NOT NULL,
  since INTEGER NOT NULL,
  detail TEXT NOT NULL,
  PRIMARY KEY (axis, kind)
) STRICT, WITHOUT ROWID;
INSERT INTO runs (axis, origin, state, owner, asked, heartbeat, planned, rows, resumable)
  VALUES ('kma_warning', 'portal', 'done', 'elsewhere/1/x', 1000, 1000, 4, 7, 0);
INSERT INTO answers VALUES (1, 'question#0', 1, 0, 40, NULL);
INSERT INTO findings VALUES ('kma_warning', 'rows_lost', 3, 1000, 'Three are gone.');
`;

function storeOf(data: string, sql: string): void {
  using database = new DatabaseSync(collectPaths(data).jobs);
  database.exec(sql);
}

test('a store of the first version is migrated and keeps its rows', () => {
  using folder = temporaryFolder();
  storeOf(folder.path, oldest);
  for (let opening = 1; opening <= 2; opening++) {
    using database = openJobs(folder.path);
    const runs = new Runs(database, () => 2_000);
    assert.deepEqual(
      runs.latest().map(({ axis, rows, since }) => [axis, rows, since]),
      [['kma_warning', 7, null]],
    );
    assert.equal(storedFindings(database)[0]?.detail, 'Three are gone.');
  }
  using database = openJobs(folder.path);
  assert.equal(createStoredQuota(database).take('operation', '2026-11-21', 1), true);
  const runs = new Runs(database, () => 2_000);
  const plan = { resumableMs: 0, planned: 1, since: 1_500 };
  assert.equal(runs.begin('kma_warning', 'portal', plan).since, 1_500);
});

test('a store of a later version is refused with the remedy, and is not changed', () => {
  using folder = temporaryFolder();
  openJobs(folder.path).close();
  storeOf(folder.path, `INSERT INTO migrations VALUES ('9999-of-tomorrow', 'x', 0)`);
  assert.throws(
    () => openJobs(folder.path),
    /collect\.db has the migration 9999-of-tomorrow.*Start the newer program/,
  );
});

test('quotas of a day are listed with their limits; an older count has no limit', () => {
  using folder = temporaryFolder();
  using database = openJobs(folder.path);
  const day = '2026-11-22';
  database.prepare('INSERT INTO quota (operation, day, used) VALUES (?, ?, 7)').run('/old', day);
  const quota = createStoredQuota(database);
  for (let sent = 0; sent < 3; sent++) void quota.take('/B/list', day, 2);
  void quota.take('/A/list', day, 100);
  void quota.exhaust('/C/list', day);
  void quota.take('/A/list', '2026-11-21', 100);
  assert.deepEqual(quotasOf(database, day), [
    { operation: '/A/list', used: 1, limit: 100 },
    { operation: '/B/list', used: 2, limit: 2 },
    { operation: '/C/list', used: null, limit: null },
    { operation: '/old', used: 7, limit: null },
  ]);
});
