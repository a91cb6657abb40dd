-- A webhook endpoint of a platform receives messages about its members; null is the operator's, which receives all.
ALTER TABLE webhook_endpoints ADD COLUMN platform_id INTEGER REFERENCES platforms (id);
