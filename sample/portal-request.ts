import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** A request as the portal would receive it, without the gateway's prefix. */
export interface PortalRequest {
  readonly method: string;
  readonly host: string;
  /** Begins with a slash, still percent-encoded. */
  readonly path: string;
  readonly query: ReadonlyMap<string, string>;
  /** The key as it was sent, still percent-encoded; null if there is none. */
  readonly rawKey: string | null;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Identifies repeated requests: everything but the key. */
  readonly identity: string;
}

/** Largest body; only requests of the search trend have one, with at most 100 keywords. */
const bodyBytesMax = 64 * 1024;
const targetCharactersMax = 16 * 1024;

/** Reads a request; null if it names no host or is too long. */
export async function readPortalRequest(request: IncomingMessage): Promise<PortalRequest | null> {
  const target = request.url ?? '';
  const parts = /^\/([a-z0-9.-]+\.[a-z]+)(\/[^?]*)?(?:\?(.*))?$/.exec(target);
  const body = await readBody(request);
  if (parts === null || body === null || target.length > targetCharactersMax) return null;
  const [, host = '', path = '/', search = ''] = parts;
  const { query, rawKey } = readSearch(search);
  const { method = 'GET', headers } = request;
  const parameters = [...query].map(([name, value]) => `${name}=${value}`).sort();
  const identity = `${method} ${host}${path}?${parameters.join('&')} ${body}`;
  return { method, host, path, query, rawKey, headers, body, identity };
}

/** Sets a parameter of a request. */
export function withQuery(request: PortalRequest, name: string, value: string): PortalRequest {
  if (request.query.get(name) === value) return request;
  return { ...request, query: new Map([...request.query, [name, value]]) };
}

/** Removes a parameter of a request. */
export function withoutQuery(request: PortalRequest, name: string): PortalRequest {
  return { ...request, query: new Map([...request.query].filter(([other]) => other !== name)) };
}

/** Parses a query string. The first of repeated parameters counts; only the name of the key ignores case. */
function readSearch(search: string): { query: Map<string, string>; rawKey: string | null } {
  const query = new Map<string, string>();
  let rawKey: string | null = null;
  for (const pair of search.split('&')) {
    const equals = pair.indexOf('=');
    const name = equals === -1 ? pair : pair.slice(0, equals);
    const value = equals === -1 ? '' : pair.slice(equals + 1);
    if (name.toLowerCase() === 'servicekey') rawKey ??= value;
    else if (name !== '' && !query.has(decodeText(name)))
      query.set(decodeText(name), decodeText(value));
  }
  return { query, rawKey };
}

/** Decodes a percent-encoded text. A text with a stray `%` is kept. */
function decodeText(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bodyBytesMax) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
