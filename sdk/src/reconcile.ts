import { call, reasonOf, type Target } from './call.ts';
import type { ReconcileAnswer, RegisterAnswer, RegisterBody } from './contract.ts';
import { registerTogether, registrationBatches, registrationSender } from './registration-batch.ts';
import { SvcError } from './svc-error.ts';

/** A user with the time since which the address is theirs: a user who left or was erased later stays so. */
export interface DatedRegistration extends RegisterBody {
  readonly requested_at: string;
}

/** Counts of users: compared, unknown to the service by their address and id, and registered by `reconcile`. */
export interface ReconcileReport {
  readonly checked: number;
  readonly missing: number;
  readonly registered: number;
}

interface ReconcileOptions {
  readonly target: Target;
  readonly timeoutMs: number;
  readonly warn: (text: string) => void;
  readonly onRegistered: (
    answer: RegisterAnswer,
    registration: RegisterBody,
  ) => void | Promise<void>;
}

/** Registers those of a platform's users that the service lacks. Ends with a warning at the first call that fails. */
export async function reconcileUsers(
  { target, timeoutMs, warn, onRegistered }: ReconcileOptions,
  users: Iterable<DatedRegistration> | AsyncIterable<DatedRegistration>,
): Promise<ReconcileReport> {
  const report = { checked: 0, missing: 0, registered: 0 };
  const send = registrationSender(target, timeoutMs);
  const refusals = new Map<string, number>();
  const count = (code: string, userCount: number) =>
    refusals.set(code, (refusals.get(code) ?? 0) + userCount);

  /** Returns the registrations whose address another user has. */
  async function register(
    registrations: readonly DatedRegistration[],
  ): Promise<DatedRegistration[]> {
    const contested: DatedRegistration[] = [];
    for (const batch of registrationBatches(registrations)) {
      const results = await registerTogether(batch, (users) => patiently(() => send(users)));
      for (const [at, registration] of batch.entries()) {
        const result = results[at]!;
        if (!('svc_uid' in result)) {
          count(result.code, 1);
        } else if (isWarned(result, 'local_user_id_mismatch')) {
          contested.push(registration);
        } else {
          report.registered += Number(!isWarned(result, 'registration_outdated'));
          await save(result, registration);
        }
      }
    }
    return contested;
  }

  async function save(answer: RegisterAnswer, registration: RegisterBody): Promise<void> {
    try {
      await onRegistered(answer, registration);
    } catch (error) {
      warn(`svc: onRegistered failed for a reconciled user: ${String(error)}`);
    }
  }

  try {
    let contested: DatedRegistration[] = [];
    for await (const all of batchesOf(users, hashesPerCall)) {
      // Without a time a registration counts as made now, and would register again who has left.
      const batch = all.filter(({ requested_at: at }) => !Number.isNaN(Date.parse(at)));
      count('no_requested_at', all.length - batch.length);
      const missing = await missingOf(target, batch, timeoutMs);
      report.checked += batch.length;
      report.missing += missing.length;
      contested.push(...(await register(missing)));
    }
    // Users who took over addresses of each other: each round frees some.
    for (let count = Infinity; contested.length > 0 && contested.length < count;) {
      count = contested.length;
      contested = await register(contested);
    }
    count('local_user_id_mismatch', contested.length);
  } catch (error) {
    warn(`svc: users were not reconciled to the end (${reasonOf(error)}).`);
  }
  for (const [code, userCount] of refusals) {
    if (userCount > 0) warn(`svc: ${userCount} users were not registered by reconcile (${code}).`);
  }
  return report;
}

async function missingOf(
  target: Target,
  users: readonly DatedRegistration[],
  timeoutMs: number,
): Promise<readonly DatedRegistration[]> {
  const hashes = await Promise.all(users.map(({ email }) => addressHash(email)));
  const body = { hashes, local_user_ids: users.map((user) => String(user.local_user_id)) };
  const { answer } = await patiently(() =>
    call<ReconcileAnswer>(target, '/members/reconcile', 'missing', { body, timeoutMs }),
  );
  if (!Array.isArray(answer.missing)) throw new SvcError(0, 'unreachable', '');
  const missing = new Set(answer.missing);
  return users.filter((_, at) => missing.has(hashes[at]!));
}

function isWarned({ warnings }: RegisterAnswer, warned: string): boolean {
  return warnings.some(({ code }) => code === warned);
}

/** Hash of an address as the service writes it. An unusual one counts as missing: registering it again is harmless. */
/** Hash of an address; a row of a database may lack it. */
async function addressHash(email: unknown): Promise<string> {
  const bytes = new TextEncoder().encode(String(email).trim().toLowerCase());
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Repeats a call after each wait that the service requires: many users need more calls than it accepts in a minute. */
async function patiently<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof SvcError) || error.code !== 'rate_limited') throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.max(error.waitMs, 1_000)));
    }
  }
}

async function* batchesOf<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  size: number,
): AsyncGenerator<readonly Item[]> {
  let batch: Item[] = [];
  for await (const item of items) {
    if (batch.push(item) < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** The service accepts 7,000, which take a while. */
const hashesPerCall = 1_000;
