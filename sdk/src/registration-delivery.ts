import { call, reasonOf, type Target } from './call.ts';
import type { RegisterAnswer, RegisterBody } from './contract.ts';
import { newIdentifier } from './identifier.ts';
import { journalShelf, type Journal } from './journal.ts';
import { createQueue, within, type Fault, type Kept, type Queue, type Report } from './queue.ts';
import { SvcError } from './svc-error.ts';

export interface RegistrationDeliveryOptions {
  readonly target: Target;
  readonly journal: Journal;
  readonly warn: (text: string) => void;
  readonly countMax: number;
  readonly onRegistered: (
    answer: RegisterAnswer,
    registration: RegisterBody,
  ) => void | Promise<void>;
}

/** Registers at once where that is possible, and later where it is not: a sign-up never waits for more than one try. */
export class RegistrationDelivery {
  readonly #options: RegistrationDeliveryOptions;
  readonly #queue: Queue;
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(options: RegistrationDeliveryOptions) {
    const { journal, countMax, warn } = options;
    this.#options = options;
    this.#queue = createQueue({
      shelf: journalShelf(journal, 'registration'),
      // One answer each, so that a member is told of as soon as it is there.
      batchMax: 1,
      batchBytesMax: Infinity,
      countMax,
      failuresMax: Infinity,
      send: ([kept]) => this.#retry(kept!).then((fault) => [fault]),
      onLost: (_, fault) =>
        warn(
          fault === null
            ? `svc: a registration is given up: more than ${countMax} wait.`
            : 'svc: a late registration was refused for good.',
        ),
    });
  }

  register(registration: RegisterBody, timeoutMs: number): Promise<RegisterAnswer | null> {
    const first = this.#first(registration, timeoutMs);
    this.#underWay.add(first);
    return first.finally(() => this.#underWay.delete(first));
  }

  flush(timeoutMs: number): Promise<Report> {
    return this.#queue.flush(timeoutMs);
  }

  async close(timeoutMs: number): Promise<Report> {
    const startedAt = Date.now();
    // First tries leave behind what failed.
    await within(Promise.all(this.#underWay), timeoutMs);
    const leftMs = Math.max(0, startedAt + timeoutMs - Date.now());
    const { delivered, pending } = await this.#queue.close(leftMs);
    return { delivered, pending: pending + this.#underWay.size };
  }

  async #first(registration: RegisterBody, timeoutMs: number): Promise<RegisterAnswer | null> {
    const { journal, warn } = this.#options;
    const kept = keep(registration);
    if (kept === null) {
      warn('svc: a registration is no JSON and was not sent.');
      return null;
    }
    // Before the try: a process that is killed during it leaves it behind.
    journal.put({ ...kept, kind: 'registration' });
    try {
      const answer = await this.#send(registration, timeoutMs);
      journal.drop(kept.id);
      this.#queue.resume();
      return answer;
    } catch (error) {
      const fault = faultOf(error);
      if (fault.retryable) this.#queue.add(kept);
      else journal.drop(kept.id);
      const next = fault.retryable ? '; it is tried again' : '';
      warn(`svc: a sign-up was not registered (${reasonOf(fault)})${next}.`);
      return null;
    }
  }

  async #retry({ body }: Kept): Promise<Fault | null> {
    // What was kept is a registration with the time of its first try.
    const registration = body as RegisterBody;
    let answer;
    try {
      answer = await this.#send(registration);
    } catch (error) {
      return faultOf(error);
    }
    try {
      await this.#options.onRegistered(answer, registration);
      return null;
    } catch (error) {
      this.#options.warn(`svc: onRegistered failed and is called again: ${String(error)}`);
      return { retryable: true, waitMs: 0, own: true };
    }
  }

  async #send(body: RegisterBody, timeoutMs?: number): Promise<RegisterAnswer> {
    const { target } = this.#options;
    const time = timeoutMs === undefined ? {} : { timeoutMs };
    return (await call<RegisterAnswer>(target, '/members/register', 'svc_uid', { body, ...time }))
      .answer;
  }
}

/** As it is now: the platform may change its object later. Null for what is no JSON. */
function keep(registration: RegisterBody): Kept | null {
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
