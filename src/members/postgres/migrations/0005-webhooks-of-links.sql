-- Membership whose user a message names by the local id: the message goes with it.
ALTER TABLE webhook_messages ADD COLUMN membership_id bigint;
CREATE INDEX webhook_messages_by_membership ON webhook_messages (membership_id) WHERE membership_id IS NOT NULL;
