-- A store that a move has begun to copy here: services do not start with the database until the move has ended.
CREATE TABLE unfinished_move (
  one integer PRIMARY KEY CHECK (one = 1),
  -- Fingerprint of the secret of that store.
  fingerprint text NOT NULL
);
