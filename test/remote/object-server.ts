import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HttpStore } from '../../src/data/remote/http-store.ts';

/** Behaviour for a request instead of the right answer; null answers it as S3 would. */
export type ObjectFault = (request: IncomingMessage, object: Buffer | null) => Fault | null;

export type Fault =
  | { readonly kind: 'status'; readonly status: number; readonly code: string }
  /** Declares the whole object and closes the connection after some bytes of it. */
  | { readonly kind: 'cut'; readonly after: number }
  /** Sends a byte every few milliseconds. */
  | { readonly kind: 'drip' }
  /** Sends some bytes and then nothing more. */
  | { readonly kind: 'silent'; readonly after: number }
  | { readonly kind: 'bytes'; readonly bytes: Buffer };

export interface ObjectServer extends AsyncDisposable {
  readonly endpoint: string;
  /** By path, such as `/bucket/prefix/current`. */
  readonly objects: Map<string, Buffer>;
  /** Method and path of each request, in order. */
  readonly requests: string[];
  fault: ObjectFault;
  /** A store of the prefix `p` in the bucket `b`, which takes so much silence for a fault. */
  store(silenceMs?: number): HttpStore;
}

/**
 * A server with the objects, conditions and ranges of S3, in memory, and with faults on request. It refuses requests
 * without a signature, and checks the hash of a body; `@20minutes/s3rver` checks signatures.
 */
export async function startObjectServer(): Promise<ObjectServer> {
  const objects = new Map<string, Buffer>();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    void answer(started, request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const endpoint = `http://127.0.0.1:${port}`;
  const started: ObjectServer = {
    endpoint,
    objects,
    requests,
    fault: () => null,
    store: (silenceMs = 60_000) =>
      new HttpStore({
        name: 's3://b/p',
        base: new URL(`${endpoint}/b/p/`),
        credentials,
        isBucket: true,
        times: { silenceMs, backoffMs: 1 },
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return started;
}

const credentials = {
  accessKeyId: 'test-key',
  secretAccessKey: 'test-secret-of-the-bucket',
  sessionToken: null,
  region: 'us-east-1',
};

async function answer(
  { objects, fault }: ObjectServer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
  const path = request.url!;
  const object = objects.get(path) ?? null;
  const wrong = fault(request, object);
  if (wrong !== null) return misbehave(wrong, object, response);
  const { authorization, 'x-amz-content-sha256': bodyHash } = request.headers;
  if (authorization === undefined) return refuse(response, 403, 'AccessDenied');
  if (request.method === 'PUT') {
    if (bodyHash !== hashOf(body)) return refuse(response, 400, 'XAmzContentSHA256Mismatch');
    if (!meetsConditions(request, object)) return refuse(response, 412, 'PreconditionFailed');
    objects.set(path, body);
    response.setHeader('etag', tagOf(body)).end();
  } else if (request.method === 'DELETE') {
    objects.delete(path);
    response.writeHead(204).end();
  } else if (object === null) {
    refuse(response, 404, 'NoSuchKey');
  } else if (request.headers['if-none-match'] === tagOf(object)) {
    response.writeHead(304).end();
  } else {
    sendObject(request, object, response);
  }
}

function meetsConditions({ headers }: IncomingMessage, object: Buffer | null): boolean {
  if (headers['if-none-match'] === '*' && object !== null) return false;
  const expected = headers['if-match'];
  return expected === undefined || (object !== null && tagOf(object) === expected);
}

function sendObject(request: IncomingMessage, object: Buffer, response: ServerResponse): void {
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
  if (from > 0 && from >= object.length) return refuse(response, 416, 'InvalidRange');
  const bytes = object.subarray(from);
  response.setHeader('etag', tagOf(object)).setHeader('content-length', bytes.length);
  response.writeHead(from > 0 ? 206 : 200);
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

function misbehave(fault: Fault, object: Buffer | null, response: ServerResponse): void {
  if (fault.kind === 'status') return refuse(response, fault.status, fault.code);
  if (fault.kind === 'bytes') return void response.end(fault.bytes);
  const bytes = object ?? Buffer.alloc(0);
  response.setHeader('content-length', bytes.length);
  if (fault.kind === 'drip') return drip(bytes, response);
  const part = bytes.subarray(0, fault.after);
  if (fault.kind === 'silent') response.write(part);
  else response.write(part, () => response.destroy());
}

function drip(bytes: Buffer, response: ServerResponse): void {
  let sent = 0;
  const timer = setInterval(() => response.write(bytes.subarray(sent, ++sent)), 5);
  response.once('close', () => clearInterval(timer));
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
}

function tagOf(bytes: Buffer): string {
  return `"${createHash('md5').update(bytes).digest('hex')}"`;
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
