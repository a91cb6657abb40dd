-- Segments of the audit log that were checked when they ended. The rows of old ones may be removed, their seals stay.
CREATE TABLE audit_seals (
  -- The last row of the segment, its hash in the chain and its time.
  seq INTEGER PRIMARY KEY,
  hash TEXT NOT NULL,
  ended_at INTEGER NOT NULL,
  sealed_at INTEGER NOT NULL,
  seal TEXT NOT NULL,
  -- Proof that the rows up to this one were removed by retention.
  removal TEXT
) STRICT;

-- First verified links of members, and sessions of asserted links that a link ended. They grow with the registrations,
-- so they are counted, not audited one by one.
CREATE TABLE assurance_days (
  day INTEGER NOT NULL,
  platform_id INTEGER NOT NULL,
  upgrades INTEGER NOT NULL,
  sessions_ended INTEGER NOT NULL,
  PRIMARY KEY (day, platform_id)
) STRICT, WITHOUT ROWID;
