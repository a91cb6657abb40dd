import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { inspect } from 'node:util';
import { createLog } from '../src/kernel/log.ts';
import {
  createPortalClient,
  type PortalClient,
  type PortalClientOptions,
} from '../src/harvest/client/portal-client.ts';
import { PortalError } from '../src/harvest/client/portal-error.ts';
import { createMemoryQuota } from '../src/harvest/client/quota.ts';
import type { UpstreamRequest } from '../src/harvest/client/request.ts';

/** Start of the client's clock: 2026-11-21 12:30 in Korea. */
export const noon = Date.parse('2026-11-21T03:30:00Z');
export const plainKey = 'aB+/cd0123456789efGH/ij+kl==';
export const encodedKey = encodeURIComponent(plainKey);

export const stopsRequest: UpstreamRequest = {
  path: 'apis.data.go.kr/1613000/BusSttnInfoInqireService/getSttnNoList',
  service: 'apis.data.go.kr/1613000/BusSttnInfoInqireService',
  key: { in: 'query', name: 'serviceKey' },
  parameters: { _type: 'json', cityCode: '25', nodeNm: '시청 앞' },
  dailyQuota: 1000,
  portalId: '15098534',
};

export const good = JSON.stringify({
  response: {
    header: { resultCode: '00' },
    body: { items: { item: [{ a: '1' }] }, totalCount: 1 },
  },
});

export type Reply = (response: ServerResponse, request: IncomingMessage) => void;

export interface Portal {
  readonly client: PortalClient;
  /** Targets of the requests, in the order of their arrival. */
  readonly targets: string[];
  readonly headers: IncomingMessage['headers'][];
  /** Waits between attempts, in milliseconds. */
  readonly waits: number[];
  readonly log: () => string;
  readonly gateway: string;
  /** Moves the client's clock. */
  readonly pass: (ms: number) => void;
  replies: Reply[];
}

/** Starts a server on loopback that replies in this order, and with the last reply from then on. */
export async function portal(
  t: TestContext,
  replies: Reply[],
  options: Partial<PortalClientOptions> = {},
): Promise<Portal> {
  const waits: number[] = [];
  let now = noon;
  let lines = '';
  const targets: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const state = { replies: [...replies] };
  const server = createServer((request, response) => {
    targets.push(request.url ?? '');
    headers.push(request.headers);
    const reply = state.replies.length > 1 ? state.replies.shift() : state.replies[0];
    reply?.(response, request);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  // A server that listens on a port has an address with one.
  const gateway = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const log = createLog({ level: 'debug', pretty: false, write: (text) => void (lines += text) });
  const client = createPortalClient({
    serviceKey: plainKey,
    gateway,
    quota: createMemoryQuota(),
    log,
    random: () => 0.5,
    clock: {
      now: () => now,
      wait: (ms, signal) => {
        signal?.throwIfAborted();
        waits.push(ms);
        now += ms;
        return Promise.resolve();
      },
    },
    limits: { callsPerSecond: 1_000_000 },
    ...options,
  });
  return {
    client,
    targets,
    headers,
    waits,
    log: () => {
      log.flush();
      return lines;
    },
    gateway,
    pass: (ms) => void (now += ms),
    get replies() {
      return state.replies;
    },
    set replies(next) {
      state.replies = [...next];
    },
  };
}

export function body(
  text: string | Uint8Array,
  status = 200,
  head: Record<string, string> = {},
): Reply {
  return (response) => void response.writeHead(status, head).end(text);
}

export async function failure(call: Promise<unknown>): Promise<PortalError> {
  const error: unknown = await call.then(
    () => assert.fail('the call was answered'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof PortalError, inspect(error));
  return error;
}
