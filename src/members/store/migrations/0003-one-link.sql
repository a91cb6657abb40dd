-- One active link for a platform and a local id, members that change their address, and what is kept of links that end.

-- A local id that several links carry: the one that the platform named last keeps it. The others keep everything else,
-- and the next verified sign-in binds them to an id. Sessions that started through them end.
DELETE FROM sessions WHERE membership_id IN (
  SELECT l.membership_id FROM local_users l
  WHERE l.local_user_id IS NOT NULL AND l.membership_id IS NOT NULL
    AND l.local_hash <> x'00000000000000000000000000000000'
    AND EXISTS (SELECT 1 FROM local_users o WHERE o.platform_id = l.platform_id AND o.local_hash = l.local_hash
      AND o.local_user_id IS NOT NULL AND o.membership_id IS NOT NULL AND o.id > l.id));
-- The row shrinks in its page, so no copy of its neighbours is left behind.
UPDATE local_users SET local_user_id = NULL, local_hash = x'00000000000000000000000000000000'
WHERE local_user_id IS NOT NULL AND membership_id IS NOT NULL
  AND local_hash <> x'00000000000000000000000000000000'
  AND EXISTS (SELECT 1 FROM local_users o WHERE o.platform_id = local_users.platform_id
    AND o.local_hash = local_users.local_hash AND o.local_user_id IS NOT NULL AND o.membership_id IS NOT NULL
    AND o.id > local_users.id);

-- The hash of a row that was erased or replaced is zero.
DROP INDEX local_users_by_hash;
CREATE UNIQUE INDEX local_users_active ON local_users (platform_id, local_hash)
  WHERE local_user_id IS NOT NULL AND local_hash <> x'00000000000000000000000000000000';

-- Time at which the link got its present address; null while it has its first.
ALTER TABLE memberships ADD COLUMN moved_at INTEGER;

-- An address of a member that changed it, instead of the row in addresses, which cannot grow.
CREATE TABLE changed_addresses (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  -- Null once it was replaced.
  member_id INTEGER UNIQUE,
  email TEXT NOT NULL
) STRICT;

-- HMACs of the addresses and local ids whose links ended: a registration from before that cannot revive them.
CREATE TABLE departures (
  platform_id INTEGER NOT NULL,
  tombstone BLOB NOT NULL,
  left_at INTEGER NOT NULL,
  PRIMARY KEY (platform_id, tombstone)
) STRICT, WITHOUT ROWID;
