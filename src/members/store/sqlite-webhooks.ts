import type { PreparedSql } from './prepared-sql.ts';
import type { WebhookEndpoint, WebhookMessage } from './entities.ts';
import type { MemberTransaction } from './store.ts';

/** Webhook endpoints and the outbox in SQLite. */
export class SqliteWebhooks implements Table {
  readonly #endpoints;
  readonly #due;
  readonly #planned;
  readonly #retried;
  readonly #givenUp;
  readonly #message;
  readonly #list;
  readonly #putEndpoint;
  readonly #insert;
  readonly #lease;
  readonly #update;
  readonly #deleteBefore;
  readonly #deleteOf;
  readonly #removeEndpoint;

  constructor(sql: PreparedSql) {
    this.#endpoints = sql.many<EndpointRow>(
      `SELECT id, platform_id AS platformId, url, secret, types, disabled, created_at AS createdAt
       FROM webhook_endpoints WHERE url <> '' LIMIT 32`,
    );
    this.#due = sql.many<WebhookMessage>(
      `SELECT ${columns} FROM webhook_messages
       WHERE endpoint_id = ? AND next_at <= ? ORDER BY next_at LIMIT ?`,
    );
    this.#planned = sql.many<WebhookMessage>(
      `SELECT ${columns} FROM webhook_messages
       WHERE endpoint_id = ? AND next_at > ? ORDER BY next_at DESC LIMIT ?`,
    );
    this.#retried = sql.one<{ readonly count: number }>(
      `SELECT COUNT(*) AS count FROM webhook_messages
       WHERE endpoint_id = ? AND next_at > 0 AND attempts > 0`,
    );
    this.#givenUp = sql.one<{ readonly count: number }>(
      `SELECT COUNT(*) AS count FROM webhook_messages
       WHERE endpoint_id = ? AND next_at IS NULL AND created_at > 0 AND delivered_at IS NULL`,
    );
    this.#message = sql.one<WebhookMessage>(`SELECT ${columns} FROM webhook_messages WHERE id = ?`);
    this.#list = sql.many<WebhookMessage>(
      `SELECT ${columns} FROM webhook_messages WHERE id < ? ORDER BY id DESC LIMIT ?`,
    );
    this.#putEndpoint = sql.change(
      `INSERT INTO webhook_endpoints (id, platform_id, url, secret, types, disabled, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET
         url = excluded.url, secret = excluded.secret, types = excluded.types, disabled = excluded.disabled`,
    );
    this.#insert = sql.change(
      `INSERT INTO webhook_messages
         (message_id, endpoint_id, type, body, created_at, attempts, next_at, delivered_at, status, membership_id)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#lease = sql.change(
      `UPDATE webhook_messages SET next_at = ? WHERE id = ? AND next_at = ?`,
    );
    this.#update = sql.change(
      `UPDATE webhook_messages SET attempts = ?, next_at = ?, delivered_at = ?, status = ? WHERE id = ?`,
    );
    this.#deleteBefore = sql.change(
      `DELETE FROM webhook_messages WHERE id IN (
         SELECT id FROM webhook_messages WHERE next_at IS NULL AND created_at < ?1
         UNION ALL SELECT m.id FROM webhook_endpoints CROSS JOIN webhook_messages m ON m.endpoint_id = webhook_endpoints.id
           WHERE m.next_at < ?1
         LIMIT ?2)`,
    );
    this.#deleteOf = sql.change(
      `DELETE FROM webhook_messages WHERE id IN (
         SELECT id FROM webhook_messages WHERE endpoint_id = ?1 AND next_at > 0
         UNION ALL SELECT id FROM webhook_messages WHERE next_at IS NULL AND created_at > 0 AND endpoint_id = ?1
         LIMIT ?2)`,
    );
    // An empty row stays, because a deletion would search all messages for references to it.
    this.#removeEndpoint = sql.change(
      `UPDATE webhook_endpoints SET url = '', secret = '', types = '', disabled = 1 WHERE id = ?`,
    );
  }

  endpoints(): readonly WebhookEndpoint[] {
    return this.#endpoints().map((row) => ({
      ...row,
      types: row.types.split(' '),
      disabled: row.disabled === 1,
    }));
  }

  due(endpointId: string, now: number, limit: number): readonly WebhookMessage[] {
    return this.#due(endpointId, now, limit);
  }

  planned(endpointId: string, after: number, limit: number): readonly WebhookMessage[] {
    return this.#planned(endpointId, after, limit);
  }

  failing(endpointId: string): number {
    return this.#retried(endpointId)!.count + this.#givenUp(endpointId)!.count;
  }

  message(id: number): WebhookMessage | null {
    return this.#message(id);
  }

  list(before: number, limit: number): readonly WebhookMessage[] {
    return this.#list(before, limit);
  }

  putEndpoint(endpoint: WebhookEndpoint): void {
    this.#putEndpoint(
      endpoint.id,
      endpoint.platformId,
      endpoint.url,
      endpoint.secret,
      endpoint.types.join(' '),
      Number(endpoint.disabled),
      endpoint.createdAt,
    );
  }

  insert(message: Omit<WebhookMessage, 'id'>, membershipId: number | null = null): void {
    this.#insert(
      message.messageId,
      message.endpointId,
      message.type,
      message.body,
      message.createdAt,
      message.attempts,
      message.nextAt,
      message.deliveredAt,
      message.status,
      membershipId,
    );
  }

  lease(id: number, nextAt: number, until: number): boolean {
    return this.#lease(until, id, nextAt) > 0;
  }

  update(message: WebhookMessage): void {
    this.#update(message.attempts, message.nextAt, message.deliveredAt, message.status, message.id);
  }

  deleteBefore(before: number, limit: number): number {
    return this.#deleteBefore(before, limit);
  }

  deleteOf(endpointId: string, limit: number): number {
    return this.#deleteOf(endpointId, limit);
  }

  removeEndpoint(id: string): void {
    this.#removeEndpoint(id);
  }
}

type EndpointRow = Omit<WebhookEndpoint, 'types' | 'disabled'> & {
  readonly types: string;
  readonly disabled: number;
};

const columns = `id, message_id AS messageId, endpoint_id AS endpointId, type, body, created_at AS createdAt,
  attempts, next_at AS nextAt, delivered_at AS deliveredAt, status`;

type Table = MemberTransaction['webhooks'];
