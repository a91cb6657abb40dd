-- Time at which a statement was last repeated, so that another one from before that cannot replace it.
ALTER TABLE consents ADD COLUMN repeated_at INTEGER NOT NULL DEFAULT 0;
UPDATE consents SET repeated_at = given_at;
-- 1 for a member's latest statement about a purpose on a link. Statements are never changed: a withdrawal is a row of
-- its own.
ALTER TABLE consents ADD COLUMN is_latest INTEGER NOT NULL DEFAULT 0;
UPDATE consents SET is_latest = 1 WHERE NOT EXISTS (
  SELECT 1 FROM consents o WHERE o.membership_id = consents.membership_id AND o.purpose = consents.purpose
    AND (o.given_at > consents.given_at OR o.given_at = consents.given_at AND o.id > consents.id));
-- 1 for a consent that still counts after the member was reminded of it.
ALTER TABLE consents ADD COLUMN reminded INTEGER NOT NULL DEFAULT 0;
CREATE INDEX consents_given ON consents (purpose, given_at, id) WHERE is_latest = 1 AND granted = 1;

-- Purposes that the operator defined, as JSON; without any, every purpose is accepted.
CREATE TABLE consent_purposes (
  code TEXT PRIMARY KEY,
  purpose TEXT NOT NULL
) STRICT, WITHOUT ROWID;
