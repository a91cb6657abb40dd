import type { membersContract } from '../contract/members.ts';
import type { Answer } from '../contract/route.ts';
import { Problem } from '../kernel/problem.ts';
import { endAssertedSessions, endSessionsThrough } from './assurance.ts';
import type { Operator } from './audit.ts';
import { insertConsents } from './consent-records.ts';
import type { JsonObject } from '../kernel/json-object.ts';
import type { MemberContext } from './context.ts';
import { emailHash } from './email.ts';
import { newEventId } from './identifiers.ts';
import { insertMember } from './insert-member.ts';
import { requirePlatform, type KeyCaller } from './keys.ts';
import { moveLink } from './move-link.ts';
import { isFromEarlierOwner } from './released-address.ts';
import { releaseAddress } from './release-address.ts';
import { readRegistration, warning, type Registration, type Warning } from './registration.ts';
import { seoulDay } from './seoul-day.ts';
import type { AddressedMember, FoundMember, Membership, Platform } from './store/entities.ts';
import type { MemberTransaction } from './store/store.ts';
import { hasLaterDeparture, refuseErased } from './tombstone.ts';
import { queueLinkWebhook } from './webhooks.ts';

/** Answer with warnings in both languages. Of several equal concurrent calls exactly one has `created: true`. */
export type RegisterAnswer = Omit<Answer<typeof membersContract.register>, 'warnings'> & {
  readonly warnings: readonly Warning[];
};

/**
 * Finds or creates the member of an address and links the platform's user to it. Never 409. 422 `invalid_email`,
 * `unknown_platform`; 403 `platform_mismatch`, `platform_disabled`; 410 `member_erased` for a retry of a registration
 * that was first sent before the erasure.
 */
export async function register(
  context: MemberContext,
  caller: KeyCaller,
  body: JsonObject,
): Promise<RegisterAnswer> {
  const platform = await requirePlatform(context, caller, body['platform']);
  const operator = operatorFor(caller);
  try {
    const registration = await registrationOf(context, platform, body);
    return await context.store.write((tx) =>
      registerIn(tx, context, operator, platform, registration),
    );
  } catch (error) {
    if (error instanceof Problem && error.code === 'invalid_email') {
      await releaseAddress(context, operator, platform, body);
    }
    throw error;
  }
}

/** Checks the body of a registration. 422 `invalid_email`. */
export async function registrationOf(
  context: MemberContext,
  platform: Platform,
  body: JsonObject,
): Promise<Registration> {
  const purposes = 'consents' in body ? await context.platforms.consentPurposes() : [];
  return readRegistration(context.store.read, platform, body, context.now(), purposes);
}

/** Author of the audit entry when a registration moves a link: the caller's key. */
export function operatorFor({ kid }: KeyCaller): Operator {
  return { actor: `key:${kid}`, reason: 'registered with another address' };
}

/**
 * Registers a user of this platform. `operator` is the author of the audit entry if a link moves. The only refusal is
 * 410 `member_erased`, thrown before any write.
 */
export async function registerIn(
  tx: MemberTransaction,
  context: MemberContext,
  operator: Operator,
  platform: Platform,
  registration: Registration,
): Promise<RegisterAnswer> {
  const hash = emailHash(registration.email);
  const { localUserId } = registration;
  const registrant = await tx.memberships.registrant(platform, hash, localUserId);
  const { member: found, link, userLink } = registrant;
  if (found !== null && link !== null) {
    return updateLink(tx, context, platform, registration, found, link);
  }
  const mayBeOutdated = await hasLaterDeparture(tx, registration);
  if (mayBeOutdated) await refuseErased(context, tx, platform, registration);
  const isEarlierOwner =
    mayBeOutdated && (await isFromEarlierOwner(context, tx, platform, registration, found));
  // An unverified link may lead to the present owner, since it cannot sign in on other platforms.
  const isGivenUp = isEarlierOwner && isVerified(platform, registration);
  const target = { member: isGivenUp ? null : found, emailHash: hash, isGivenUp };
  if (userLink !== null) {
    return registerAgain(tx, context, operator, platform, registration, userLink, target);
  }
  return target.member === null
    ? createMember(tx, context, platform, registration, target)
    : linkMember(tx, context, platform, registration, target.member);
}

/** Member that a registration leads to. */
interface Target {
  /** Null if the member must be created. */
  readonly member: FoundMember | null;
  readonly emailHash: Uint8Array;
  /** True if the user is an earlier owner: the address then finds the new member on this platform only. */
  readonly isGivenUp: boolean;
}

async function createMember(
  tx: MemberTransaction,
  context: MemberContext,
  platform: Platform,
  registration: Registration,
  { emailHash: hash, isGivenUp }: Target,
): Promise<RegisterAnswer> {
  const { email } = registration;
  const address = { email, emailHash: hash, isGivenUp };
  const member = await insertMember(context, tx, platform, address);
  const verified = isVerified(platform, registration);
  const link = { memberId: member.id, homeId: member.id, verified, cameFrom: null };
  await Promise.all([
    insertMembership(tx, context, platform, registration, link),
    queueLinkWebhook(context, tx, 'member.created', member, platform),
  ]);
  const warnings = [...registration.warnings, ...(isGivenUp ? [addressHandedOver] : [])];
  return answer(platform, member, verified, warnings, { created: true });
}

async function linkMember(
  tx: MemberTransaction,
  context: MemberContext,
  platform: Platform,
  registration: Registration,
  member: FoundMember,
): Promise<RegisterAnswer> {
  const others = await tx.memberships.of(member.id);
  const verified = isVerified(platform, registration);
  await insertMembership(tx, context, platform, registration, {
    memberId: member.id,
    homeId: member.homeId,
    verified,
    cameFrom: others.at(-1)?.platformId ?? null,
  });
  await tx.members.refreshPlatforms(member.id);
  await endAssertedSessions(context, tx, member, { platform, isVerified: verified }, others);
  await queueLinkWebhook(context, tx, 'member.linked', member, platform);
  return answer(platform, member, verified, registration.warnings, { linked: true });
}

/** Registers a user whose link has another address: the link moves, unless it got that address after this request. */
async function registerAgain(
  tx: MemberTransaction,
  context: MemberContext,
  operator: Operator,
  platform: Platform,
  registration: Registration,
  knownLink: Membership,
  target: Target,
): Promise<RegisterAnswer> {
  const { email, emailTyped, requestedAt } = registration;
  const warnings = [...registration.warnings];
  if (isOlderThanAddress(requestedAt, knownLink)) {
    const current = (await tx.members.byId(knownLink.memberId))!;
    return answer(platform, current, knownLink.verified, [...warnings, registrationOutdated], {});
  }
  const verified = isVerified(platform, registration);
  const addressedAt = requestedAt ?? context.now();
  const releasedAt = addressedAt;
  const address = { ...target, email, emailTyped, verified, addressedAt, releasedAt };
  const moved = await moveLink(context, tx, operator, platform, knownLink, address);
  await insertExtraAndConsents(tx, knownLink.id, registration);
  warnings.push(linkMoved, ...(target.isGivenUp ? [addressHandedOver] : []));
  return answer(platform, moved.member, verified, warnings, moved);
}

/** True for a request that is not newer than the link's present address. */
export function isOlderThanAddress(
  requestedAt: number | null,
  { addressedAt, linkedAt }: Membership,
): boolean {
  return requestedAt !== null && requestedAt <= (addressedAt ?? linkedAt);
}

/** The platform’s link with the local id of a registration. */
export async function linkByLocalUserId(
  tx: MemberTransaction,
  platform: Platform,
  { localUserId }: Registration,
): Promise<Membership | null> {
  return localUserId === null ? null : tx.memberships.byLocalUserId(platform.id, localUserId);
}

/**
 * Registers a pair (email, platform) that is linked already: adds details that were missing and updates the assurance.
 */
async function updateLink(
  tx: MemberTransaction,
  context: MemberContext,
  platform: Platform,
  registration: Registration,
  member: AddressedMember,
  membership: Membership,
): Promise<RegisterAnswer> {
  const warnings = [...registration.warnings];
  const { localUserId, emailVerified, requestedAt } = registration;
  const isConfirmed = emailVerified === true && platform.assurance === 'trusted';
  const isUpgrade = isConfirmed && !membership.verified;
  const isEarlierOwner =
    (isUpgrade || membership.localUserId === null) &&
    (await isFromEarlierOwner(context, tx, platform, registration, member));
  // A newer request of the platform gave the address as unverified.
  const isOutdated = isUpgrade && isOlderThanAddress(requestedAt, membership);
  const keepsAssurance = emailVerified === null || isOutdated || (isUpgrade && isEarlierOwner);
  const verified = keepsAssurance ? membership.verified : isConfirmed;
  if (isUpgrade && isEarlierOwner) warnings.push(addressHandedOver);
  else if (isOutdated) warnings.push(registrationOutdated);
  if (localUserId !== null && membership.localUserId !== localUserId) {
    const knownLink = await linkByLocalUserId(tx, platform, registration);
    // Another user typed this address, so the registration may not change the link.
    if (membership.localUserId !== null || knownLink !== null) {
      const wouldMove = knownLink !== null && !isOlderThanAddress(requestedAt, knownLink);
      warnings.push(localUserIdMismatch, ...(wouldMove ? [emailTaken] : []));
      return answer(platform, member, membership.verified, warnings, {});
    }
    // The user may be an earlier owner of the address, or its next owner if the member gave it up.
    const isOwner = verified && member.gaveUp === 0 && !isEarlierOwner;
    if (isOwner) await tx.memberships.rebind(membership, localUserId);
    else warnings.push(localUserIdUnbound);
  } else if (localUserId !== null) await confirmAddress(tx, context, membership, registration);
  await insertExtraAndConsents(tx, membership.id, registration);
  if (verified !== membership.verified) {
    await tx.memberships.setVerified(membership.id, verified);
    const all = await tx.memberships.of(member.id);
    const others = all.filter(({ id }) => id !== membership.id);
    const upgrade = { platform, isVerified: true };
    if (verified) await endAssertedSessions(context, tx, member, upgrade, others);
    else await endSessionsThrough(context, tx, member, membership);
  }
  return answer(platform, member, verified, warnings, {});
}

/** Stores the time at which the user still had the address, so that an older change arriving later moves nothing. */
async function confirmAddress(
  tx: MemberTransaction,
  context: MemberContext,
  { id, addressedAt, linkedAt }: Membership,
  { requestedAt }: Registration,
): Promise<void> {
  const statedAt = requestedAt ?? context.now();
  // A platform may register its user at every login; most logins write nothing.
  if (statedAt - (addressedAt ?? linkedAt) < confirmEveryMs) return;
  await tx.memberships.confirmAddress(id, statedAt);
}

const confirmEveryMs = 60_000;

async function insertMembership(
  tx: MemberTransaction,
  context: MemberContext,
  platform: Platform,
  registration: Registration,
  link: Pick<Membership, 'memberId' | 'homeId' | 'verified' | 'cameFrom'>,
): Promise<void> {
  const now = context.now();
  const { localUserId, emailTyped, requestedAt } = registration;
  const membershipId = await tx.memberships.insert({
    ...link,
    platformId: platform.id,
    localUserId,
    emailTyped,
    linkedAt: now,
    addressedAt: requestedAt,
  });
  await insertExtraAndConsents(tx, membershipId, registration);
  const event = { event: 'register', source: 'server', platformId: platform.id } as const;
  await tx.events.insert({
    ...event,
    eventId: newEventId(now),
    membershipId,
    occurredAt: now,
    receivedAt: now,
    meta: null,
  });
  await tx.events.count({ ...event, day: seoulDay(now), count: 1 });
}

/** Stores `extra` if none is stored yet, and each consent that changes the latest known state. */
async function insertExtraAndConsents(
  tx: MemberTransaction,
  membershipId: number,
  { extra, consents }: Registration,
): Promise<void> {
  if (extra !== null) await tx.memberships.insertExtra(membershipId, extra);
  if (consents.length > 0) await insertConsents(tx, membershipId, consents);
}

function isVerified(platform: Platform, { emailVerified }: Registration): boolean {
  return platform.assurance === 'trusted' && emailVerified !== false;
}

function answer(
  platform: Platform,
  member: { readonly svcUid: string; readonly tier: string },
  verified: boolean,
  warnings: readonly Warning[],
  { created = false, linked = false }: { readonly created?: boolean; readonly linked?: boolean },
): RegisterAnswer {
  return {
    svc_uid: member.svcUid,
    created,
    tier: member.tier,
    linked,
    platform: platform.code,
    email_assurance: verified ? 'verified' : 'asserted',
    warnings,
  };
}

const localUserIdMismatch = warning('local_user_id_mismatch', '/local_user_id', {
  ko: '이메일이 다른 local_user_id로, 또는 local_user_id가 다른 이메일로 이미 연결되어 있어 그대로 두었습니다.',
  en: 'The address is linked with another local_user_id, or the local_user_id with another address; nothing was changed.',
});

const emailTaken = warning('email_taken', '/email', {
  ko: '이 local_user_id의 새 이메일을 아직 다른 회원이 쓰고 있습니다. 그 회원의 이메일도 바뀌었으면 함께 register/batch로 보내세요.',
  en: 'Another user still has the new address of this local_user_id. If that user has another address now, send both in one register/batch.',
});

const addressHandedOver = warning('address_handed_over', '/requested_at', {
  ko: '요청을 처음 보낸 뒤에 이 이메일의 주인이 바뀌어, 지금 주인과 잇지 않았습니다. 회원이 이메일을 다시 확인하면 PATCH로 같은 이메일과 email_verified: true를 보내세요.',
  en: 'The address got another owner after the first attempt of this request, so the user was not linked with the new owner. Once the user has confirmed the address again, send it by PATCH with email_verified true.',
});

const localUserIdUnbound = warning('local_user_id_unbound', '/local_user_id', {
  ko: '이 회원의 연결에는 local_user_id가 없고, 이메일이 확인되지 않았거나 다른 플랫폼에서 바뀌어 그대로 두었습니다.',
  en: 'This member is linked without a local_user_id, and the address is unverified or was changed on another platform; the link was kept so.',
});

const linkMoved = warning('link_moved', '/email', {
  ko: '이 local_user_id는 다른 이메일로 연결되어 있어 연결을 새 이메일로 옮겼습니다. 돌려준 svc_uid를 저장하세요.',
  en: 'This local_user_id was linked with another address; its link moved to the new one. Store the returned svc_uid.',
});

const registrationOutdated = warning('registration_outdated', '/requested_at', {
  ko: '이 요청을 처음 보낸 뒤에 local_user_id의 이메일이 바뀌어 아무것도 바꾸지 않았습니다.',
  en: 'The address of this local_user_id changed after the first attempt of this request; nothing was changed.',
});
