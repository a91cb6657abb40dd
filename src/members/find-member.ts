import { isSvcUid } from './identifiers.ts';
import { memberNotFound } from './problem.ts';
import type { FoundMember } from './store/entities.ts';
import type { Awaitable } from './store/operator-tables.ts';
import type { MemberReads } from './store/store.ts';

/** The member with a `svc_uid` from a request; null if there is none, or if the value is not a `svc_uid`. */
export function findMember(reads: MemberReads, svcUid: unknown): Awaitable<FoundMember | null> {
  return isSvcUid(svcUid) ? reads.members.byUid(svcUid) : null;
}

/** The member with the `svc_uid` that an operator gave; 404 `member_not_found` if there is none. */
export async function requireMember(reads: MemberReads, svcUid: string): Promise<FoundMember> {
  const member = await findMember(reads, svcUid);
  if (member === null) throw memberNotFound();
  return member;
}
