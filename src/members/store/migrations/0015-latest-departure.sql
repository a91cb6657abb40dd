-- Time of the latest erasure, departure or release: none of them refuses a request from after it.
CREATE TABLE latest_departure (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  at INTEGER NOT NULL
) STRICT;
INSERT INTO latest_departure SELECT 1, ifnull(max(at), 0) FROM (
  SELECT max(erased_at) AS at FROM erasures
  UNION ALL SELECT max(left_at) FROM departures
  UNION ALL SELECT max(left_at) FROM early_departures
  UNION ALL SELECT max(released_at) FROM released_addresses);
