import { endMembership, endSessions, registerUser } from './account-calls.ts';
import { AccountStorage, memberOf, userOf } from './account-storage.ts';
import { reasonOf, type Target } from './call.ts';
import type { RegisterAnswer, RegisterBody } from './contract.ts';
import { newIdentifier } from './identifier.ts';
import type { Journal, OutboxEntry } from './journal.ts';
import {
  createQueue,
  within,
  type DeliveryFault,
  type Queue,
  type DeliveryReport,
} from './queue.ts';
import { registerTogether, registrationBatches, registrationSender } from './registration-batch.ts';
import { SvcError } from './svc-error.ts';

interface AccountDeliveryOptions {
  readonly target: Target;
  readonly journal: Journal;
  readonly warn: (text: string) => void;
  readonly countMax: number;
  readonly onRegistered: (
    answer: RegisterAnswer,
    registration: RegisterBody,
  ) => void | Promise<void>;
  readonly onRefused: (registration: RegisterBody, code: string) => void | Promise<void>;
}

/**
 * Registers users, and ends memberships and sessions: at once if possible, else later and in order. A caller waits for one
 * attempt only.
 */
export class AccountDelivery {
  readonly #options: AccountDeliveryOptions;
  readonly #storage: AccountStorage;
  readonly #queue: Queue<OutboxEntry>;
  readonly #firstAttempts = new Set<Promise<unknown>>();
  /** Times until which calls of a kind are not sent, because the key lacks their scope. */
  readonly #unscopedUntil = new Map<OutboxEntry['kind'], number>();
  #delivered = 0;

  constructor(options: AccountDeliveryOptions) {
    const { journal, countMax, warn } = options;
    this.#options = options;
    this.#storage = new AccountStorage(journal);
    this.#queue = createQueue({
      shelf: this.#storage,
      batchMax,
      batchBytesMax: Infinity,
      countMax,
      failuresMax: Infinity,
      send: (batch) => this.#send(batch),
      onLost: ({ kind }, fault) =>
        warn(
          fault === null
            ? `svc: ${callNames[kind]} was dropped: more than ${countMax} calls are waiting.`
            : `svc: ${callNames[kind]} was refused for good when it was sent again.`,
        ),
    });
  }

  async register(registration: RegisterBody, timeoutMs: number): Promise<RegisterAnswer | null> {
    const entry = registrationEntry(registration);
    if (entry === null) {
      this.#options.warn('svc: a registration is not JSON and was not sent.');
      return null;
    }
    return this.#attempt(entry, async () => {
      const answer = await this.#register(entry, timeoutMs);
      return isMismatch(answer) ? this.#contest(entry, answer) : answer;
    });
  }

  /** Resolves true once the membership has ended. Drops earlier calls of the user, which would register them again. */
  leave(localUserId: string, timeoutMs: number): Promise<boolean> {
    const body = { local_user_id: localUserId, requested_at: new Date().toISOString() };
    return this.#end(entryOf('leave', body), (each) => userOf(each) === localUserId, timeoutMs);
  }

  /** Resolves true once the sessions of a member have ended. */
  endSessions(svcUid: string, timeoutMs: number): Promise<boolean> {
    const entry = entryOf('sessions', { svc_uid: svcUid });
    return this.#end(entry, (each) => memberOf(each) === svcUid, timeoutMs);
  }

  waiting(): ReturnType<AccountStorage['waiting']> {
    return this.#storage.waiting();
  }

  async flush(timeoutMs: number): Promise<DeliveryReport> {
    this.#unscopedUntil.clear();
    const { pending } = await this.#queue.flush(timeoutMs);
    return { delivered: this.#delivered, pending };
  }

  async close(timeoutMs: number): Promise<DeliveryReport> {
    const startedAt = Date.now();
    // First attempts queue the calls that fail.
    await within(Promise.all(this.#firstAttempts), timeoutMs);
    const remainingMs = Math.max(0, startedAt + timeoutMs - Date.now());
    const { pending } = await this.#queue.close(remainingMs);
    return { delivered: this.#delivered, pending: pending + this.#firstAttempts.size };
  }

  async #end(
    entry: OutboxEntry,
    isReplaced: (entry: OutboxEntry) => boolean,
    timeoutMs: number,
  ): Promise<boolean> {
    const replaced = this.#storage.list().filter(isReplaced);
    const done = this.#attempt(entry, async () => {
      await this.#sendEnd(entry, timeoutMs);
      return true;
    });
    // The new one is stored by now.
    for (const { id } of replaced) this.#storage.drop(id);
    return (await done) ?? false;
  }

  /** Sends a call for the first time. Null if it is queued, or refused for good. */
  #attempt<Answer>(entry: OutboxEntry, send: () => Promise<Answer | null>): Promise<Answer | null> {
    // Stored before the attempt, so that it survives a process that is killed.
    this.#options.journal.put(entry);
    this.#storage.beginFirstAttempt(entry);
    const attempt = this.#tryOnce(entry, send).finally(() => {
      this.#storage.endFirstAttempt(entry);
      this.#firstAttempts.delete(attempt);
    });
    this.#firstAttempts.add(attempt);
    return attempt;
  }

  async #tryOnce<Answer>(
    entry: OutboxEntry,
    send: () => Promise<Answer | null>,
  ): Promise<Answer | null> {
    const { journal, warn } = this.#options;
    try {
      if (this.#waitsForLeave(entry)) throw new SvcError(0, 'leave_waits', '');
      const answer = await send();
      if (answer === null) return null;
      journal.drop(entry.id);
      this.#queue.resume();
      return answer;
    } catch (error) {
      const fault = faultOf(error);
      const isOver = !fault.retryable && (await this.#isReported(entry, fault.code));
      if (isOver) journal.drop(entry.id);
      else this.#queue.add(entry);
      const next = isOver ? '' : '; it will be retried';
      warn(`svc: ${callNames[entry.kind]} failed (${reasonOf(fault)})${next}.`);
      return null;
    }
  }

  /** Keeps a registration whose address another user has, while that one may give it up: the uid is the other's. */
  async #contest(entry: OutboxEntry, answer: RegisterAnswer): Promise<null> {
    const { journal, warn } = this.#options;
    if (isMoving(answer) || this.#storage.list().length > 0) {
      warn('svc: a sign-up waits for an address that another user has.');
      this.#queue.add(entry);
      this.#queue.resume();
    } else {
      warn(`svc: a sign-up was refused (${mismatch}): another user has its address.`);
      if (await this.#isReported(entry, mismatch)) journal.drop(entry.id);
      else this.#queue.add(entry);
    }
    return null;
  }

  /** Reports that a registration was refused for good; false if it must be reported again. */
  async #isReported({ kind, body }: OutboxEntry, code: string): Promise<boolean> {
    if (kind !== 'registration') return true;
    try {
      // An entry of this kind contains a registration.
      await this.#options.onRefused(body as RegisterBody, code);
      return true;
    } catch (error) {
      this.#options.warn(`svc: onRefused failed and will be called again: ${String(error)}`);
      return false;
    }
  }

  /** Sends calls one by one. A fault that is not of one call alone is that of all calls after it, which are not sent. */
  async #send(batch: readonly OutboxEntry[]): Promise<readonly (DeliveryFault | null)[]> {
    const faults: (DeliveryFault | null)[] = [];
    let common: DeliveryFault | null = null;
    for (const entry of batch) {
      const fault: DeliveryFault | null = common ?? (await this.#deliver(entry));
      if (fault?.retryable && !fault.own) common = fault;
      faults.push(fault);
    }
    return faults;
  }

  /** Sends a call that no leave has replaced meanwhile. Once settled, it no longer waits. */
  async #deliver(entry: OutboxEntry): Promise<DeliveryFault | null> {
    if (!this.#storage.has(entry.id)) return null;
    const fault = await this.#retry(entry);
    if (fault === null) this.#delivered++;
    if (!fault?.retryable) this.#storage.drop(entry.id);
    return fault;
  }

  async #retry(entry: OutboxEntry): Promise<DeliveryFault | null> {
    const { kind } = entry;
    if (this.#waitsForLeave(entry) || Date.now() < (this.#unscopedUntil.get(kind) ?? 0)) {
      return { retryable: true, waitMs: 0, own: true };
    }
    try {
      if (kind === 'registration') return await this.#retryRegistration(entry);
      await this.#sendEnd(entry);
      return null;
    } catch (error) {
      const fault = faultOf(error);
      if (!fault.retryable && !(await this.#isReported(entry, fault.code))) return unreported;
      if (kind === 'registration' || fault.code !== 'insufficient_scope') return fault;
      this.#unscopedUntil.set(kind, Date.now() + unscopedMs);
      return { retryable: true, waitMs: fault.waitMs, own: true };
    }
  }

  async #retryRegistration(entry: OutboxEntry): Promise<DeliveryFault | null> {
    let answer = await this.#register(entry);
    if (isMismatch(answer)) {
      const fault = await this.#settle(entry);
      if (fault !== null) return fault;
      answer = await this.#register(entry);
    }
    if (isMismatch(answer)) {
      const isYoung = Date.now() - entry.at < exchangeMsMax;
      if (isMoving(answer) && isYoung) return { retryable: true, waitMs: 0, own: true };
      // The uid is that of another user.
      this.#options.warn(`svc: a late registration was refused (${mismatch}).`);
      return (await this.#isReported(entry, mismatch)) ? null : unreported;
    }
    try {
      // An entry of this kind contains a registration.
      await this.#options.onRegistered(answer, entry.body as RegisterBody);
      return null;
    } catch (error) {
      this.#options.warn(`svc: onRegistered failed and will be called again: ${String(error)}`);
      return { retryable: true, waitMs: 0, own: true };
    }
  }

  /**
   * Registers it in one call with others that wait, which settles users who took over addresses of each other. Returns the
   * fault if that must be repeated. A refusal of the whole call is none of this registration.
   */
  async #settle(entry: OutboxEntry): Promise<DeliveryFault | null> {
    const others = this.#storage
      .list()
      .filter(({ id, kind }) => kind === 'registration' && id !== entry.id);
    const bodies = [entry, ...others].map(({ body }) => body);
    const [batch = []] = registrationBatches(bodies);
    try {
      await registerTogether(batch, registrationSender(this.#options.target));
      return null;
    } catch (error) {
      const { retryable, waitMs } = faultOf(error);
      return retryable ? { retryable, waitMs, own: true } : null;
    }
  }

  #register({ body }: OutboxEntry, timeoutMs?: number): Promise<RegisterAnswer> {
    return registerUser(this.#options.target, body, timeoutMs);
  }

  #sendEnd({ kind, body }: OutboxEntry, timeoutMs?: number): Promise<void> {
    const send = kind === 'leave' ? endMembership : endSessions;
    return send(this.#options.target, body, timeoutMs);
  }

  /** True while an earlier leave of the user waits: it would end what a later registration began. */
  #waitsForLeave(entry: OutboxEntry): boolean {
    const user = userOf(entry);
    return entry.kind === 'registration' && user !== null && this.#storage.isLeaving(user);
  }
}

/** Calls for which the queue lists its storage once. Each is sent alone, so that `onRegistered` is called at once. */
const batchMax = 100;

/** Names of the calls for the log. */
const callNames: Readonly<Record<OutboxEntry['kind'], string>> = {
  registration: 'a registration',
  leave: 'the end of a membership',
  sessions: 'the end of sessions',
  event: 'an event',
};

const mismatch = 'local_user_id_mismatch';

/** Fault of a refused registration that must be reported again. */
const unreported: DeliveryFault = { retryable: true, waitMs: 0, own: true };

/** Time in which the other user of an exchange may change the address. */
const exchangeMsMax = 3_600_000;

/** Time in which a missing scope is not tried again. */
const unscopedMs = 1_000;

/** True for an address that another user of the platform has. */
function isMismatch({ warnings }: RegisterAnswer): boolean {
  return warnings.some(({ code }) => code === mismatch);
}

/** True for a known user whose new address another one has: the two may be exchanging theirs. */
function isMoving({ warnings }: RegisterAnswer): boolean {
  return warnings.some(({ code }) => code === 'email_taken');
}

function entryOf(kind: OutboxEntry['kind'], body: object): OutboxEntry {
  return { id: newIdentifier(), at: Date.now(), kind, body };
}

/** A copy, because the platform may change its object later. Null for a registration that is not JSON. */
function registrationEntry(registration: RegisterBody): OutboxEntry | null {
  const requestedAt = registration.requested_at ?? new Date().toISOString();
  const body = { ...registration, requested_at: requestedAt };
  try {
    return entryOf('registration', JSON.parse(JSON.stringify(body)) as object);
  } catch {
    return null;
  }
}

function faultOf(error: unknown): SvcError {
  return error instanceof SvcError ? error : new SvcError(0, 'unreachable', String(error));
}
