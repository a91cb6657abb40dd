-- Sessions of operators, for all processes, by the SHA-256 of their token.
CREATE TABLE operator_sessions (
  id text PRIMARY KEY,
  name text NOT NULL REFERENCES operators (name) ON DELETE CASCADE,
  -- Of the operator when the session started: a change of the operator ends it.
  epoch text NOT NULL,
  device text NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  seen_at timestamptz NOT NULL DEFAULT now()
);
