import { audit, type Operator } from './audit.ts';
import type { MemberContext } from './context.ts';
import { requireMember } from './find-member.ts';

/** A member's address in plain text, for an operator; the audit log records it. */
export async function revealEmail(
  context: MemberContext,
  svcUid: string,
  operator: Operator,
): Promise<{ readonly svc_uid: string; readonly email: string | null }> {
  return context.store.write(async (tx) => {
    const member = await requireMember(tx, svcUid);
    const entry = { action: 'address_revealed', subject: member.svcUid };
    await audit(context, tx, operator, entry);
    return { svc_uid: member.svcUid, email: await tx.members.email(member.id) };
  });
}
