import type { adminContract } from '../contract/admin.ts';
import type { Answer } from '../contract/route.ts';
import { audit, type Operator } from './audit.ts';
import type { MemberContext } from './context.ts';
import { requireMember } from './find-member.ts';
import { eraseInTransaction } from './erase.ts';
import { homesOf } from './homes.ts';
import { memberLimits } from './limits.ts';
import { Problem } from '../kernel/problem.ts';
import { endSessions } from './account-status.ts';
import type { Member } from './store/entities.ts';
import type { MemberReads, MemberTransaction } from './store/store.ts';

/** Effect of a merge or split, or the effect that a dry run predicts. */
export type MergePlan = Answer<typeof adminContract.merge>;

/**
 * Merges two members: the memberships and uids of both then lead to `into`. Events stay on memberships, so a split
 * restores everything. Sessions of `from` end. Members with accounts on one platform may be two people, so their merge is
 * refused unless the operator states that they are one (`isSamePerson`).
 */
export async function mergeMembers(
  context: MemberContext,
  {
    from,
    into,
    dryRun,
    isSamePerson = false,
  }: {
    readonly from: string;
    readonly into: string;
    readonly dryRun: boolean;
    readonly isSamePerson?: boolean;
  },
  operator: Operator,
): Promise<MergePlan> {
  const planWith = async (reads: MemberReads) => {
    const planned = await planMerge(context, reads, from, into);
    const shared = planned.fromMember.platforms & planned.intoMember.platforms;
    if (shared !== 0 && !isSamePerson) throw await twoAccounts(context, shared);
    return planned;
  };
  if (dryRun) return (await planWith(context.store.read)).plan;
  return context.store.write(async (tx) => {
    const { plan, fromMember, intoMember } = await planWith(tx);
    const homes = await homesOf(tx, fromMember);
    for (const home of homes) await tx.merges.moveHome(home, intoMember.id);
    await tx.members.refreshPlatforms(intoMember.id);
    await tx.entitlements.mark(intoMember.id, context.now());
    await endSessions(context, tx, fromMember);
    // More platforms share the member now, so a session by an unverified link would reach too far.
    await tx.sessions.endAsserted(intoMember.id);
    const mergeId = await tx.merges.insert({
      fromId: fromMember.id,
      intoId: intoMember.id,
      homes,
      mergedAt: context.now(),
    });
    await recordChange(context, tx, operator, 'members_merged', fromMember, intoMember);
    return { ...plan, merge_id: mergeId };
  });
}

/** Undoes a merge. Later merges, into the same member or of that member into another, must be undone first. */
export async function splitMembers(
  context: MemberContext,
  { mergeId, dryRun }: { readonly mergeId: number; readonly dryRun: boolean },
  operator: Operator,
): Promise<MergePlan> {
  const split = async (reads: MemberReads, write: MemberTransaction | null): Promise<MergePlan> => {
    const merge = await reads.merges.byId(mergeId);
    const from = merge && (await reads.members.byId(merge.fromId));
    const into = merge && (await reads.members.byId(merge.intoId));
    if (merge === null || merge.splitAt !== null || from === null || into === null) {
      throw impossible('이 병합은 없거나 이미 되돌렸습니다.', 'There is no such merge to undo.');
    }
    const [latest] = await reads.merges.into(into.id, 1);
    if (latest?.id !== merge.id || into.mergedInto !== null) {
      throw impossible('나중의 병합을 먼저 되돌리세요.', 'Undo the later merge first.');
    }
    const moved = (await reads.memberships.of(into.id)).filter(({ homeId }) =>
      merge.homes.includes(homeId),
    );
    const mask = moved.reduce((bits, { platformId }) => bits | (1 << platformId), 0);
    const sessionsEnded = await reads.sessions.liveCount(into.id, context.now());
    if (write !== null) {
      await write.merges.moveHome(from.id, null);
      const rest = merge.homes.filter((home) => home !== from.id);
      for (const home of rest) await write.merges.moveHome(home, from.id);
      await write.members.refreshPlatforms(from.id);
      await write.members.refreshPlatforms(into.id);
      await write.entitlements.mark(from.id, context.now());
      await write.entitlements.mark(into.id, context.now());
      await write.merges.end(merge.id, context.now());
      await endSessions(context, write, into);
      await recordChange(context, write, operator, 'members_split', from, into);
      await eraseUnlinked(context, write, operator, from, into);
    }
    return {
      from: from.svcUid,
      into: into.svcUid,
      merge_id: merge.id,
      memberships_moved: moved.length,
      sessions_ended: sessionsEnded,
      platforms: await context.platforms.codes(mask),
    };
  };
  if (dryRun) return split(context.store.read, null);
  return context.store.write((tx) => split(tx, tx));
}

/** Erases members that have no links after a split, because these moved away or ended during the merge. */
async function eraseUnlinked(
  context: MemberContext,
  tx: MemberTransaction,
  operator: Operator,
  ...members: readonly Member[]
): Promise<void> {
  for (const { id } of members) {
    // Read again: the split changed its platforms.
    const member = await tx.members.byId(id);
    if (member === null || (await tx.memberships.of(id)).length > 0) continue;
    const { receiptId } = await eraseInTransaction(context, tx, member);
    const entry = { action: 'member_erased', subject: member.svcUid, detail: { receiptId } };
    await audit(context, tx, operator, entry);
  }
}

async function planMerge(
  context: MemberContext,
  reads: MemberReads,
  from: string,
  into: string,
): Promise<{ readonly plan: MergePlan; readonly fromMember: Member; readonly intoMember: Member }> {
  const fromMember = await requireMember(reads, from);
  const intoMember = await requireMember(reads, into);
  if (fromMember.id === intoMember.id) {
    throw impossible('이미 같은 회원입니다.', 'These are one member already.');
  }
  if (fromMember.realm !== intoMember.realm) {
    throw impossible('서로 다른 영역의 회원입니다.', 'These members are of different realms.');
  }
  if (fromMember.status !== intoMember.status) {
    throw impossible(
      '정지된 회원은 정지되지 않은 회원과 합칠 수 없습니다.',
      'A suspended member cannot be merged with one that is not.',
    );
  }
  const homes = [...(await homesOf(reads, fromMember)), ...(await homesOf(reads, intoMember))];
  if (homes.length > memberLimits.mergedMembersMax) {
    throw impossible('너무 많은 회원을 합치게 됩니다.', 'Too many members would become one.');
  }
  const moved = await reads.memberships.of(fromMember.id);
  const plan: MergePlan = {
    from: fromMember.svcUid,
    into: intoMember.svcUid,
    merge_id: null,
    memberships_moved: moved.length,
    sessions_ended: await reads.sessions.liveCount(fromMember.id, context.now()),
    platforms: await context.platforms.codes(fromMember.platforms | intoMember.platforms),
  };
  return { plan, fromMember, intoMember };
}

async function recordChange(
  context: MemberContext,
  tx: MemberTransaction,
  operator: Operator,
  action: string,
  from: Member,
  into: Member,
): Promise<void> {
  await tx.members.touchHistory();
  const entry = { action, subject: into.svcUid, detail: { from: from.svcUid } };
  await audit(context, tx, operator, entry);
}

function impossible(ko: string, en: string): Problem {
  return new Problem('merge_impossible', { ko, en });
}

/** 409 for two members who each have an account on the platforms of a mask. */
async function twoAccounts(context: MemberContext, mask: number): Promise<Problem> {
  const platforms = (await context.platforms.codes(mask)).join(', ');
  return new Problem('accounts_on_one_platform', {
    ko: `두 회원이 각각 계정을 가진 플랫폼: ${platforms}. 같은 사람의 계정인지 확인하세요.`,
    en: `Both members have an account on: ${platforms}. Check that both accounts belong to one person.`,
  });
}
