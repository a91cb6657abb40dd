/** The headers of a request, as any server has them. */
export type WebhookHeaders =
  Pick<Headers, 'get'> | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Whether the members service signed a webhook within five minutes of now (Standard Webhooks). `secret` is the endpoint's
 * `whsec_…`; `body` is the text as it arrived, since JSON that was parsed and written again need not be the same. Throws
 * for a secret that is none.
 *
 * @example
 * import { verifySignature } from '@maru/sdk/webhook';
 *
 * const request = new Request('https://books.example.com/webhook', { method: 'POST', body: '{}' });
 * const body = await request.text();
 * console.log(await verifySignature('whsec_c2VjcmV0', request.headers, body)); // false
 */
export async function verifySignature(
  secret: string,
  headers: WebhookHeaders,
  body: string,
): Promise<boolean> {
  const secretBytes = bytesOf(secret.replace(/^whsec_/, ''));
  if (!secretBytes?.length) throw new TypeError('secret is none: it is whsec_ and Base64.');
  const [id = '', timestamp = '', signatures = ''] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `webhook-${name}`),
  );
  // What is signed anew after a replay has a new time.
  const isTimely = Math.abs(Date.now() / 1_000 - Number(timestamp)) <= toleranceS;
  if (!isTimely || !/^\d{1,12}$/.test(timestamp)) return false;
  const key = await crypto.subtle.importKey(
    'raw',
    secretBytes,
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  );
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  // While a secret is replaced there is one of each.
  for (const part of signatures.split(' ').slice(0, signaturesMax)) {
    const signature = part.startsWith('v1,') ? bytesOf(part.slice(3)) : null;
    if (signature && (await crypto.subtle.verify('HMAC', key, signature, signed))) return true;
  }
  return false;
}

const toleranceS = 300;
const signaturesMax = 8;

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = isHeaders(headers) ? headers.get(name) : headers[name];
  return typeof value === 'string' ? value : '';
}

function isHeaders(headers: WebhookHeaders): headers is Pick<Headers, 'get'> {
  return typeof headers.get === 'function';
}

/** Null for what is no Base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
