import type { JsonObject } from '../kernel/json-object.ts';
import { Problem } from '../kernel/problem.ts';
import { refuseOversized, resultOrProblem } from './batch.ts';
import type { MemberContext } from './context.ts';
import { emailHash } from './email.ts';
import { requirePlatform, type KeyCaller } from './keys.ts';
import { memberLimits } from './limits.ts';
import {
  isOlderThanAddress,
  linkByLocalUserId,
  operatorFor,
  register,
  registerIn,
  registrationOf,
  type RegisterAnswer,
} from './register.ts';
import type { Registration } from './registration.ts';
import { moveAside } from './release-address.ts';
import type { Platform } from './store/entities.ts';
import type { MemberTransaction } from './store/store.ts';

/**
 * Registers up to 500 users, each independently of the others; the results are in the order of the bodies. Users who
 * took over each other’s addresses are registered in the order in which the addresses become free.
 */
export async function registerBatch(
  context: MemberContext,
  caller: KeyCaller,
  bodies: readonly JsonObject[],
): Promise<readonly (RegisterAnswer | Problem)[]> {
  refuseOversized(bodies.length, memberLimits.registrationsPerBatchMax);
  const answers = await Promise.all(
    bodies.map((body) => resultOrProblem(register(context, caller, body))),
  );
  const mismatched = [...answers.keys()].filter((at) => isMismatch(answers[at]!));
  if (mismatched.length === 0) return answers;
  const pending = new Map<string, Pending>();
  for (const at of mismatched) {
    const body = bodies[at]!;
    const platform = await requirePlatform(context, caller, body['platform']);
    const registration = await registrationOf(context, platform, body);
    pending.set(keyOf(platform, registration.localUserId!), { at, platform, registration });
  }
  const untried = new Set(pending.values());
  for (const first of pending.values()) {
    if (!untried.has(first)) continue;
    const path = new Set<Pending>();
    const registering = registerAfterHolders(context, caller, { first, pending, untried, path });
    const results = await resultOrProblem(registering);
    for (const each of path) untried.delete(each);
    if (results instanceof Problem) continue;
    for (const [{ at }, answer] of results) answers[at] = answer;
  }
  return answers;
}

/** A registration whose address another user of the platform has. */
interface Pending {
  readonly at: number;
  readonly platform: Platform;
  readonly registration: Registration;
}

type Results = ReadonlyMap<Pending, RegisterAnswer | Problem>;

/** A chain of registrations: each next one is by the user who still has the address of the one before. */
interface Chain {
  readonly first: Pending;
  readonly pending: ReadonlyMap<string, Pending>;
  readonly untried: ReadonlySet<Pending>;
  /** Receives the registrations of the chain. */
  readonly path: Set<Pending>;
}

/**
 * Registers the users of a chain from its end, each after the user who still has the address. If the chain is a circle,
 * one of its links is moved aside first. All of it is one transaction.
 */
async function registerAfterHolders(
  context: MemberContext,
  caller: KeyCaller,
  { first, pending, untried, path }: Chain,
): Promise<Results> {
  const operator = operatorFor(caller);
  return context.store.write(async (tx) => {
    // The work may run again.
    path.clear();
    let next: Pending | undefined = first;
    while (next !== undefined && untried.has(next) && !path.has(next)) {
      path.add(next);
      const holder = await holderOf(tx, next);
      next = holder === null ? undefined : pending.get(keyOf(next.platform, holder));
    }
    const order = [...path].reverse();
    const isCircle = next !== undefined && path.has(next);
    const circle = isCircle ? order.slice(0, order.indexOf(next!) + 1) : [];
    if (isCircle && !(await canMove(tx, circle))) return new Map();
    if (isCircle) {
      const link = (await linkByLocalUserId(tx, next!.platform, next!.registration))!;
      const addressedAt = link.addressedAt ?? link.linkedAt;
      const releasedAt = next!.registration.requestedAt ?? context.now();
      const facts = { verified: link.verified, addressedAt, releasedAt };
      await moveAside(context, tx, operator, next!.platform, link, facts);
    }
    const results = new Map<Pending, RegisterAnswer | Problem>();
    for (const each of order) {
      const answer = registerIn(tx, context, operator, each.platform, each.registration);
      // A refusal within a circle undoes all, since one link would stay aside.
      results.set(each, circle.includes(each) ? await answer : await resultOrProblem(answer));
    }
    return results;
  });
}

/** The local id of the link that has the address. */
async function holderOf(
  tx: MemberTransaction,
  { platform, registration }: Pending,
): Promise<string | null> {
  const found = await tx.memberships.byAddress(platform, emailHash(registration.email));
  return found?.link?.localUserId ?? null;
}

/** True if each user of a circle has a link with an address older than the registration. */
async function canMove(tx: MemberTransaction, circle: readonly Pending[]): Promise<boolean> {
  for (const { platform, registration } of circle) {
    const link = await linkByLocalUserId(tx, platform, registration);
    if (link === null || isOlderThanAddress(registration.requestedAt, link)) return false;
  }
  return true;
}

function isMismatch(answer: RegisterAnswer | Problem): boolean {
  if (answer instanceof Problem) return false;
  return answer.warnings.some(({ code }) => code === 'local_user_id_mismatch');
}

function keyOf({ id }: Platform, localUserId: string): string {
  return `${id} ${localUserId}`;
}
