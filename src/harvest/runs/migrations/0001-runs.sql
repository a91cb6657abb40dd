-- Times are milliseconds since 1970. IF NOT EXISTS: there were stores before migrations had numbers.
CREATE TABLE IF NOT EXISTS runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  axis TEXT NOT NULL,
  origin TEXT NOT NULL,
  state TEXT NOT NULL,
  owner TEXT NOT NULL,
  asked INTEGER NOT NULL,
  since INTEGER,
  heartbeat INTEGER NOT NULL,
  finished INTEGER,
  parked_until INTEGER,
  requests INTEGER NOT NULL DEFAULT 0,
  planned INTEGER NOT NULL,
  rows INTEGER NOT NULL DEFAULT 0,
  resumable INTEGER NOT NULL DEFAULT 1,
  message TEXT
) STRICT;
CREATE INDEX IF NOT EXISTS runs_of_axis ON runs (axis, id);
CREATE TABLE IF NOT EXISTS answers (
  run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
  key TEXT NOT NULL,
  segment INTEGER NOT NULL,
  offset INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  facts TEXT,
  PRIMARY KEY (run, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS findings (
  axis TEXT NOT NULL,
  kind TEXT NOT NULL,
  count INTEGER NOT NULL,
  since INTEGER NOT NULL,
  detail TEXT NOT NULL,
  PRIMARY KEY (axis, kind)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS quota (
  operation TEXT NOT NULL,
  day TEXT NOT NULL,
  used INTEGER NOT NULL,
  PRIMARY KEY (operation, day)
) STRICT, WITHOUT ROWID;
