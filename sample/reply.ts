import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** A response of the sample portal, and the way in which it is delivered. */
export interface Reply {
  readonly status: number;
  readonly type: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** `whole` if absent. */
  readonly delivery?: Delivery;
}

/** `reset`: closed without a byte. `half`: closed after half of the body. `drip`: slowly. `hang`: never. */
type Delivery = 'whole' | 'reset' | 'half' | 'drip' | 'hang';

/** The delays of slow responses. */
export interface Pace {
  readonly dripMs: number;
  readonly hangMs: number;
}

export const defaultPace: Pace = { dripMs: 40, hangMs: 120_000 };

const jsonType = 'application/json;charset=UTF-8';
const xmlType = 'text/xml;charset=UTF-8';

export function jsonReply(body: string, status = 200): Reply {
  return { status, type: jsonType, body };
}

export function xmlReply(body: string, status = 200): Reply {
  return { status, type: xmlType, body };
}

export function htmlReply(body: string, status = 200): Reply {
  return { status, type: 'text/html;charset=UTF-8', body };
}

export function textReply(body: string, status: number): Reply {
  return { status, type: 'text/plain;charset=UTF-8', body };
}

/** Sends the reply; resolves when nothing more is written. */
export async function deliver(response: ServerResponse, reply: Reply, pace: Pace): Promise<void> {
  const delivery = reply.delivery ?? 'whole';
  if (delivery === 'reset') return void response.destroy();
  if (delivery === 'hang') return hang(response, pace.hangMs);
  const bytes = typeof reply.body === 'string' ? Buffer.from(reply.body) : reply.body;
  response.writeHead(reply.status, {
    // These must precede the length: after it, Node 24 refuses a content-disposition that is not plain ASCII.
    ...reply.headers,
    'content-type': reply.type,
    'content-length': bytes.length,
  });
  if (delivery === 'half') {
    response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => response.destroy());
  } else if (delivery === 'drip') {
    await drip(response, bytes, pace.dripMs);
  } else {
    response.end(bytes);
  }
}

const dripPieces = 10;

async function drip(response: ServerResponse, bytes: Buffer, dripMs: number): Promise<void> {
  const size = Math.max(1, Math.ceil(bytes.length / dripPieces));
  for (let index = 0; index < bytes.length && !response.destroyed; index += size) {
    response.write(bytes.subarray(index, index + size));
    await pause(dripMs);
  }
  response.end();
}

/** Sends nothing until the client gives up or the pace ends the wait. */
async function hang(response: ServerResponse, hangMs: number): Promise<void> {
  const disconnection = new AbortController();
  response.once('close', () => disconnection.abort());
  await pause(hangMs, undefined, { signal: disconnection.signal }).catch(() => undefined);
  response.destroy();
}
