-- Id of the key that a key was rotated to.
ALTER TABLE api_keys ADD COLUMN replaced_by TEXT;
