-- Members that no longer have an address, with the time from which its next owner may have it, and the platform whose
-- link said so: a registration from before then is not the present owner's.
CREATE TABLE released_addresses (
  realm TEXT NOT NULL,
  tombstone BLOB NOT NULL,
  home_id INTEGER NOT NULL,
  platform_id INTEGER NOT NULL,
  released_at INTEGER NOT NULL,
  PRIMARY KEY (realm, tombstone, home_id, platform_id)
) STRICT, WITHOUT ROWID;

-- HMACs of local ids whose leaving came before their registration.
CREATE TABLE early_departures (
  platform_id INTEGER NOT NULL,
  tombstone BLOB NOT NULL,
  left_at INTEGER NOT NULL,
  PRIMARY KEY (platform_id, tombstone)
) STRICT, WITHOUT ROWID;
CREATE INDEX early_departures_by_time ON early_departures (platform_id, left_at);
