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
 * Up to 500 registrations. Each is refused or done by itself, with its result in its place. Users who have taken over
 * each other’s addresses are registered in the order in which these become free: none of them finds one taken.
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
  const refused = [...answers.keys()].filter((at) => isMismatch(answers[at]!));
  if (refused.length === 0) return answers;
  const pending = new Map<string, Pending>();
  for (const at of refused) {
    const body = bodies[at]!;
    const platform = await requirePlatform(context, caller, body['platform']);
    const registration = await registrationOf(context, platform, body);
    pending.set(keyOf(platform, registration.localUserId!), { at, platform, registration });
  }
  const unsettled = new Set(pending.values());
  for (const first of pending.values()) {
    if (!unsettled.has(first)) continue;
    const path = new Set<Pending>();
    const settlement = settle(context, caller, { first, pending, unsettled, path });
    const settled = await resultOrProblem(settlement);
    for (const each of path) unsettled.delete(each);
    if (settled instanceof Problem) continue;
    for (const [{ at }, answer] of settled) answers[at] = answer;
  }
  return answers;
}

/** A registration whose address another user of the platform has. */
interface Pending {
  readonly at: number;
  readonly platform: Platform;
  readonly registration: Registration;
}

type Settlement = ReadonlyMap<Pending, RegisterAnswer | Problem>;

interface Settling {
  readonly first: Pending;
  readonly pending: ReadonlyMap<string, Pending>;
  readonly unsettled: ReadonlySet<Pending>;
  /** Receives the registrations that were settled together. */
  readonly path: Set<Pending>;
}

/**
 * Registers a user after the ones who have the address before. Where these form a circle, one link is moved aside first.
 * All of it is done, or nothing.
 */
async function settle(
  context: MemberContext,
  caller: KeyCaller,
  { first, pending, unsettled, path }: Settling,
): Promise<Settlement> {
  const operator = operatorFor(caller);
  return context.store.write(async (tx) => {
    // The work may run again.
    path.clear();
    let next: Pending | undefined = first;
    while (next !== undefined && unsettled.has(next) && !path.has(next)) {
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
    const settled = new Map<Pending, RegisterAnswer | Problem>();
    for (const each of order) {
      const done = registerIn(tx, context, operator, each.platform, each.registration);
      // A circle that stays open would leave a link aside.
      settled.set(each, circle.includes(each) ? await done : await resultOrProblem(done));
    }
    return settled;
  });
}

/** The local id of the link that has the address. */
async function holderOf(
  tx: MemberTransaction,
  { platform, registration }: Pending,
): Promise<string | null> {
  const member = await tx.members.byAddress(platform, emailHash(registration.email));
  const link = member && (await tx.memberships.at(member.homeId, platform.id));
  return link?.localUserId ?? null;
}

/** True if each user of a circle has a link that is older than the registration. */
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
