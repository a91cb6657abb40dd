-- 1 once the platform withdrew its verification of the address: its user still decides where the member goes, before links
-- that were never verified.
ALTER TABLE memberships ADD COLUMN lowered INTEGER NOT NULL DEFAULT 0;

-- 1 once a webhook reported that the member must be reminded of the consent.
ALTER TABLE consents ADD COLUMN due_reported INTEGER NOT NULL DEFAULT 0;
CREATE INDEX consents_unreported ON consents (purpose, given_at)
  WHERE is_latest = 1 AND granted = 1 AND due_reported = 0;
