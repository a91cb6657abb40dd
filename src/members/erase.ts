import type { adminContract } from '../contract/admin.ts';
import type { Answer } from '../contract/route.ts';
import { audit, type Operator } from './audit.ts';
import type { MemberContext } from './context.ts';
import { emailHash } from './email.ts';
import { requireMember } from './find-member.ts';
import { newReceiptId } from './identifiers.ts';
import { instantText } from './instant.ts';
import { homesOf } from './homes.ts';
import { homeAddress, noteRelease } from './released-address.ts';
import type { Member } from './store/entities.ts';
import type { MemberTransaction } from './store/store.ts';
import { noteDeparture, tombstoneOf } from './tombstone.ts';
import { queueWebhook } from './webhooks.ts';

/** Receipt of an erasure, for the user who requested it. */
export type ErasureReceipt = Answer<typeof adminContract.erase>;

/**
 * Erases a member in one transaction: address, local ids, consents, events, sessions. The totals of events, the audit
 * entry and a tombstone that does not reveal the address stay. Members merged into it are erased with it.
 */
export async function eraseMember(
  context: MemberContext,
  svcUid: string,
  operator: Operator,
): Promise<ErasureReceipt> {
  const receipt = await context.store.write(async (tx) => {
    const member = await requireMember(tx, svcUid);
    await releaseAddresses(context, tx, member);
    const requested = { refusesAddress: true };
    const { receiptId, ...erased } = await eraseInTransaction(context, tx, member, requested);
    const detail = { memberships: erased.memberships, events: erased.events, receiptId };
    const entry = { action: 'member_erased', subject: member.svcUid, detail };
    await audit(context, tx, operator, entry);
    return { receipt_id: receiptId, svc_uid: member.svcUid, ...erased };
  });
  const { erasedAt, ...rest } = receipt;
  return {
    ...rest,
    erased_at: instantText(erasedAt),
    files_overwritten: (await context.store.scrub()) === 'overwritten',
    backups_gone_at: backupsGoneAt(context, erasedAt),
  };
}

/** Time by which the last backup with the erased data is gone; null if the operator states no life of backups. */
function backupsGoneAt({ backupDays = 0 }: MemberContext, erasedAt: number): string | null {
  return backupDays === 0 ? null : instantText(erasedAt + backupDays * 86_400_000);
}

/**
 * Erases a member and those merged into it; the caller writes the audit entry. With `refusesAddress`, registrations of
 * its addresses from before `erasedAt` are refused. The address of a member that was closed may already have its next
 * owner, so it is not refused. `informed` is the mask of the platforms that receive `member.erased`.
 */
export async function eraseInTransaction(
  context: MemberContext,
  tx: MemberTransaction,
  member: Member,
  {
    erasedAt = context.now(),
    refusesAddress = false,
    informed = member.platforms,
  }: {
    readonly erasedAt?: number;
    readonly refusesAddress?: boolean;
    readonly informed?: number;
  } = {},
): Promise<Erasure> {
  const receiptId = newReceiptId();
  let [memberships, events] = [0, 0];
  for (const link of await tx.memberships.of(member.id)) {
    await noteDeparture(context, tx, link, erasedAt);
  }
  // Merged members first: their rows refer to this one.
  for (const home of [...(await homesOf(tx, member))].reverse()) {
    const own = (await tx.members.byId(home))!;
    const email = refusesAddress ? await currentEmail(tx, own) : null;
    const erased = await tx.erasures.eraseHome(home);
    memberships += erased.memberships;
    events += erased.events;
    await tx.erasures.insert({
      receiptId: home === member.id ? receiptId : newReceiptId(),
      svcUid: own.svcUid,
      realm: own.realm,
      tombstone: tombstoneOf(context, email ?? ''),
      platforms: member.platforms,
      erasedAt,
    });
    // A platform that registered it before the merge knows it by its own uid.
    await queueWebhook(
      context,
      tx,
      'member.erased',
      { platforms: informed },
      { svc_uid: own.svcUid },
    );
  }
  await tx.members.touchHistory();
  return { receiptId, erasedAt, memberships, events };
}

/** Address of a member; null if the member gave it up, since it may be the next owner’s now. */
async function currentEmail(
  { members }: MemberTransaction,
  { id, realm }: Member,
): Promise<string | null> {
  const email = await members.email(id);
  const holder = email && (await members.byEmail(realm, emailHash(email)));
  return holder && holder.homeId === id ? email : null;
}

/** Records that the addresses of a member are free for their next owners. */
async function releaseAddresses(
  context: MemberContext,
  tx: MemberTransaction,
  member: Member,
): Promise<void> {
  for (const link of await tx.memberships.of(member.id)) {
    const address = await homeAddress(tx, member, link);
    if (address !== null) await noteRelease(context, tx, member, link, address, context.now());
  }
}

interface Erasure {
  readonly receiptId: string;
  readonly erasedAt: number;
  readonly memberships: number;
  readonly events: number;
}
