import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** A request as the portal would have seen it: the gateway's prefix taken off. */
export interface Question {
  readonly method: string;
  readonly host: string;
  /** Begins with a slash, still percent-encoded. */
  readonly path: string;
  readonly query: ReadonlyMap<string, string>;
  /** The key as it was sent, percent-encoding and all; null without one. */
  readonly rawKey: string | null;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** What makes it the same request when it is asked again: everything but the key. */
  readonly identity: string;
}

/** Bodies are Naver's keyword groups: 5 groups of 20 keywords are far below this. */
const bodyBytesMax = 64 * 1024;
const targetCharactersMax = 16 * 1024;

/** Null when it is not a question to a host (`/`), or too long to be one. */
export async function readQuestion(request: IncomingMessage): Promise<Question | null> {
  const target = request.url ?? '';
  const parts = /^\/([a-z0-9.-]+\.[a-z]+)(\/[^?]*)?(?:\?(.*))?$/.exec(target);
  const body = await readBody(request);
  if (parts === null || body === null || target.length > targetCharactersMax) return null;
  const [, host = '', path = '/', search = ''] = parts;
  const { query, rawKey } = readSearch(search);
  const { method = 'GET', headers } = request;
  const asked = [...query].map(([name, value]) => `${name}=${value}`).sort();
  const identity = `${method} ${host}${path}?${asked.join('&')} ${body}`;
  return { method, host, path, query, rawKey, headers, body, identity };
}

/** The same question with another value of a parameter. */
export function withQuery(question: Question, name: string, value: string): Question {
  if (question.query.get(name) === value) return question;
  return { ...question, query: new Map([...question.query, [name, value]]) };
}

/** The same question without a parameter. */
export function withoutQuery(question: Question, name: string): Question {
  return { ...question, query: new Map([...question.query].filter(([own]) => own !== name)) };
}

/** The first of a repeated parameter counts. Names are as the caller spelt them, apart from the key's. */
function readSearch(search: string): { query: Map<string, string>; rawKey: string | null } {
  const query = new Map<string, string>();
  let rawKey: string | null = null;
  for (const pair of search.split('&')) {
    const equals = pair.indexOf('=');
    const name = equals === -1 ? pair : pair.slice(0, equals);
    const value = equals === -1 ? '' : pair.slice(equals + 1);
    if (name.toLowerCase() === 'servicekey') rawKey ??= value;
    else if (name !== '' && !query.has(decoded(name))) query.set(decoded(name), decoded(value));
  }
  return { query, rawKey };
}

/** A stray `%` stays as it is. */
function decoded(text: string): string {
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
