import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { audit, type Operator } from './audit.ts';
import { publicAddressOf } from './public-address.ts';
import type { MemberContext } from './context.ts';
import type { WebhookEndpoint, WebhookMessage } from './store/entities.ts';
import { enabledEndpoints, signedHeaders } from './webhooks.ts';

/** Sends a signed body and returns the status; throws without a response. */
type Send = (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
) => Promise<number>;

/**
 * Sends the messages that are due and schedules retries of failed messages, for all endpoints in parallel. Several
 * processes can run it: each takes a lease of a message before it sends it.
 */
export async function deliverDue(
  context: MemberContext,
  send: Send = sendPublicly,
): Promise<DeliveryCounts> {
  // Messages of a disabled endpoint keep their attempts until it is enabled.
  const enabled = await enabledEndpoints(context.store.read);
  const outcomes = await Promise.all(enabled.map((one) => deliverTo(context, one, send)));
  return {
    delivered: outcomes.reduce((sum, { delivered }) => sum + delivered, 0),
    failed: outcomes.reduce((sum, { failed }) => sum + failed, 0),
  };
}

interface DeliveryCounts {
  readonly delivered: number;
  readonly failed: number;
}

/**
 * Sends the due messages of an endpoint until one gets no response or the turn ends. The rest waits for the next turn.
 */
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
    const leased = await context.store.write(async ({ webhooks }) =>
      webhooks.lease(message.id, message.nextAt!, until),
    );
    if (!leased) continue;
    const status = await statusOf(() => {
      const atS = Math.floor(context.now() / 1_000);
      const signed = signedHeaders(endpoint.secret, message.messageId, atS, message.body);
      const headers = { 'content-type': 'application/json', ...signed };
      return send(endpoint.url, headers, message.body);
    });
    const attempted = afterAttempt(message, status, context.now());
    await context.store.write(async ({ webhooks }) => webhooks.update(attempted));
    if (attempted.deliveredAt === null) failed++;
    else delivered++;
    if (status === null) break;
  }
  return { delivered, failed };
}

/** Messages that are due, then those whose next attempt is later than any delay allows: a clock was ahead. */
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

/** Longest wait after a number of attempts, with the clocks of two processes a lease apart. */
function longestWait(attempts: number): number {
  return Math.max(retryDelaysMs[attempts - 1] ?? 0, leaseMs) * (1 + spread) + leaseMs;
}

/** Puts a message back into the outbox. False when there is none with this id. */
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

/** Delays after each attempt, by the Standard Webhooks specification. */
export const retryDelaysMs = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400].map(
  (seconds) => seconds * 1_000,
);

/** Sends by HTTPS to a public address, which is resolved only once. Follows no redirects. */
export const sendPublicly: Send = senderOf(publicAddressOf);

/** A sender that connects to the address from `addressOf`; `ca` replaces the system's certificate authorities. */
export function senderOf(addressOf: (host: string) => Promise<string>, ca?: string): Send {
  return async (url, headers, body) => {
    const target = new URL(url);
    if (target.protocol !== 'https:') throw new Error('Webhooks are sent to https:// only.');
    const address = await addressOf(target.hostname);
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const request = requestHttps(
      {
        host: address,
        // IP addresses have no server name in TLS: the certificate is checked against the address.
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
        // The response body is not needed, so its length does not matter.
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
    // An attempt without a response is retried like one with a failure status.
    return null;
  }
}

function afterAttempt(message: WebhookMessage, status: number | null, now: number): WebhookMessage {
  const attempts = message.attempts + 1;
  if (status !== null && status >= 200 && status < 300) {
    return { ...message, attempts, status, deliveredAt: now, nextAt: null };
  }
  const delay = retryDelaysMs[message.attempts];
  // Spread by a tenth, so that a recovering endpoint does not get all messages at once.
  const nextAt =
    delay === undefined ? null : now + Math.round(delay * (1 + Math.random() * spread));
  // 410 Gone: the endpoint refuses all retries.
  return { ...message, attempts, status, nextAt: status === 410 ? null : nextAt };
}

const batchMax = 100;
const spread = 1 / 10;
const leaseMs = 60_000;
const timeoutMs = 15_000;
/** Longest turn of an endpoint. The next turns begin only when the turns of all endpoints have ended. */
const turnMs = 5_000;
