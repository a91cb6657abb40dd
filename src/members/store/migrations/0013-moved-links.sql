-- Hash of the address that a member has given up: a verified link moved away from it. Only links that the member has
-- are found by it.
ALTER TABLE members ADD COLUMN former_hash BLOB;
CREATE INDEX members_by_former_address ON members (realm, former_hash) WHERE former_hash IS NOT NULL;

-- Members that a link left, by the uids that its platform may still have: late events about them are the link's.
CREATE TABLE moved_links (
  platform_id INTEGER NOT NULL,
  svc_uid TEXT NOT NULL,
  membership_id INTEGER NOT NULL REFERENCES memberships (id) ON DELETE CASCADE,
  moved_at INTEGER NOT NULL,
  -- The address that the member gave up then: it has it again if the user comes back before the next owner.
  former_hash BLOB,
  PRIMARY KEY (platform_id, svc_uid)
) STRICT, WITHOUT ROWID;
CREATE INDEX moved_links_by_membership ON moved_links (membership_id, moved_at);
