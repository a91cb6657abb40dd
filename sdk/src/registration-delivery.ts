import { call, reasonOf, type Target } from './call.ts';
import type { RegisterAnswer, RegisterBody } from './contract.ts';
import { newIdentifier } from './identifier.ts';
import { journalStorage, type Journal } from './journal.ts';
import {
  createQueue,
  within,
  type DeliveryFault,
  type QueuedItem,
  type Queue,
  type QueueStorage,
  type DeliveryReport,
} from './queue.ts';
import { SvcError } from './svc-error.ts';

interface RegistrationDeliveryOptions {
  readonly target: Target;
  readonly journal: Journal;
  readonly warn: (text: string) => void;
  readonly countMax: number;
  readonly onRegistered: (
    answer: RegisterAnswer,
    registration: RegisterBody,
  ) => void | Promise<void>;
}

/** Registers at once if possible, else later. A sign-up waits for one attempt only. */
export class RegistrationDelivery {
  readonly #options: RegistrationDeliveryOptions;
  readonly #storage: QueueStorage;
  readonly #queue: Queue;
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(options: RegistrationDeliveryOptions) {
    const { journal, countMax, warn } = options;
    this.#options = options;
    this.#storage = journalStorage(journal, 'registration');
    this.#queue = createQueue({
      shelf: this.#storage,
      // One registration a request, so that `onRegistered` is called as soon as possible.
      batchMax: 1,
      batchBytesMax: Infinity,
      countMax,
      failuresMax: Infinity,
      send: ([item]) => this.#retry(item!).then((fault) => [fault]),
      onLost: (_, fault) =>
        warn(
          fault === null
            ? `svc: a registration was dropped: more than ${countMax} are waiting.`
            : 'svc: a late registration was refused for good.',
        ),
    });
  }

  register(registration: RegisterBody, timeoutMs: number): Promise<RegisterAnswer | null> {
    const first = this.#attempt(registration, timeoutMs);
    this.#underWay.add(first);
    return first.finally(() => this.#underWay.delete(first));
  }

  /** Ids of the users of whom a registration waits. */
  waitingUsers(): ReadonlySet<string> {
    // Queued bodies are registrations.
    const bodies = this.#storage.list().map(({ body }) => body as RegisterBody);
    return new Set(bodies.map(({ local_user_id }) => String(local_user_id)));
  }

  /** Drops what waits of a user who closed the account, because it would register them again. */
  drop(localUserId: string): void {
    for (const { id, body } of this.#storage.list()) {
      // Queued bodies are registrations.
      if (String((body as RegisterBody).local_user_id) === localUserId) this.#storage.drop(id);
    }
  }

  flush(timeoutMs: number): Promise<DeliveryReport> {
    return this.#queue.flush(timeoutMs);
  }

  async close(timeoutMs: number): Promise<DeliveryReport> {
    const startedAt = Date.now();
    // First attempts queue the registrations that fail.
    await within(Promise.all(this.#underWay), timeoutMs);
    const remainingMs = Math.max(0, startedAt + timeoutMs - Date.now());
    const { delivered, pending } = await this.#queue.close(remainingMs);
    return { delivered, pending: pending + this.#underWay.size };
  }

  async #attempt(registration: RegisterBody, timeoutMs: number): Promise<RegisterAnswer | null> {
    const { journal, warn } = this.#options;
    const item = queuedItemOf(registration);
    if (item === null) {
      warn('svc: a registration is not JSON and was not sent.');
      return null;
    }
    // Stored before the attempt, so that it survives a process that is killed.
    journal.put({ ...item, kind: 'registration' });
    try {
      const answer = await this.#send(item.body as RegisterBody, timeoutMs);
      if (isMismatch(answer)) return this.#contest(item, answer);
      journal.drop(item.id);
      this.#queue.resume();
      return answer;
    } catch (error) {
      const fault = faultOf(error);
      if (fault.retryable) this.#queue.add(item);
      else journal.drop(item.id);
      const next = fault.retryable ? '; it will be retried' : '';
      warn(`svc: a sign-up was not registered (${reasonOf(fault)})${next}.`);
      return null;
    }
  }

  /** Keeps a registration whose address another user has, while that one may give it up: the uid is the other's. */
  #contest(item: QueuedItem, answer: RegisterAnswer): null {
    const { journal, warn } = this.#options;
    if (isMoving(answer) || this.#storage.list().length > 0) {
      warn('svc: a sign-up waits for an address that another user has.');
      this.#queue.add(item);
      this.#queue.resume();
    } else {
      warn('svc: a sign-up was refused (local_user_id_mismatch): another user has its address.');
      journal.drop(item.id);
    }
    return null;
  }

  async #retry({ at, body }: QueuedItem): Promise<DeliveryFault | null> {
    // Queued bodies are registrations with the time of the first attempt.
    const registration = body as RegisterBody;
    let answer;
    try {
      answer = await this.#send(registration);
      if (isMismatch(answer)) answer = await this.#settle(registration);
    } catch (error) {
      return faultOf(error);
    }
    if (isMismatch(answer)) {
      const isYoung = Date.now() - at < exchangeMsMax;
      if (isMoving(answer) && isYoung) return { retryable: true, waitMs: 0, own: true };
      // The uid is that of another user.
      this.#options.warn('svc: a late registration was refused (local_user_id_mismatch).');
      return null;
    }
    try {
      await this.#options.onRegistered(answer, registration);
      return null;
    } catch (error) {
      this.#options.warn(`svc: onRegistered failed and will be called again: ${String(error)}`);
      return { retryable: true, waitMs: 0, own: true };
    }
  }

  /** Registers all that wait in one call, which settles users who took over addresses of each other. */
  async #settle(registration: RegisterBody): Promise<RegisterAnswer> {
    const registrations = this.#storage.list().map(({ body }) => body);
    const body = { registrations: registrations.slice(0, registrationsPerCall) };
    await call<{ results: unknown }>(this.#options.target, '/members/register/batch', 'results', {
      body,
    });
    return this.#send(registration);
  }

  async #send(body: RegisterBody, timeoutMs?: number): Promise<RegisterAnswer> {
    const { target } = this.#options;
    const limit = timeoutMs === undefined ? {} : { timeoutMs };
    return (await call<RegisterAnswer>(target, '/members/register', 'svc_uid', { body, ...limit }))
      .answer;
  }
}

/** The service accepts 500. */
const registrationsPerCall = 500;

/** Time in which the other user of an exchange may change the address. */
const exchangeMsMax = 3_600_000;

/** True for an address that another user of the platform has. */
function isMismatch({ warnings }: RegisterAnswer): boolean {
  return warnings.some(({ code }) => code === 'local_user_id_mismatch');
}

/** True for a known user whose new address another one has: the two may be exchanging theirs. */
function isMoving({ warnings }: RegisterAnswer): boolean {
  return warnings.some(({ code }) => code === 'email_taken');
}

/** A copy, because the platform may change its object later. Null for a registration that is not JSON. */
function queuedItemOf(registration: RegisterBody): QueuedItem | null {
  const at = Date.now();
  try {
    const body = {
      ...registration,
      requested_at: registration.requested_at ?? new Date(at).toISOString(),
    };
    return { id: newIdentifier(), at, body: JSON.parse(JSON.stringify(body)) as object };
  } catch {
    return null;
  }
}

function faultOf(error: unknown): SvcError {
  return error instanceof SvcError ? error : new SvcError(0, 'unreachable', String(error));
}
