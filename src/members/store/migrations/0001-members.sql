-- Members, their memberships, sessions, events and what operators need to answer for them.
-- Times are milliseconds since 1970 (UTC), days are Asia/Seoul days since 1970, masks are sets of platform ids.

CREATE TABLE platforms (
  id INTEGER PRIMARY KEY CHECK (id BETWEEN 0 AND 29),
  code TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  realm TEXT NOT NULL,
  assurance TEXT NOT NULL CHECK (assurance IN ('trusted', 'asserted')),
  origins TEXT NOT NULL,
  capabilities TEXT NOT NULL,
  cookie_domain INTEGER NOT NULL,
  disabled INTEGER NOT NULL
) STRICT;

CREATE TABLE versions (
  name TEXT PRIMARY KEY,
  version INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO versions VALUES ('platforms', 1), ('history', 1);

CREATE TABLE api_keys (
  kid TEXT PRIMARY KEY,
  platform_id INTEGER REFERENCES platforms (id),
  environment TEXT NOT NULL,
  label TEXT NOT NULL,
  scopes TEXT NOT NULL,
  secret_hash BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER,
  leaked_at INTEGER,
  last_used_day INTEGER,
  browser_seen_day INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX api_keys_by_platform ON api_keys (platform_id, created_at);
CREATE INDEX api_keys_by_time ON api_keys (created_at);

CREATE TABLE members (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  svc_uid TEXT NOT NULL UNIQUE,
  realm TEXT NOT NULL,
  email_hash BLOB NOT NULL,
  tier TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('active', 'suspended')),
  platforms INTEGER NOT NULL,
  session_epoch INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  merged_into INTEGER REFERENCES members (id),
  first_active_day INTEGER,
  UNIQUE (realm, email_hash)
) STRICT;
CREATE INDEX members_by_merge ON members (merged_into, platforms);
CREATE INDEX members_by_first_day ON members (first_active_day) WHERE first_active_day IS NOT NULL;

-- What tells who a person is lies in addresses, local_users, extras and the meta of events. Rows there are only
-- appended, and erasing overwrites them in place with as many zeros: a row that grows, or leaves, makes SQLite move
-- its neighbours to other pages, and their copies stay in the gaps, where secure_delete does not reach (measured:
-- 2 of 300 erased among 600). So these tables have no foreign keys: what is erased stays as a row of zeros.
CREATE TABLE addresses (
  member_id INTEGER PRIMARY KEY,
  email TEXT NOT NULL
) STRICT;

CREATE TABLE memberships (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  home_id INTEGER NOT NULL REFERENCES members (id),
  member_id INTEGER NOT NULL REFERENCES members (id),
  platform_id INTEGER NOT NULL REFERENCES platforms (id),
  verified INTEGER NOT NULL,
  linked_at INTEGER NOT NULL,
  came_from INTEGER,
  version INTEGER NOT NULL,
  UNIQUE (home_id, platform_id)
) STRICT;
CREATE INDEX memberships_by_member ON memberships (member_id);
CREATE INDEX memberships_by_time ON memberships (linked_at, member_id);
CREATE INDEX memberships_by_flow ON memberships (came_from, platform_id, linked_at)
  WHERE came_from IS NOT NULL;

-- What a platform calls the user; found by a hash, because the pages of an index do split.
CREATE TABLE local_users (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Null once it was replaced.
  membership_id INTEGER UNIQUE,
  platform_id INTEGER NOT NULL,
  local_hash BLOB NOT NULL,
  local_user_id TEXT,
  email_typed TEXT
) STRICT;
CREATE INDEX local_users_by_hash ON local_users (platform_id, local_hash);

CREATE TABLE extras (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  membership_id INTEGER NOT NULL UNIQUE,
  extra TEXT NOT NULL
) STRICT;

CREATE TABLE consents (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  membership_id INTEGER NOT NULL REFERENCES memberships (id),
  purpose TEXT NOT NULL,
  granted INTEGER NOT NULL,
  text_version TEXT,
  given_at INTEGER NOT NULL
) STRICT;
CREATE INDEX consents_by_membership ON consents (membership_id, id);

CREATE TABLE erasures (
  receipt_id TEXT PRIMARY KEY,
  svc_uid TEXT NOT NULL UNIQUE,
  realm TEXT NOT NULL,
  tombstone BLOB NOT NULL,
  platforms INTEGER NOT NULL,
  erased_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX erasures_by_tombstone ON erasures (realm, tombstone, erased_at);

CREATE TABLE merges (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  from_id INTEGER NOT NULL,
  into_id INTEGER NOT NULL,
  homes TEXT NOT NULL,
  merged_at INTEGER NOT NULL,
  split_at INTEGER
) STRICT;
CREATE INDEX merges_by_member ON merges (into_id, id) WHERE split_at IS NULL;

CREATE TABLE sessions (
  token_hash BLOB PRIMARY KEY,
  id TEXT NOT NULL,
  member_id INTEGER NOT NULL REFERENCES members (id),
  membership_id INTEGER NOT NULL,
  platform_id INTEGER NOT NULL,
  verified INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  issued_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_by_member ON sessions (member_id, issued_at);
CREATE INDEX sessions_by_end ON sessions (expires_at);

CREATE TABLE events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  platform_id INTEGER NOT NULL,
  event_id TEXT NOT NULL,
  membership_id INTEGER NOT NULL,
  event INTEGER NOT NULL,
  source INTEGER NOT NULL,
  occurred_at INTEGER NOT NULL,
  received_at INTEGER NOT NULL,
  meta TEXT,
  UNIQUE (platform_id, event_id)
) STRICT;
CREATE INDEX events_by_membership ON events (membership_id, id);

-- Every event ever counted once, so that a total is a sum of a few rows and survives erasure.
CREATE TABLE event_totals (
  day INTEGER NOT NULL,
  platform_id INTEGER NOT NULL,
  event INTEGER NOT NULL,
  source INTEGER NOT NULL,
  count INTEGER NOT NULL,
  PRIMARY KEY (day, platform_id, event, source)
) STRICT, WITHOUT ROWID;

-- The platforms a member was active on that day, by events that a server sent. Keyed by the record that the
-- membership was made under, so that merging members moves nothing here.
CREATE TABLE activity_days (
  day INTEGER NOT NULL,
  member_id INTEGER NOT NULL,
  platforms INTEGER NOT NULL,
  PRIMARY KEY (day, member_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE audit (
  seq INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT NOT NULL,
  reason TEXT NOT NULL,
  detail TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;

CREATE TABLE audit_head (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  seq INTEGER NOT NULL,
  hash TEXT NOT NULL
) STRICT;

CREATE TABLE webhook_endpoints (
  id TEXT PRIMARY KEY,
  url TEXT NOT NULL,
  secret TEXT NOT NULL,
  types TEXT NOT NULL,
  disabled INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE webhook_messages (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  message_id TEXT NOT NULL,
  endpoint_id TEXT NOT NULL REFERENCES webhook_endpoints (id),
  type TEXT NOT NULL,
  body TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  next_at INTEGER,
  delivered_at INTEGER,
  status INTEGER
) STRICT;
CREATE INDEX webhook_messages_due ON webhook_messages (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX webhook_messages_settled ON webhook_messages (created_at) WHERE next_at IS NULL;

CREATE TABLE jobs (
  name TEXT PRIMARY KEY,
  started_at INTEGER NOT NULL,
  finished_at INTEGER,
  removed INTEGER NOT NULL,
  failure TEXT
) STRICT, WITHOUT ROWID;
