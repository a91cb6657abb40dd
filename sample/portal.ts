import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerOperation, gatewayShapeOf, pageAsked, wantsJson } from './doors/operations.ts';
import type { Door } from './doors/door.ts';
import { otherDoors, type DoorOptions } from './doors/other-doors.ts';
import type { Asked, Fault } from './faults/fault.ts';
import { checkFaults, strike, type FaultSetting, type Struck } from './faults/schedule.ts';
import { gatewayError } from './gateway-error.ts';
import { KeyDesk, type KeySettings } from './keys.ts';
import { operationAt, type Operation } from './operation.ts';
import { readQuestion, type Question } from './question.ts';
import { sourcesOf } from './records/sources.ts';
import { deliver, paceUsual, textReply, type Pace, type Reply } from './reply.ts';
import { RequestBook, type AnsweredRequest } from './request-book.ts';
import { dayKst, makeWorld, type Scale } from './world.ts';

/**
 * Starts a portal of invented records on loopback that speaks the wire protocols of the real one. Every
 * request comes as `/<original host>/<path>?<query>`, which is what MARU_PORTAL_GATEWAY makes of it.
 */
export async function startSamplePortal(options: SamplePortalOptions = {}): Promise<SamplePortal> {
  const portal = new Portal(options);
  const server = createServer((request, response) => {
    portal.handle(request, response).catch((error: unknown) => fail(response, error));
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
    requests: portal.book.answered,
    setFaults: (faults) => portal.setFaults(faults),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export interface SamplePortalOptions extends DoorOptions {
  /** 0, the default, takes a free one. */
  readonly port?: number;
  /** Same seed, same records. */
  readonly seed?: number;
  readonly faults?: readonly FaultSetting[];
  readonly scale?: Scale;
  /** Milliseconds since 1970; the machine's clock when absent. */
  readonly clock?: () => number;
  readonly keys?: KeySettings;
  readonly pace?: Pace;
}

export interface SamplePortal extends AsyncDisposable {
  readonly url: string;
  /** What was asked so far, oldest first, without keys; the last 200,000 at the most. */
  readonly requests: readonly AnsweredRequest[];
  /** Replaces the faults; which attempt of a request it is starts from the beginning. */
  setFaults(faults: readonly FaultSetting[]): void;
}

const seedUsual = 20_261_121;

class Portal {
  readonly book = new RequestBook();
  readonly #seed: number;
  readonly #now: () => number;
  readonly #pace: Pace;
  readonly #desk: KeyDesk;
  readonly #doors: readonly Door[];
  readonly #sources: ReturnType<typeof sourcesOf>;
  #faults: readonly FaultSetting[] = [];
  #faultDay = '';

  constructor(options: SamplePortalOptions) {
    this.#seed = options.seed ?? seedUsual;
    this.#now = options.clock ?? Date.now;
    this.#pace = options.pace ?? paceUsual;
    this.#desk = new KeyDesk(options.keys ?? {}, this.#now);
    const world = makeWorld(this.#seed, options.scale ?? 1, this.#now);
    this.#sources = sourcesOf(world);
    this.#doors = otherDoors(world, options);
    this.setFaults(options.faults ?? []);
  }

  setFaults(faults: readonly FaultSetting[]): void {
    checkFaults(faults);
    this.#faults = faults;
    this.#faultDay = dayKst(this.#now());
    this.book.forgetAttempts();
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const question = await readQuestion(request);
    if (question === null) {
      const sentence = 'Ask as /<host of the portal>/<path>?<query>.';
      return deliver(response, textReply(sentence, 404), this.#pace);
    }
    const operation = operationAt(question.host + question.path) ?? null;
    const struck = this.#strike(question, operation);
    const { reply, fault } = this.#answer(question, operation, struck);
    this.book.note(question, operation?.code ?? null, reply.status, fault);
    await deliver(response, reply, this.#pace);
  }

  #strike(question: Question, operation: Operation | null): Struck | null {
    if (this.#faults.length === 0) return null;
    return strike(this.#faults, this.#seed, {
      identity: question.identity,
      address: question.host + question.path,
      code: operation?.code ?? null,
      attempt: this.book.countAttempt(question.identity),
      page: pageAsked(question.query),
      sameDay: dayKst(this.#now()) === this.#faultDay,
    });
  }

  /** The reply, and the fault that changed something in it: many concern only some of the answers. */
  #answer(question: Question, operation: Operation | null, struck: Struck | null): Answered {
    const asked = askedOf(question, operation, this.book.attemptOf(question.identity));
    const { name = null, fault = null } = struck ?? {};
    const instead = fault?.instead?.(question, asked) ?? null;
    if (instead !== null) return { reply: instead, fault: name };
    const meant = fault?.asks?.(question, operation) ?? question;
    const reply =
      operation === null
        ? this.#otherDoor(meant)
        : (this.#refusal(question, operation, asked) ?? this.#operation(meant, operation, fault));
    if (fault === null) return { reply, fault: null };
    const sent = fault.reply?.(reply, question) ?? reply;
    const isSame =
      operation === null
        ? meant === question
        : reply.body === this.#operation(question, operation, null).body;
    return { reply: sent, fault: isSame && sent === reply ? null : name };
  }

  /** What the gateway refuses before an operation is asked. */
  #refusal({ headers, rawKey }: Question, { code }: Operation, { shape }: Asked): Reply | null {
    // Seen in 2026: a caller that does not say what it is may be turned away at the door.
    if (headers['user-agent'] === undefined) return textReply('Forbidden', 403);
    if (!this.#desk.knows(rawKey)) return gatewayError('30', shape);
    const over = this.#desk.count(code);
    return over === null ? null : gatewayError(over, shape);
  }

  #operation(question: Question, operation: Operation, fault: Fault | null): Reply {
    const source = this.#sources.get(operation.code);
    if (source === undefined) return textReply('API not found', 404);
    return answerOperation(operation, source, question, fault);
  }

  #otherDoor(question: Question): Reply {
    for (const door of this.#doors) {
      const reply = door(question, this.#desk);
      if (reply !== null) return reply;
    }
    return textReply('API not found', 404);
  }
}

interface Answered {
  readonly reply: Reply;
  readonly fault: string | null;
}

/** A mistake of ours says so: it must not look like a fault of the portal. */
function fail(response: ServerResponse, error: unknown): void {
  if (response.headersSent || response.destroyed) return void response.destroy();
  response.writeHead(500, { 'content-type': 'text/plain;charset=UTF-8' });
  response.end(`The sample portal itself failed: ${String(error)}`);
}

function askedOf(question: Question, operation: Operation | null, attempt: number): Asked {
  if (operation === null) return { json: true, shape: 'json-403', attempt };
  const json = wantsJson(operation.family, question.query);
  return { json, shape: gatewayShapeOf(operation.family, json), attempt };
}
