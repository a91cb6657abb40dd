-- Pages of a platform may read statistics, unless the operator closed them there.
ALTER TABLE platforms ADD COLUMN page_stats INTEGER NOT NULL DEFAULT 1;

-- Grants of a code to a member for a time. Only the end of a row ever changes; what is over stays as history.
-- Rows belong to the record they were made under, as memberships do, so that a split gives them back.
CREATE TABLE entitlements (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  home_id INTEGER NOT NULL REFERENCES members (id),
  member_id INTEGER NOT NULL REFERENCES members (id),
  code TEXT NOT NULL,
  -- Null for a grant of the operator.
  platform_id INTEGER REFERENCES platforms (id),
  starts_at INTEGER NOT NULL,
  -- As granted; null for no end.
  ends_at INTEGER,
  -- The end that counts: an earlier one where the grant was replaced or revoked, and a number past all times for none.
  over_at INTEGER NOT NULL,
  granted_at INTEGER NOT NULL,
  -- The next start or end that no webhook has reported.
  report_at INTEGER
) STRICT;
CREATE INDEX entitlements_by_member ON entitlements (member_id, over_at);
CREATE INDEX entitlements_by_home ON entitlements (home_id);
CREATE INDEX entitlements_due ON entitlements (report_at) WHERE report_at IS NOT NULL;

-- 1 once the member was granted something that is not known to be over: others cost a session check no statement.
ALTER TABLE members ADD COLUMN entitled INTEGER NOT NULL DEFAULT 0;

-- Codes that may be granted (null for any) and the codes that tiers have by default, as JSON.
CREATE TABLE entitlement_policy (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  codes TEXT,
  tiers TEXT NOT NULL
) STRICT;
INSERT INTO entitlement_policy VALUES (1, NULL, '{}');
