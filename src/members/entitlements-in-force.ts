import type { MemberContext } from './context.ts';
import { memberLimits } from './limits.ts';
import type { Entitlement, EntitlementPolicy, Member } from './store/entities.ts';
import type { Awaitable } from './store/operator-tables.ts';
import type { MemberReads } from './store/store.ts';

/**
 * Codes that a member has now by its tier and by grants, sorted and without repetitions. They are computed at each
 * call, so no grant ends late. A member without grants takes no statement, and its codes are returned synchronously.
 */
export function codesInForce(
  { now }: Pick<MemberContext, 'now'>,
  reads: MemberReads,
  member: Pick<Member, 'id' | 'tier' | 'entitled'>,
  policy: EntitlementPolicy,
): Awaitable<readonly string[]> {
  const defaults = tierCodes(policy, member.tier);
  return member.entitled === 0 ? defaults : withGrants(reads, member.id, now(), defaults);
}

async function withGrants(
  reads: MemberReads,
  memberId: number,
  at: number,
  defaults: readonly string[],
): Promise<readonly string[]> {
  const grants = await grantsAt(reads, memberId, at);
  return [...new Set([...defaults, ...grants.map(({ code }) => code)])].sort();
}

/** Grants in force at a moment, by code. */
export async function grantsAt(
  { entitlements }: MemberReads,
  memberId: number,
  at: number,
): Promise<readonly Entitlement[]> {
  return entitlements.at(memberId, at, memberLimits.pageMax);
}

/** Codes that a tier has by default. */
export function tierCodes({ tiers }: EntitlementPolicy, tier: string): readonly string[] {
  return Object.hasOwn(tiers, tier) ? tiers[tier]! : [];
}
