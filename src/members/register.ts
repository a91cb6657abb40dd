import { audit } from './audit.ts';
import type { Body } from './body.ts';
import { keyedHash, type MemberContext } from './context.ts';
import { emailHash } from './email.ts';
import { newEventId, newSvcUid } from './identifiers.ts';
import { requirePlatform, type KeyCaller } from './keys.ts';
import { memberLimits } from './limits.ts';
import { Problem } from '../kernel/problem.ts';
import { readRegistration, warning, type Registration, type Warning } from './registration.ts';
import { seoulDay } from './seoul-day.ts';
import type { FoundMember, Membership, Platform } from './store/entities.ts';
import type { MemberTransaction } from './store/store.ts';
import { queueWebhook } from './webhooks.ts';

export interface RegisterAnswer {
  readonly svc_uid: string;
  /** Whether this call made the member: of any number of equal calls exactly one sees true. */
  readonly created: boolean;
  readonly tier: string;
  /** Whether this call linked the platform to a member that was there. */
  readonly linked: boolean;
  readonly platform: string;
  readonly email_assurance: 'verified' | 'asserted';
  readonly warnings: readonly Warning[];
}

/**
 * Finds or makes the member of an address and links the platform's user to it. Never 409. 422 `invalid_email`,
 * `unknown_platform`; 403 `platform_mismatch`, `platform_disabled`; 410 `member_erased` for a retry from before.
 */
export async function register(
  context: MemberContext,
  caller: KeyCaller,
  body: Body,
): Promise<RegisterAnswer> {
  const platform = await requirePlatform(context, caller, body['platform']);
  const registration = readRegistration(body, context.now());
  return context.store.write((tx) => settle(context, tx, platform, registration));
}

/** Up to 500 registrations, each on its own: what is wrong with one is told in its place. */
export async function registerBatch(
  context: MemberContext,
  caller: KeyCaller,
  bodies: readonly Body[],
): Promise<readonly (RegisterAnswer | Problem)[]> {
  refuseOversized(bodies.length, memberLimits.registrationsPerBatchMax);
  return Promise.all(
    bodies.map((body) =>
      register(context, caller, body).catch((error: unknown) => {
        if (error instanceof Problem && error.status < 500) return error;
        throw error;
      }),
    ),
  );
}

/** Of the SHA-256 hashes (hex) of canonical addresses a platform has: those without a membership here. */
export async function reconcile(
  context: MemberContext,
  platform: Platform,
  hashes: readonly string[],
): Promise<readonly string[]> {
  refuseOversized(hashes.length, memberLimits.reconcileHashesMax);
  const missing: string[] = [];
  for (const hex of hashes) {
    const hash = /^[0-9a-f]{64}$/i.test(hex) ? Buffer.from(hex, 'hex') : null;
    const member =
      hash === null ? null : await context.store.read.members.byEmail(platform.realm, hash);
    const linked =
      member !== null && (await context.store.read.memberships.at(member.homeId, platform.id));
    if (linked === false || linked === null) missing.push(hex);
  }
  return missing;
}

async function settle(
  context: MemberContext,
  tx: MemberTransaction,
  platform: Platform,
  registration: Registration,
): Promise<RegisterAnswer> {
  const hash = emailHash(registration.email);
  const member = await tx.members.byEmail(platform.realm, hash);
  const known = member && (await tx.memberships.at(member.homeId, platform.id));
  if (member !== null && known !== null) {
    return repeat(context, tx, platform, registration, member, known);
  }
  await refuseErased(context, tx, platform, registration);
  return member === null
    ? create(context, tx, platform, registration, hash)
    : link(context, tx, platform, registration, member);
}

async function create(
  context: MemberContext,
  tx: MemberTransaction,
  platform: Platform,
  registration: Registration,
  hash: Uint8Array,
): Promise<RegisterAnswer> {
  const svcUid = newSvcUid();
  const now = context.now();
  const id = await tx.members.insert({
    svcUid,
    realm: platform.realm,
    emailHash: hash,
    email: registration.email,
    tier: firstTier,
    platforms: 1 << platform.id,
    createdAt: now,
  });
  const verified = isVerified(platform, registration);
  const membership = { memberId: id, homeId: id, verified, cameFrom: null };
  await insertMembership(context, tx, platform, registration, membership);
  await queueWebhook(context, tx, 'member.created', { svc_uid: svcUid, platform: platform.code });
  return answer(platform, { svcUid, tier: firstTier }, verified, registration.warnings, {
    created: true,
  });
}

async function link(
  context: MemberContext,
  tx: MemberTransaction,
  platform: Platform,
  registration: Registration,
  member: FoundMember,
): Promise<RegisterAnswer> {
  const others = await tx.memberships.of(member.id);
  const verified = isVerified(platform, registration);
  await insertMembership(context, tx, platform, registration, {
    memberId: member.id,
    homeId: member.homeId,
    verified,
    cameFrom: others.at(-1)?.platformId ?? null,
  });
  await tx.members.refreshPlatforms(member.id);
  if (verified) await endPreHijack(context, tx, member, platform, others);
  const told = { svc_uid: member.svcUid, platform: platform.code };
  await queueWebhook(context, tx, 'member.linked', told);
  return answer(platform, member, verified, registration.warnings, { linked: true });
}

/** The pair is known: what it has stays, but for what the platform says about the address. */
async function repeat(
  context: MemberContext,
  tx: MemberTransaction,
  platform: Platform,
  registration: Registration,
  member: FoundMember,
  membership: Membership,
): Promise<RegisterAnswer> {
  const warnings = [...registration.warnings];
  const { localUserId } = registration;
  if (localUserId !== null && membership.localUserId === null) {
    await tx.memberships.rebind(membership, localUserId);
  } else if (localUserId !== null && membership.localUserId !== localUserId) {
    warnings.push(localUserIdMismatch);
  }
  await insertExtraAndConsents(tx, membership.id, registration);
  const said = registration.emailVerified;
  const verified = said === null ? membership.verified : said && platform.assurance === 'trusted';
  if (verified !== membership.verified) {
    await tx.memberships.setVerified(membership.id, verified);
    const all = await tx.memberships.of(member.id);
    const others = all.filter(({ id }) => id !== membership.id);
    if (verified) await endPreHijack(context, tx, member, platform, others);
    else await endThroughLink(context, tx, member, membership);
  }
  return answer(platform, member, verified, warnings, {});
}

/**
 * The first verified link: whoever came in through asserted ones may have typed another's address
 * before its owner came, so those sessions end.
 */
async function endPreHijack(
  context: MemberContext,
  tx: MemberTransaction,
  member: FoundMember,
  platform: Platform,
  others: readonly Membership[],
): Promise<void> {
  if (others.some(({ verified }) => verified)) return;
  const ended = await tx.sessions.endAsserted(member.id);
  const operator = { actor: 'system', reason: 'The first verified link of the member.' };
  const detail = { platform: platform.code, sessions_ended: ended };
  const entry = { action: 'assurance_upgrade', subject: member.svcUid, detail };
  await audit(context, tx, operator, entry);
  if (ended > 0) {
    await queueWebhook(context, tx, 'session.revoked', {
      svc_uid: member.svcUid,
      scope: 'asserted',
    });
  }
}

/** A platform takes back that it verified the address: who came in through this link may be another. */
async function endThroughLink(
  context: MemberContext,
  tx: MemberTransaction,
  member: FoundMember,
  { id }: Membership,
): Promise<void> {
  const ended = await tx.sessions.endThrough(member.id, id);
  const told = { svc_uid: member.svcUid, scope: 'link' };
  if (ended > 0) await queueWebhook(context, tx, 'session.revoked', told);
}

async function insertMembership(
  context: MemberContext,
  tx: MemberTransaction,
  platform: Platform,
  registration: Registration,
  link: Pick<Membership, 'memberId' | 'homeId' | 'verified' | 'cameFrom'>,
): Promise<void> {
  const now = context.now();
  const { localUserId, emailTyped } = registration;
  const membership = { ...link, platformId: platform.id, localUserId, emailTyped, linkedAt: now };
  const membershipId = await tx.memberships.insert(membership);
  await insertExtraAndConsents(tx, membershipId, registration);
  await tx.events.insert({
    platformId: platform.id,
    eventId: newEventId(now),
    membershipId,
    event: 'register',
    source: 'server',
    occurredAt: now,
    receivedAt: now,
    meta: null,
  });
  const day = seoulDay(now);
  const told = { event: 'register', source: 'server', platformId: platform.id } as const;
  await tx.events.count({ ...told, day, count: 1 });
}

/** The first `extra` that says something is kept; of consents, each that says something new at its time. */
async function insertExtraAndConsents(
  tx: MemberTransaction,
  membershipId: number,
  { extra, consents }: Registration,
): Promise<void> {
  if (extra !== null) await tx.memberships.insertExtra(membershipId, extra);
  if (consents.length === 0) return;
  const held = [...(await tx.memberships.consents(membershipId, memberLimits.pageMax))];
  for (const consent of consents) {
    if (isKnown(held, consent) || held.length >= memberLimits.pageMax) continue;
    const given = { ...consent, membershipId };
    await tx.memberships.insertConsent(given);
    held.push(given);
  }
}

/** A retry from before an erasure may not bring the member back; a new sign-up makes a new one. */
async function refuseErased(
  context: MemberContext,
  tx: MemberTransaction,
  platform: Platform,
  { email, requestedAt }: Registration,
): Promise<void> {
  if (requestedAt === null) return;
  const tombstone = tombstoneOf(context, email);
  const erasure = await tx.erasures.byTombstone(platform.realm, tombstone);
  if (erasure === null || requestedAt > erasure.erasedAt) return;
  throw memberErased();
}

/** What is left of an address: nobody without the service's secret can test an address against it. */
export function tombstoneOf(context: Pick<MemberContext, 'secret'>, email: string): Buffer {
  return keyedHash(context, 'tombstone', email);
}

export function memberErased(): Problem {
  return new Problem('member_erased', {
    ko: '이 회원은 요청에 따라 삭제되었습니다. 다시 보내지 마세요.',
    en: 'This member was erased on request. Do not send it again.',
  });
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

/** Whether the latest word of the purpose, at the time of this one, is the same: who agrees again after a no says something new. */
function isKnown(held: readonly GivenConsent[], consent: GivenConsent): boolean {
  const earlier = held.filter(
    ({ purpose, givenAt }) => purpose === consent.purpose && givenAt <= consent.givenAt,
  );
  const latest = earlier.toSorted((a, b) => a.givenAt - b.givenAt).at(-1);
  return latest?.granted === consent.granted && latest.textVersion === consent.textVersion;
}

type GivenConsent = Registration['consents'][number];

export function refuseOversized(length: number, most: number): void {
  if (length <= most) return;
  throw new Problem('validation_failed', {
    ko: `한 번에 ${most}개까지 보낼 수 있습니다.`,
    en: `At most ${most} can be sent at once.`,
  });
}

const firstTier = 'BRONZE';

const localUserIdMismatch = warning('local_user_id_mismatch', '/local_user_id', {
  ko: '이 회원은 다른 local_user_id로 연결되어 있어 처음 값을 그대로 두었습니다.',
  en: 'This member is linked with another local_user_id; the first one was kept.',
});
