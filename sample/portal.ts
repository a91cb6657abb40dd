import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerOperation, gatewayShapeOf, requestedPage, wantsJson } from './hosts/operations.ts';
import type { HostHandler } from './hosts/host-handler.ts';
import { otherHosts, type OtherHostOptions } from './hosts/other-hosts.ts';
import type { RequestFacts, Fault } from './faults/fault.ts';
import {
  checkFaults,
  chooseFault,
  type FaultSetting,
  type InjectedFault,
} from './faults/schedule.ts';
import { gatewayError } from './gateway-error.ts';
import { KeyRegistry, type KeySettings } from './keys.ts';
import { operationAt, type Operation } from './operation.ts';
import { readPortalRequest, type PortalRequest } from './portal-request.ts';
import { sourcesOf } from './records/sources.ts';
import { deliver, defaultPace, textReply, type Pace, type Reply } from './reply.ts';
import { RequestLog, type AnsweredRequest } from './request-log.ts';
import { dayKst, makeWorld, type Scale } from './world.ts';

/**
 * Starts a portal of invented records on loopback that speaks the wire protocols of the real one. Every request has the
 * form `/<original host>/<path>?<query>`, which clients send if MARU_PORTAL_GATEWAY is set.
 */
export async function startSamplePortal(options: SamplePortalOptions = {}): Promise<SamplePortal> {
  const portal = new Portal(options);
  const server = createServer((incoming, response) => {
    portal.handle(incoming, response).catch((error: unknown) => sendInternalError(response, error));
  });
  server.listen(options.port ?? 0, '127.0.0.1');
  await new Promise((resolve, reject) => {
    server.once('listening', resolve);
    server.once('error', reject);
  });
  // A server that listens on a port, not on a socket file, has an address with a port.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests: portal.log.answered,
    setFaults: (faults) => portal.setFaults(faults),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export interface SamplePortalOptions extends OtherHostOptions {
  /** 0, the default, takes a free port. */
  readonly port?: number;
  /** Same seed, same records. */
  readonly seed?: number;
  readonly faults?: readonly FaultSetting[];
  readonly scale?: Scale;
  /** Milliseconds since 1970; the system clock if absent. */
  readonly clock?: () => number;
  readonly keys?: KeySettings;
  readonly pace?: Pace;
}

export interface SamplePortal extends AsyncDisposable {
  readonly url: string;
  /** The requests so far, oldest first and without keys; at most the last 200,000. */
  readonly requests: readonly AnsweredRequest[];
  /** Replaces the faults and counts attempts from 0 again. */
  setFaults(faults: readonly FaultSetting[]): void;
}

const defaultSeed = 20_261_121;

class Portal {
  readonly log = new RequestLog();
  readonly #seed: number;
  readonly #now: () => number;
  readonly #pace: Pace;
  readonly #keys: KeyRegistry;
  readonly #hosts: readonly HostHandler[];
  readonly #sources: ReturnType<typeof sourcesOf>;
  #faults: readonly FaultSetting[] = [];
  #faultDay = '';

  constructor(options: SamplePortalOptions) {
    this.#seed = options.seed ?? defaultSeed;
    this.#now = options.clock ?? Date.now;
    this.#pace = options.pace ?? defaultPace;
    this.#keys = new KeyRegistry(options.keys ?? {}, this.#now);
    const world = makeWorld(this.#seed, options.scale ?? 1, this.#now);
    this.#sources = sourcesOf(world);
    this.#hosts = otherHosts(world, options);
    this.setFaults(options.faults ?? []);
  }

  setFaults(faults: readonly FaultSetting[]): void {
    checkFaults(faults);
    this.#faults = faults;
    this.#faultDay = dayKst(this.#now());
    this.log.forgetAttempts();
  }

  async handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readPortalRequest(incoming);
    if (request === null) {
      const sentence = 'Send requests as /<host of the portal>/<path>?<query>.';
      return deliver(response, textReply(sentence, 404), this.#pace);
    }
    const operation = operationAt(request.host + request.path) ?? null;
    const injected = this.#chooseFault(request, operation);
    const { reply, fault } = this.#answer(request, operation, injected);
    this.log.add(request, operation?.code ?? null, reply.status, fault);
    await deliver(response, reply, this.#pace);
  }

  #chooseFault(request: PortalRequest, operation: Operation | null): InjectedFault | null {
    if (this.#faults.length === 0) return null;
    return chooseFault(this.#faults, this.#seed, {
      identity: request.identity,
      address: request.host + request.path,
      query: request.query,
      operationCode: operation?.code ?? null,
      attempt: this.log.countAttempt(request.identity),
      page: requestedPage(request.query),
      isBeforeMidnight: dayKst(this.#now()) === this.#faultDay,
    });
  }

  /** The reply, and the fault that changed it; null if the injected fault had no effect on this reply. */
  #answer(
    request: PortalRequest,
    operation: Operation | null,
    injected: InjectedFault | null,
  ): PortalReply {
    const facts = factsOf(request, operation, this.log.attemptOf(request.identity));
    const { name = null, fault = null } = injected ?? {};
    const replacement = fault?.replace?.(request, facts) ?? null;
    if (replacement !== null) return { reply: replacement, fault: name };
    const rewritten = fault?.rewrite?.(request, operation) ?? request;
    const reply =
      operation === null
        ? this.#otherHost(rewritten)
        : (this.#refusal(request, operation, facts) ??
          this.#operation(rewritten, operation, fault));
    if (fault === null) return { reply, fault: null };
    const changed = fault.reply?.(reply, request) ?? reply;
    const isChanged =
      changed !== reply ||
      (operation === null
        ? rewritten !== request
        : reply.body !== this.#operation(request, operation, null).body);
    return { reply: changed, fault: isChanged ? name : null };
  }

  /** Refusals of the gateway, before an operation answers. */
  #refusal(
    { headers, rawKey }: PortalRequest,
    { code }: Operation,
    { shape }: RequestFacts,
  ): Reply | null {
    // Seen in 2026: a client without a User-Agent may be refused.
    if (headers['user-agent'] === undefined) return textReply('Forbidden', 403);
    if (!this.#keys.isValid(rawKey)) return gatewayError('30', shape);
    const exceededCode = this.#keys.countRequest(code);
    return exceededCode === null ? null : gatewayError(exceededCode, shape);
  }

  #operation(request: PortalRequest, operation: Operation, fault: Fault | null): Reply {
    const source = this.#sources.get(operation.code);
    if (source === undefined) return textReply('API not found', 404);
    const attempt = this.log.attemptOf(request.identity);
    return answerOperation(operation, source, request, fault, attempt);
  }

  #otherHost(request: PortalRequest): Reply {
    for (const handler of this.#hosts) {
      const reply = handler(request, this.#keys);
      if (reply !== null) return reply;
    }
    return textReply('API not found', 404);
  }
}

interface PortalReply {
  readonly reply: Reply;
  readonly fault: string | null;
}

/** Reports an error of the sample portal itself: it must not look like a fault of the real one. */
function sendInternalError(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) return void response.destroy();
  response.writeHead(500, { 'content-type': 'text/plain;charset=UTF-8' });
  response.end(`The sample portal itself failed: ${String(error)}`);
}

function factsOf(
  request: PortalRequest,
  operation: Operation | null,
  attempt: number,
): RequestFacts {
  if (operation === null) return { json: true, shape: 'json-403', attempt };
  const json = wantsJson(operation.family, request.query);
  return { json, shape: gatewayShapeOf(operation.family, json), attempt };
}
