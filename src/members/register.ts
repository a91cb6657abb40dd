import type { membersContract } from '../contract/members.ts';
import type { Answer } from '../contract/route.ts';
import type { Problem } from '../kernel/problem.ts';
import { endAssertedSessions, endSessionsThrough } from './assurance.ts';
import { refuseOversized, resultOrProblem } from './batch.ts';
import type { JsonObject } from '../kernel/json-object.ts';
import type { MemberContext } from './context.ts';
import { emailHash } from './email.ts';
import { newEventId, newSvcUid } from './identifiers.ts';
import { requirePlatform, type KeyCaller } from './keys.ts';
import { memberLimits } from './limits.ts';
import { readRegistration, warning, type Registration, type Warning } from './registration.ts';
import { seoulDay } from './seoul-day.ts';
import type { FoundMember, Membership, Platform } from './store/entities.ts';
import type { MemberTransaction } from './store/store.ts';
import { refuseErased } from './tombstone.ts';
import { queueWebhook } from './webhooks.ts';

/** The answer with warnings in both languages. Of equal calls exactly one has `created`. */
export type RegisterAnswer = Omit<Answer<typeof membersContract.register>, 'warnings'> & {
  readonly warnings: readonly Warning[];
};

/**
 * Finds or creates the member of an address and links the platform's user to it. Never 409. 422 `invalid_email`,
 * `unknown_platform`; 403 `platform_mismatch`, `platform_disabled`; 410 `member_erased` for a retry of a registration
 * from before the erasure.
 */
export async function register(
  context: MemberContext,
  caller: KeyCaller,
  body: JsonObject,
): Promise<RegisterAnswer> {
  const platform = await requirePlatform(context, caller, body['platform']);
  const registration = readRegistration(body, context.now());
  return context.store.write((tx) => registerIn(tx, context, platform, registration));
}

/** Up to 500 registrations. Each is refused or done by itself, with its result in its place. */
export async function registerBatch(
  context: MemberContext,
  caller: KeyCaller,
  bodies: readonly JsonObject[],
): Promise<readonly (RegisterAnswer | Problem)[]> {
  refuseOversized(bodies.length, memberLimits.registrationsPerBatchMax);
  return Promise.all(bodies.map((body) => resultOrProblem(register(context, caller, body))));
}

async function registerIn(
  tx: MemberTransaction,
  context: MemberContext,
  platform: Platform,
  registration: Registration,
): Promise<RegisterAnswer> {
  const hash = emailHash(registration.email);
  const member = await tx.members.byEmail(platform.realm, hash);
  const membership = member && (await tx.memberships.at(member.homeId, platform.id));
  if (member !== null && membership !== null) {
    return updateLink(tx, context, platform, registration, member, membership);
  }
  await refuseErased(context, tx, platform, registration);
  return member === null
    ? createMember(tx, context, platform, registration, hash)
    : linkMember(tx, context, platform, registration, member);
}

async function createMember(
  tx: MemberTransaction,
  context: MemberContext,
  platform: Platform,
  registration: Registration,
  hash: Uint8Array,
): Promise<RegisterAnswer> {
  const svcUid = newSvcUid();
  const id = await tx.members.insert({
    svcUid,
    realm: platform.realm,
    emailHash: hash,
    email: registration.email,
    tier: firstTier,
    platforms: 1 << platform.id,
    createdAt: context.now(),
  });
  const verified = isVerified(platform, registration);
  const link = { memberId: id, homeId: id, verified, cameFrom: null };
  await insertMembership(tx, context, platform, registration, link);
  const payload = { svc_uid: svcUid, platform: platform.code };
  await queueWebhook(context, tx, 'member.created', payload);
  const { warnings } = registration;
  return answer(platform, { svcUid, tier: firstTier }, verified, warnings, { created: true });
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
  const payload = { svc_uid: member.svcUid, platform: platform.code };
  await queueWebhook(context, tx, 'member.linked', payload);
  return answer(platform, member, verified, registration.warnings, { linked: true });
}

/** Registers a pair that is linked already: nothing changes except additions and the assurance of the address. */
async function updateLink(
  tx: MemberTransaction,
  context: MemberContext,
  platform: Platform,
  registration: Registration,
  member: FoundMember,
  membership: Membership,
): Promise<RegisterAnswer> {
  const warnings = [...registration.warnings];
  const { localUserId, emailVerified } = registration;
  if (localUserId !== null && membership.localUserId === null) {
    await tx.memberships.rebind(membership, localUserId);
  } else if (localUserId !== null && membership.localUserId !== localUserId) {
    warnings.push(localUserIdMismatch);
  }
  await insertExtraAndConsents(tx, membership.id, registration);
  const verified =
    emailVerified === null
      ? membership.verified
      : emailVerified && platform.assurance === 'trusted';
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

async function insertMembership(
  tx: MemberTransaction,
  context: MemberContext,
  platform: Platform,
  registration: Registration,
  link: Pick<Membership, 'memberId' | 'homeId' | 'verified' | 'cameFrom'>,
): Promise<void> {
  const now = context.now();
  const { localUserId, emailTyped } = registration;
  const membership = { ...link, platformId: platform.id, localUserId, emailTyped, linkedAt: now };
  const membershipId = await tx.memberships.insert(membership);
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
  if (consents.length === 0) return;
  const stored = [...(await tx.memberships.consents(membershipId, memberLimits.pageMax))];
  for (const consent of consents) {
    if (isRepeated(consent, stored) || stored.length >= memberLimits.pageMax) continue;
    const added = { ...consent, membershipId };
    await tx.memberships.insertConsent(added);
    stored.push(added);
  }
}

/**
 * True if the consent repeats the one before it in time for the same purpose. Granting again after a refusal is a
 * change.
 */
function isRepeated(consent: ConsentChange, stored: readonly ConsentChange[]): boolean {
  const earlier = stored.filter(
    ({ purpose, givenAt }) => purpose === consent.purpose && givenAt <= consent.givenAt,
  );
  const latest = earlier.toSorted((a, b) => a.givenAt - b.givenAt).at(-1);
  return latest?.granted === consent.granted && latest.textVersion === consent.textVersion;
}

type ConsentChange = Registration['consents'][number];

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

const firstTier = 'BRONZE';

const localUserIdMismatch = warning('local_user_id_mismatch', '/local_user_id', {
  ko: '이 회원은 다른 local_user_id로 연결되어 있어 처음 값을 그대로 두었습니다.',
  en: 'This member is linked with another local_user_id; the first one was kept.',
});
