import type { membersContract } from '../contract/members.ts';
import type { BilingualText } from '../contract/language.ts';
import type { Answer, Body } from '../contract/route.ts';
import { Problem } from '../kernel/problem.ts';
import { audit, type Operator } from './audit.ts';
import { requireLocalUserId } from './body.ts';
import { isForbiddenLocalId } from './forbidden-local-id.ts';
import type { MemberContext } from './context.ts';
import { canonicalEmail, emailHash, typedForm } from './email.ts';
import { findMember } from './find-member.ts';
import { expectedMembership, versionConflict } from './membership.ts';
import { moveLink, type TargetAddress } from './move-link.ts';
import { forbiddenContent, invalid, memberNotFound } from './problem.ts';
import type { Member, Membership, Platform } from './store/entities.ts';
import type { MemberTransaction } from './store/store.ts';

type Change = Body<typeof membersContract.changeMembership>;

/**
 * Gives a membership another local id, another address, or both. 409 `version_conflict` if the current ones are not the
 * expected ones, `local_user_id_taken` or `email_taken` if another membership of the platform has the new one; 404
 * `member_not_found` for a member that is not on the platform.
 */
export async function changeMembership(
  context: MemberContext,
  platform: Platform,
  svcUid: string,
  change: Change,
  operator: Operator,
): Promise<Answer<typeof membersContract.changeMembership>> {
  requireExpectations(change);
  const { email, expected_email: expectedEmail } = change;
  const address = email === undefined ? null : canonicalEmail(email);
  const expected =
    expectedEmail === undefined ? null : canonicalEmail(expectedEmail, '/expected_email');
  return context.store.write(async (tx) => {
    const member = await findMember(tx, svcUid);
    const { expected_local_user_id: expectedId } = change;
    const link = member && (await expectedMembership(tx, member, platform, expectedId));
    if (member === null || link === null) throw memberNotFound();
    if (expected !== null && expected !== (await tx.members.email(link.homeId))) {
      throw versionConflict('email');
    }
    const rebound = await rebind(context, tx, operator, platform, member, link, change);
    const emailTyped = address === null ? null : typedForm(email!, address);
    const moved =
      address === null
        ? null
        : await moveTo(context, tx, operator, platform, rebound, {
            email: address,
            emailTyped,
            verified: platform.assurance === 'trusted' && change.email_verified !== false,
            isConfirmed: platform.assurance === 'trusted' && change.email_verified === true,
            addressedAt: context.now(),
            releasedAt: context.now(),
          });
    return {
      svc_uid: (moved?.member ?? member).svcUid,
      platform: platform.code,
      local_user_id: rebound.localUserId,
      moved: moved !== null,
    };
  });
}

interface ChangedAddress extends Omit<TargetAddress, 'member' | 'emailHash' | 'isGivenUp'> {
  /** True if the platform states that the user has the address now. */
  readonly isConfirmed: boolean;
}

/**
 * Moves the link to an address. Null if the link has it already: that is recorded, so that older changes which arrive
 * later move nothing. If the member had given the address up, `email_verified: true` makes it the user’s again.
 */
async function moveTo(
  context: MemberContext,
  tx: MemberTransaction,
  operator: Operator,
  platform: Platform,
  link: Membership,
  { isConfirmed, ...address }: ChangedAddress,
) {
  const hash = emailHash(address.email);
  const found = await tx.members.byAddress(platform, hash);
  const isOwn = found?.homeId === link.homeId;
  const isRegained = isOwn && found.gaveUp === 1 && isConfirmed;
  const member = isRegained ? await tx.members.byEmail(platform.realm, hash) : found;
  if (isOwn && (!isRegained || member === null)) {
    if (isRegained) await tx.members.regainAddress(link.homeId);
    await tx.memberships.confirmAddress(link.id, address.addressedAt);
    return null;
  }
  const taken = member && (await tx.memberships.at(member.homeId, platform.id));
  if (taken !== null) throw emailTaken();
  const target = { ...address, emailHash: hash, isGivenUp: false, member };
  return moveLink(context, tx, operator, platform, link, target);
}

async function rebind(
  context: MemberContext,
  tx: MemberTransaction,
  operator: Operator,
  platform: Platform,
  { svcUid }: Member,
  link: Membership,
  { local_user_id: given }: Change,
): Promise<Membership> {
  if (given === undefined) return link;
  const localUserId = requireLocalUserId(given);
  const isForbidden = await isForbiddenLocalId(tx, platform.id, localUserId, context.now());
  if (isForbidden) throw forbiddenContent('local_user_id');
  const other = await tx.memberships.byLocalUserId(platform.id, localUserId);
  if (other !== null && other.id !== link.id) throw localUserIdTaken();
  if (!(await tx.memberships.rebind(link, localUserId))) throw versionConflict('local_user_id');
  const detail = { platform: platform.code };
  await audit(context, tx, operator, { action: 'membership_rebound', subject: svcUid, detail });
  return { ...link, localUserId, version: link.version + 1 };
}

/** Requires a new value and the current one that it replaces; for an address, the current local id will do, too. */
function requireExpectations(change: Change): void {
  const { local_user_id: localUserId, expected_local_user_id: expectedId } = change;
  const { email, expected_email: expectedEmail } = change;
  if (localUserId === undefined && email === undefined) {
    throw missing('', {
      ko: 'email이나 local_user_id를 보내세요.',
      en: 'Send email or local_user_id.',
    });
  }
  if (localUserId !== undefined && expectedId === undefined) {
    throw missing('/expected_local_user_id', {
      ko: '지금의 local_user_id를 보내세요. 없으면 null입니다.',
      en: 'Send the current local_user_id, null for none.',
    });
  }
  if (email !== undefined && expectedEmail === undefined && expectedId === undefined) {
    throw missing('/expected_email', {
      ko: '지금의 이메일을 보내세요.',
      en: 'Send the current address.',
    });
  }
}

function missing(pointer: string, fix: BilingualText): Problem {
  const message = {
    ko: '바꿀 값이나 지금의 값이 없습니다.',
    en: 'A new or current value is missing.',
  };
  return invalid('validation_failed', pointer, message, fix);
}

function emailTaken(): Problem {
  return new Problem('email_taken', {
    ko: '이 플랫폼의 다른 연결이 이 이메일을 씁니다.',
    en: 'Another membership of the platform has this address.',
  });
}

function localUserIdTaken(): Problem {
  return new Problem('local_user_id_taken', {
    ko: '이 플랫폼의 다른 연결이 이 local_user_id를 씁니다.',
    en: 'Another membership of the platform has this local_user_id.',
  });
}
