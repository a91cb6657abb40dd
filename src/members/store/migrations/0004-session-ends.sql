-- One write ends the sessions that a platform issued: those of an earlier epoch, or issued before a moment.
ALTER TABLE platforms ADD COLUMN session_epoch INTEGER NOT NULL DEFAULT 0;
ALTER TABLE platforms ADD COLUMN sessions_from INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN platform_epoch INTEGER NOT NULL DEFAULT 0;
-- A stopped platform has no live sessions.
UPDATE platforms SET session_epoch = 1 WHERE disabled = 1;
-- Has every column that the count of live sessions reads.
DROP INDEX sessions_by_end;
CREATE INDEX sessions_by_end ON sessions (expires_at, platform_id, platform_epoch, issued_at);
