import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { audit, type Operator } from './audit.ts';
import { publicAddressOf } from './public-address.ts';
import type { MemberContext } from './context.ts';
import type { WebhookEndpoint, WebhookMessage } from './store/entities.ts';
import { signedHeaders } from './webhooks.ts';

/** Sends a signed body and answers the status; throws when there was no answer. */
export type Send = (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
) => Promise<number>;

/**
 * Sends what is due in the outbox and plans the next try of what failed. Answers how many were tried. Receivers are
 * served side by side. Several processes can run it: a message is taken by a lease before it is sent.
 */
export async function deliverDue(
  context: MemberContext,
  send: Send = sendPublicly,
): Promise<DeliveryCounts> {
  const endpoints = await context.store.read.webhooks.endpoints();
  // What waits for a receiver that is stopped keeps its tries until it is started again.
  const started = endpoints.filter(({ disabled }) => !disabled);
  const outcomes = await Promise.all(started.map((one) => deliverTo(context, one, send)));
  return {
    delivered: outcomes.reduce((sum, { delivered }) => sum + delivered, 0),
    failed: outcomes.reduce((sum, { failed }) => sum + failed, 0),
  };
}

interface DeliveryCounts {
  readonly delivered: number;
  readonly failed: number;
}

/** In the order they fell due, until one gets no answer or the turn is over: the rest waits for the next one. */
async function deliverTo(
  context: MemberContext,
  endpoint: WebhookEndpoint,
  send: Send,
): Promise<DeliveryCounts> {
  const turnEnds = performance.now() + turnMs;
  let delivered = 0;
  let failed = 0;
  for (const message of await dueFor(context, endpoint)) {
    if (performance.now() > turnEnds) break;
    const until = context.now() + leaseMs;
    const taken = await context.store.write(async ({ webhooks }) =>
      webhooks.lease(message.id, message.nextAt!, until),
    );
    if (!taken) continue;
    const status = await statusOf(() => {
      const atS = Math.floor(context.now() / 1_000);
      const signed = signedHeaders(endpoint.secret, message.messageId, atS, message.body);
      const headers = { 'content-type': 'application/json', ...signed };
      return send(endpoint.url, headers, message.body);
    });
    const settled = afterAttempt(message, status, context.now());
    await context.store.write(async ({ webhooks }) => webhooks.update(settled));
    if (settled.deliveredAt === null) failed++;
    else delivered++;
    if (status === null) break;
  }
  return { delivered, failed };
}

/** What fell due, and then what no schedule puts so far off: it was planned while the clock was ahead. */
async function dueFor(
  { store, now }: MemberContext,
  { id }: WebhookEndpoint,
): Promise<readonly WebhookMessage[]> {
  const { webhooks } = store.read;
  const due = await webhooks.due(id, now(), batchMax);
  const planned = await webhooks.planned(id, now() + leaseMs, batchMax);
  const misplanned = planned.filter(
    ({ attempts, nextAt }) => nextAt! > now() + longestWait(attempts),
  );
  return [...due, ...misplanned].slice(0, batchMax);
}

/** After so many tries, with the clocks of two processes a lease apart. */
function longestWait(attempts: number): number {
  return Math.max(retryDelaysMs[attempts - 1] ?? 0, leaseMs) * (1 + spread) + leaseMs;
}

/** Puts a message back into the outbox. False when there is none of this id. */
export async function replayMessage(
  context: MemberContext,
  id: number,
  operator: Operator,
): Promise<boolean> {
  return context.store.write(async (tx) => {
    const message = await tx.webhooks.message(id);
    if (message === null) return false;
    const again = { ...message, attempts: 0, nextAt: context.now(), deliveredAt: null };
    await tx.webhooks.update(again);
    await audit(context, tx, operator, { action: 'webhook_replayed', subject: String(id) });
    return true;
  });
}

/** The schedule of the Standard Webhooks specification: after the first try, and after each of these. */
export const retryDelaysMs = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map(
  (seconds) => seconds * 1_000,
);

/** HTTPS only, to a public address found once, without following redirects. */
export const sendPublicly: Send = senderOf(publicAddressOf);

/** A sender that connects to the address that `addressOf` finds; `ca` replaces the system's certificate authorities. */
export function senderOf(addressOf: (host: string) => Promise<string>, ca?: string): Send {
  return async (url, headers, body) => {
    const target = new URL(url);
    if (target.protocol !== 'https:') throw new Error('A webhook goes to https:// only.');
    const address = await addressOf(target.hostname);
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const request = requestHttps(
      {
        host: address,
        // Addresses have no server name in TLS: the certificate is held to the address then.
        servername: isAddress(target.hostname) ? '' : target.hostname,
        port: target.port === '' ? 443 : target.port,
        path: target.pathname + target.search,
        method: 'POST',
        headers: { ...headers, host: target.host, 'content-length': Buffer.byteLength(body) },
        signal: AbortSignal.timeout(timeoutMs),
        agent: false,
        ...(ca === undefined ? {} : { ca }),
      },
      (response) => {
        resolve(response.statusCode ?? 0);
        // What a receiver says is of no use; its length must not be either.
        response.destroy();
      },
    );
    request.on('error', reject);
    request.end(body);
    return promise;
  };
}

function isAddress(hostname: string): boolean {
  return isIP(hostname.replace(/^\[|\]$/g, '')) !== 0;
}

async function statusOf(send: () => Promise<number>): Promise<number | null> {
  try {
    return await send();
  } catch {
    // No answer is an outcome of its own: planned again like a bad status.
    return null;
  }
}

function afterAttempt(message: WebhookMessage, status: number | null, now: number): WebhookMessage {
  const attempts = message.attempts + 1;
  if (status !== null && status >= 200 && status < 300) {
    return { ...message, attempts, status, deliveredAt: now, nextAt: null };
  }
  const delay = retryDelaysMs[message.attempts];
  // Spread by a tenth, so that a receiver that comes back is not met by all at once.
  const nextAt =
    delay === undefined ? null : now + Math.round(delay * (1 + Math.random() * spread));
  // 410 Gone: the receiver asks never to be called with it again.
  return { ...message, attempts, status, nextAt: status === 410 ? null : nextAt };
}

const batchMax = 100;
const spread = 1 / 10;
const leaseMs = 60_000;
const timeoutMs = 15_000;
/** How long one receiver may be served before the others are looked at again. */
const turnMs = 5_000;
