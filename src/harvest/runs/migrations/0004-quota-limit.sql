-- The daily quota of an operation, as its last request had it, for the operator's page.
ALTER TABLE quota ADD COLUMN daily_limit INTEGER;
