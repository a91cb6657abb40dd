import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { audit, type Operator } from './audit.ts';
import type { MemberContext } from './context.ts';
import { newEndpointId, newMessageId } from './identifiers.ts';
import { instantText } from './instant.ts';
import { memberLimits } from './limits.ts';
import type { WebhookEndpoint } from './store/entities.ts';
import type { MemberTransaction } from './store/store.ts';

export const webhookTypes = [
  'member.created',
  'member.linked',
  'tier.changed',
  'session.revoked',
  'member.erased',
] as const;
export type WebhookType = (typeof webhookTypes)[number];

/** Puts a message in the outbox of every endpoint that wants its type, in the transaction of what it tells of. */
export async function queueWebhook(
  context: MemberContext,
  tx: MemberTransaction,
  type: WebhookType,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  const endpoints = await tx.webhooks.endpoints();
  const wanting = endpoints.filter(({ disabled, types }) => !disabled && types.includes(type));
  if (wanting.length === 0) return;
  const now = context.now();
  const body = JSON.stringify({ type, timestamp: instantText(now), data });
  for (const { id } of wanting) {
    await tx.webhooks.insert({
      messageId: newMessageId(now),
      endpointId: id,
      type,
      body,
      createdAt: now,
      attempts: 0,
      nextAt: now,
      deliveredAt: null,
      status: null,
    });
  }
}

/** Adds a receiver; its secret is in the answer and can be read again by the operator. */
export async function addWebhookEndpoint(
  context: MemberContext,
  url: string,
  types: readonly WebhookType[],
  operator: Operator,
): Promise<WebhookEndpoint> {
  const endpoint: WebhookEndpoint = {
    id: newEndpointId(),
    url,
    secret: `whsec_${randomBytes(32).toString('base64')}`,
    types,
    disabled: false,
    createdAt: context.now(),
  };
  await context.store.write(async (tx) => {
    const all = await tx.webhooks.endpoints();
    if (all.length >= memberLimits.webhookEndpointsMax) {
      throw new Error(`There are ${all.length} webhook endpoints, the most there can be.`);
    }
    await tx.webhooks.putEndpoint(endpoint);
    const detail = { host: new URL(url).host, types };
    const entry = { action: 'webhook_added', subject: endpoint.id, detail };
    await audit(context, tx, operator, entry);
  });
  return endpoint;
}

/** The headers of Standard Webhooks (https://www.standardwebhooks.com): HMAC over `id.timestamp.body`. */
export function signedHeaders(
  secret: string,
  messageId: string,
  atS: number,
  body: string,
): Readonly<Record<string, string>> {
  return {
    'webhook-id': messageId,
    'webhook-timestamp': String(atS),
    'webhook-signature': `v1,${signature(secret, messageId, String(atS), body)}`,
  };
}

/** Whether headers and body are what the secret's owner signed within five minutes of `nowS`. */
export function verifySignature(
  secret: string,
  headers: Readonly<Record<string, string | undefined>>,
  body: string,
  nowS: number,
): boolean {
  const id = headers['webhook-id'] ?? '';
  const timestamp = headers['webhook-timestamp'] ?? '';
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(nowS - Number(timestamp)) > toleranceS)
    return false;
  const expected = Buffer.from(signature(secret, id, timestamp, body));
  return (headers['webhook-signature'] ?? '').split(' ').some((part) => {
    const given = Buffer.from(part.replace(/^v1,/, ''));
    return (
      part.startsWith('v1,') && given.length === expected.length && timingSafeEqual(given, expected)
    );
  });
}

function signature(secret: string, id: string, timestamp: string, body: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
}

const toleranceS = 300;
