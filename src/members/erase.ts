import type { adminContract } from '../contract/admin.ts';
import type { Answer } from '../contract/route.ts';
import { audit, type Operator } from './audit.ts';
import type { MemberContext } from './context.ts';
import { requireMember } from './find-member.ts';
import { newReceiptId } from './identifiers.ts';
import { instantText } from './instant.ts';
import { homesOf } from './merge.ts';
import { tombstoneOf } from './tombstone.ts';
import { queueWebhook } from './webhooks.ts';

/** Receipt of an erasure, for the user who requested it. */
export type ErasureReceipt = Answer<typeof adminContract.erase>;

/**
 * Erases a member in one transaction: address, local ids, consents, events, sessions. A tombstone that cannot be turned
 * back, event totals and the audit entry stay. Members merged into it are erased with it.
 */
export async function eraseMember(
  context: MemberContext,
  svcUid: string,
  operator: Operator,
): Promise<ErasureReceipt> {
  const receipt = await context.store.write(async (tx) => {
    const member = await requireMember(tx, svcUid);
    const erasedAt = context.now();
    const erased = { memberships: 0, events: 0 };
    const receiptId = newReceiptId();
    // Merged members first: their rows refer to this one.
    for (const home of [...(await homesOf(tx, member))].reverse()) {
      const own = (await tx.members.byId(home))!;
      const email = await tx.members.email(home);
      const { memberships, events } = await tx.erasures.eraseHome(home);
      erased.memberships += memberships;
      erased.events += events;
      await tx.erasures.insert({
        receiptId: home === member.id ? receiptId : newReceiptId(),
        svcUid: own.svcUid,
        realm: own.realm,
        tombstone: tombstoneOf(context, email ?? ''),
        platforms: member.platforms,
        erasedAt,
      });
      // A platform that registered it before the merge knows it by its own uid.
      await queueWebhook(context, tx, 'member.erased', { svc_uid: own.svcUid });
    }
    await tx.members.touchHistory();
    const entry = {
      action: 'member_erased',
      subject: member.svcUid,
      detail: { ...erased, receiptId },
    };
    await audit(context, tx, operator, entry);
    return { receipt_id: receiptId, svc_uid: member.svcUid, erasedAt, ...erased };
  });
  const { erasedAt, ...rest } = receipt;
  return {
    ...rest,
    erased_at: instantText(erasedAt),
    files_overwritten: await context.store.scrub(),
  };
}
