-- Passkeys of operators: the public keys of their authenticators (WebAuthn credentials).
CREATE TABLE passkeys (
  id TEXT PRIMARY KEY,
  operator TEXT NOT NULL REFERENCES operators (name) ON DELETE CASCADE,
  -- A name that the operator gave it.
  name TEXT NOT NULL,
  -- Id that the authenticator gave it, in base64url.
  credential_id TEXT NOT NULL UNIQUE,
  -- As COSE_Key (RFC 9052).
  public_key BLOB NOT NULL,
  -- Uses that the authenticator has counted; 0 for one that does not count.
  sign_count INTEGER NOT NULL,
  -- Ways to reach the authenticator, such as `internal hybrid`.
  transports TEXT NOT NULL,
  -- 1 if the key may be copied to other devices of its owner, and if it has been.
  backup_eligible INTEGER NOT NULL,
  backed_up INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX passkeys_by_operator ON passkeys (operator, created_at);
