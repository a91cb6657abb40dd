-- The operators. A passphrase is `<salt>:<scrypt key>` in hexadecimal, null until the operator chose one.
CREATE TABLE operators (
  name TEXT PRIMARY KEY,
  role TEXT NOT NULL CHECK (role IN ('view', 'support', 'privacy', 'owner')),
  passphrase TEXT,
  -- SHA-256 of a one-time token that sets the passphrase, and the end of its life.
  invitation BLOB,
  invitation_ends_at INTEGER,
  -- The shared secret of the one-time codes follows from it and the service's secret; null without a second factor.
  totp_seed TEXT,
  -- The last accepted time step: a code works once.
  totp_step INTEGER NOT NULL,
  -- Changes with the role, the passphrase and the second factor: earlier sessions have ended.
  epoch TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Sign-ins of operators, and what they did with the data of members.
CREATE TABLE access_log (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  operator TEXT NOT NULL,
  address TEXT NOT NULL,
  device TEXT NOT NULL,
  action TEXT NOT NULL,
  -- HMAC of the row under a secret outside the store.
  seal TEXT NOT NULL
) STRICT;
CREATE INDEX access_log_by_time ON access_log (at);
CREATE INDEX access_log_by_operator ON access_log (operator, seq);

-- The members concerned.
CREATE TABLE access_log_members (
  seq INTEGER NOT NULL REFERENCES access_log (seq) ON DELETE CASCADE,
  svc_uid TEXT NOT NULL,
  PRIMARY KEY (seq, svc_uid)
) STRICT, WITHOUT ROWID;
CREATE INDEX access_log_by_member ON access_log_members (svc_uid, seq);
