import type { WebhookEndpoint, WebhookMessage } from '../store/entities.ts';
import type { MemberTransaction } from '../store/store.ts';
import { besideStatement, statement } from './statement.ts';
import { tableOver } from './table-over.ts';

/** Webhook endpoints and the outbox in PostgreSQL. */
export const webhooksOf = tableOver<MemberTransaction['webhooks']>({
  endpoints() {
    return this.runner.many(endpoints);
  },
  due(endpointId, now, limit) {
    return this.runner.many(due, endpointId, now, limit);
  },
  planned(endpointId, after, limit) {
    return this.runner.many(planned, endpointId, after, limit);
  },
  async failing(endpointId) {
    const counts = [
      await this.runner.one(retried, endpointId),
      await this.runner.one(givenUp, endpointId),
    ];
    return counts.reduce((sum, row) => sum + row!.count, 0);
  },
  message(id) {
    return this.runner.one(message, id);
  },
  list(before, limit) {
    return this.runner.many(list, before, limit);
  },
  putEndpoint({ id, platformId, url, secret, types, disabled, createdAt }) {
    return this.runner.run(putEndpoint, id, platformId, url, secret, types, disabled, createdAt);
  },
  insert({ messageId, endpointId, type, body, createdAt, ...state }, membershipId) {
    const { attempts, nextAt, deliveredAt, status } = state;
    const payload = [messageId, endpointId, type, body, createdAt];
    const attempt = [attempts, nextAt, deliveredAt, status];
    return this.runner.run(insert, ...payload, ...attempt, membershipId ?? null);
  },
  async lease(id, nextAt, until) {
    return (await this.runner.change(lease, until, id, nextAt)) > 0;
  },
  update({ id, attempts, nextAt, deliveredAt, status }) {
    return this.runner.run(update, attempts, nextAt, deliveredAt, status, id);
  },
  deleteBefore(before, limit) {
    return this.runner.change(deleteBefore, before, limit);
  },
  deleteOf(endpointId, limit) {
    return this.runner.change(deleteOf, endpointId, limit);
  },
  removeEndpoint(id) {
    return this.runner.run(removeEndpoint, id, []);
  },
});

const columns = `id, message_id, endpoint_id, type, body, created_at, attempts, next_at, delivered_at, status`;

const endpoints = besideStatement<WebhookEndpoint>(
  `SELECT id, platform_id, url, secret, types, disabled, created_at FROM webhook_endpoints
   WHERE url <> '' LIMIT 32`,
  {},
);
const due = statement<WebhookMessage>(
  `SELECT ${columns} FROM webhook_messages WHERE endpoint_id = $1 AND next_at <= $2 ORDER BY next_at LIMIT $3`,
);
const planned = statement<WebhookMessage>(
  `SELECT ${columns} FROM webhook_messages WHERE endpoint_id = $1 AND next_at > $2 ORDER BY next_at DESC LIMIT $3`,
);
const retried = statement<{ readonly count: number }>(
  `SELECT count(*) AS count FROM webhook_messages WHERE endpoint_id = $1 AND next_at > 0 AND attempts > 0`,
);
const givenUp = statement<{ readonly count: number }>(
  `SELECT count(*) AS count FROM webhook_messages
   WHERE endpoint_id = $1 AND next_at IS NULL AND created_at > 0 AND delivered_at IS NULL`,
);
const message = statement<WebhookMessage>(`SELECT ${columns} FROM webhook_messages WHERE id = $1`);
const list = statement<WebhookMessage>(
  `SELECT ${columns} FROM webhook_messages WHERE id < $1 ORDER BY id DESC LIMIT $2`,
);
const putEndpoint = statement(
  `INSERT INTO webhook_endpoints (id, platform_id, url, secret, types, disabled, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO UPDATE SET
     url = excluded.url, secret = excluded.secret, types = excluded.types, disabled = excluded.disabled`,
);
const insert = besideStatement(
  `INSERT INTO webhook_messages
     (message_id, endpoint_id, type, body, created_at, attempts, next_at, delivered_at, status,
      membership_id)
   SELECT message_id, endpoint_id, type, body, created_at, attempts, next_at, delivered_at, status, membership_id
   FROM given`,
  {
    message_id: 'text',
    endpoint_id: 'text',
    type: 'text',
    body: 'text',
    created_at: 'bigint',
    attempts: 'integer',
    next_at: 'bigint',
    delivered_at: 'bigint',
    status: 'integer',
    membership_id: 'bigint',
  },
  ['message_id', 'endpoint_id'],
);
const lease = besideStatement(
  `UPDATE webhook_messages SET next_at = given.until FROM given WHERE id = given.message AND next_at = given.planned
   RETURNING id`,
  { until: 'bigint', message: 'bigint', planned: 'bigint' },
  ['message'],
);
const update = besideStatement(
  `UPDATE webhook_messages SET attempts = given.attempts, next_at = given.next_at, delivered_at = given.delivered_at,
     status = given.status FROM given WHERE id = given.message`,
  {
    attempts: 'integer',
    next_at: 'bigint',
    delivered_at: 'bigint',
    status: 'integer',
    message: 'bigint',
  },
  ['message'],
);
const deleteBefore = statement(
  `DELETE FROM webhook_messages WHERE id IN (
     SELECT id FROM webhook_messages WHERE next_at IS NULL AND created_at < $1
     UNION ALL SELECT m.id FROM webhook_endpoints e JOIN webhook_messages m ON m.endpoint_id = e.id
       WHERE m.next_at < $1
     LIMIT $2)`,
);
const deleteOf = statement(
  `DELETE FROM webhook_messages WHERE id IN (
     SELECT id FROM webhook_messages WHERE endpoint_id = $1 AND next_at > 0
     UNION ALL SELECT id FROM webhook_messages WHERE next_at IS NULL AND created_at > 0 AND endpoint_id = $1
     LIMIT $2)`,
);
// An empty row stays, because a deletion would search all messages for references to it.
const removeEndpoint = statement(
  `UPDATE webhook_endpoints SET url = '', secret = '', types = $2, disabled = true WHERE id = $1`,
);
