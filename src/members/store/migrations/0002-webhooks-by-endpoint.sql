-- Each receiver has a queue of its own: one that does not answer holds up no other.
DROP INDEX webhook_messages_due;
CREATE INDEX webhook_messages_due ON webhook_messages (endpoint_id, next_at) WHERE next_at IS NOT NULL;
