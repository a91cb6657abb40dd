import { isSvcUid } from './identifiers.ts';
import { memberNotFound } from './problem.ts';
import type { FoundMember } from './store/entities.ts';
import type { Awaitable } from './store/operator-tables.ts';
import type { MemberReads } from './store/store.ts';

/** The member of a `svc_uid` from a request; null for none, and for anything that is no `svc_uid`. */
export function findMember(reads: MemberReads, svcUid: unknown): Awaitable<FoundMember | null> {
  return isSvcUid(svcUid) ? reads.members.byUid(svcUid) : null;
}

/** The member that an operator named; 404 `member_not_found` for none. */
export async function requireMember(reads: MemberReads, svcUid: string): Promise<FoundMember> {
  const member = await findMember(reads, svcUid);
  if (member === null) throw memberNotFound();
  return member;
}
