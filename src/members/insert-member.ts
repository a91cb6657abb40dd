import type { MemberContext } from './context.ts';
import { newSvcUid } from './identifiers.ts';
import type { FoundMember, NewAddress, Platform } from './store/entities.ts';
import type { MemberTransaction } from './store/store.ts';

/**
 * Inserts the member of an address that a platform registers. If `isGivenUp`, only the member’s own links find it by
 * the address.
 */
export async function insertMember(
  context: MemberContext,
  tx: MemberTransaction,
  { id: platformId, realm }: Platform,
  { email, emailHash, isGivenUp }: NewAddress,
): Promise<FoundMember> {
  const member = {
    svcUid: newSvcUid(),
    realm,
    tier: firstTier,
    platforms: 1 << platformId,
    createdAt: context.now(),
  };
  const id = await tx.members.insert({ ...member, email, emailHash, isGivenUp });
  const state = { status: 'active', epoch: 0, mergedInto: null, entitled: 0 } as const;
  return { ...member, ...state, id, homeId: id };
}

const firstTier = 'BRONZE';
