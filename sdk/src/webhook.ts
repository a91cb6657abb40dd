/** Headers of a request, in the form of any server. */
export type WebhookHeaders =
  Pick<Headers, 'get'> | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Verifies that the members service signed a webhook within five minutes of the current time (Standard Webhooks). `secret` is the
 * `whsec_…` of the endpoint. `body` is the received text, because JSON that is parsed and written again may differ. Throws
 * for a malformed secret.
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
  if (!secretBytes?.length)
    throw new TypeError('The secret is malformed: it is whsec_ and Base64.');
  const [id = '', timestamp = '', signatures = ''] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `webhook-${name}`),
  );
  // A replay is signed again, with a new time.
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
  // During a change of the secret there is a signature of each.
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

/** Null for malformed Base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
