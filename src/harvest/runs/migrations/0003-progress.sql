-- Time of the last response that a run stored, in milliseconds since 1970.
ALTER TABLE runs ADD COLUMN progressed INTEGER;
