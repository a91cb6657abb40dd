import type { WebhookEndpoint, WebhookMessage } from '../store/entities.ts';
import type { MemberTransaction } from '../store/store.ts';
import type { Runner } from './part.ts';
import { besideStatement, statement } from './statement.ts';

/** Webhook endpoints and the outbox in PostgreSQL. */
export function webhooksOf(runner: Runner): MemberTransaction['webhooks'] {
  return {
    endpoints: () => runner.many(endpoints),
    due: (endpointId, now, limit) => runner.many(due, endpointId, now, limit),
    planned: (endpointId, after, limit) => runner.many(planned, endpointId, after, limit),
    async failing(endpointId) {
      const counts = [await runner.one(retried, endpointId), await runner.one(givenUp, endpointId)];
      return counts.reduce((sum, row) => sum + row!.count, 0);
    },
    message: (id) => runner.one(message, id),
    list: (before, limit) => runner.many(list, before, limit),
    putEndpoint: ({ id, platformId, url, secret, types, disabled, createdAt }) =>
      runner.run(putEndpoint, id, platformId, url, secret, types, disabled, createdAt),
    insert({ messageId, endpointId, type, body, createdAt, ...state }) {
      const { attempts, nextAt, deliveredAt, status } = state;
      const payload = [messageId, endpointId, type, body, createdAt];
      return runner.run(insert, ...payload, attempts, nextAt, deliveredAt, status);
    },
    lease: async (id, nextAt, until) => (await runner.change(lease, until, id, nextAt)) > 0,
    update: ({ id, attempts, nextAt, deliveredAt, status }) =>
      runner.run(update, attempts, nextAt, deliveredAt, status, id),
    deleteSettled: (before, limit) => runner.change(deleteSettled, before, limit),
  };
}

const columns = `id, message_id, endpoint_id, type, body, created_at, attempts, next_at, delivered_at, status`;

const endpoints = besideStatement<WebhookEndpoint>(
  `SELECT id, platform_id, url, secret, types, disabled, created_at FROM webhook_endpoints LIMIT 32`,
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
     (message_id, endpoint_id, type, body, created_at, attempts, next_at, delivered_at, status)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);
const lease = statement(`UPDATE webhook_messages SET next_at = $1 WHERE id = $2 AND next_at = $3`);
const update = statement(
  `UPDATE webhook_messages SET attempts = $1, next_at = $2, delivered_at = $3, status = $4 WHERE id = $5`,
);
const deleteSettled = statement(
  `DELETE FROM webhook_messages WHERE id IN (
     SELECT id FROM webhook_messages WHERE next_at IS NULL AND created_at < $1 LIMIT $2)`,
);
