import type { membersContract } from '../contract/members.ts';
import type { Answer, Body, Value } from '../contract/route.ts';
import type {
  entitlement as entitlementSchema,
  grant as grantSchema,
} from '../contract/member-schemas.ts';
import { Problem } from '../kernel/problem.ts';
import { requireMoment } from './body.ts';
import type { MemberContext } from './context.ts';
import { codesInForce, grantsAt, tierCodes } from './entitlements-in-force.ts';
import { requireMember } from './find-member.ts';
import { instantText } from './instant.ts';
import { memberLimits } from './limits.ts';
import { requireLink, requireUnambiguousLink, type ExpectedLocalId } from './membership.ts';
import { requireProvision } from './provision.ts';
import { codeAdvice, invalid } from './problem.ts';
import type { Entitlement, FoundMember, Member, Platform } from './store/entities.ts';
import type { MemberReads, MemberTransaction } from './store/store.ts';
import { queueWebhook } from './webhooks.ts';

/** A platform, which grants to its own members, or the operator (null), who grants to all. */
type Granter = Platform | null;

export type EntitlementView = Value<typeof entitlementSchema>;

export type GrantPeriod = Body<typeof membersContract.grantEntitlement>;

/** Entitlements in force at a moment, the current one by default, and the latest grants. */
export async function listEntitlements(
  context: MemberContext,
  viewer: Granter,
  svcUid: string,
  at?: string,
): Promise<Answer<typeof membersContract.entitlements>> {
  const { read } = context.store;
  const member = await requireMemberOf(read, viewer, svcUid);
  if (viewer !== null) await requireProvision(context, read, member, viewer);
  const moment = at === undefined || at === '' ? context.now() : requireMoment(at, '/at');
  const grants = await grantsAt(read, member.id, moment);
  const defaults = tierCodes(await context.platforms.policy(), member.tier);
  const sourceOf = await sourcesFor(context, viewer);
  return {
    svc_uid: member.svcUid,
    at: instantText(moment),
    entitlements: [
      ...defaults.map((code) => defaultView(code, member.tier)),
      ...grants.map((grant) => grantView(grant, sourceOf)),
    ],
    history: await grantsOf(context, viewer, member, memberLimits.pageMax),
  };
}

/** The latest grants of a member, newest first. */
export async function grantsOf(
  context: MemberContext,
  viewer: Granter,
  { id }: Pick<FoundMember, 'id'>,
  limit: number,
): Promise<readonly Value<typeof grantSchema>[]> {
  const grants = await context.store.read.entitlements.history(id, limit);
  const sourceOf = await sourcesFor(context, viewer);
  return grants.map((grant) => ({ ...grantView(grant, sourceOf), ended_at: endedAt(grant) }));
}

/**
 * Grants a code to a member. From its start on, the grant replaces grants of the same code by the same granter, so a
 * renewal can be sent before the current period ends. A repeated call changes nothing, and a period that is over
 * replaces nothing. 422 `unknown_entitlement`, `invalid_period`, `too_many_entitlements`; 409 `ambiguous_svc_uid`,
 * `version_conflict`.
 */
export async function grantEntitlement(
  context: MemberContext,
  tx: MemberTransaction,
  granter: Granter,
  svcUid: string,
  code: string,
  { expected_local_user_id: expected, ...period }: GrantPeriod,
): Promise<{ readonly member: FoundMember; readonly entitlement: EntitlementView }> {
  const now = context.now();
  await requireCode(tx, code);
  const startsAt = period.from === undefined ? null : requireMoment(period.from, '/from');
  const { until = null } = period;
  const endsAt = until === null ? null : requireMoment(until, '/until');
  const from = startsAt ?? now;
  if (endsAt !== null && endsAt <= from) throw invalidPeriod();
  const member = await requireGrantee(tx, granter, svcUid, expected);
  const sourceOf = await sourcesFor(context, granter);
  const platformId = granter?.id ?? null;
  const overAt = endsAt ?? never;
  const isOver = overAt <= now;
  const stored = isOver
    ? await tx.entitlements.history(member.id, memberLimits.entitlementHistoryMax)
    : await tx.entitlements.pending(member.id, now, memberLimits.entitlementsMax + 1);
  const own = stored.filter((grant) => grant.code === code && grant.platformId === platformId);
  const same = own.find(
    (grant) =>
      grant.endsAt === endsAt &&
      (isOver || grant.overAt === overAt) &&
      (startsAt === null ? grant.startsAt <= now : grant.startsAt === startsAt),
  );
  if (same !== undefined) return { member, entitlement: grantView(same, sourceOf) };
  const grant = {
    homeId: member.homeId,
    memberId: member.id,
    code,
    platformId,
    startsAt: from,
    endsAt,
    overAt,
    grantedAt: now,
    reportAt: reportAfter(now, from, overAt),
  };
  if (!isOver) {
    let replaced = 0;
    for (const previous of own) replaced += Number(await endAt(tx, previous, from, now));
    if (stored.length - replaced >= memberLimits.entitlementsMax) throw tooManyEntitlements();
  }
  await tx.entitlements.insert(grant);
  await tx.entitlements.deleteOldest(member.id, now, memberLimits.entitlementHistoryMax);
  if (!isOver) await reportChange(context, tx, member, code);
  return { member, entitlement: grantView(grant, sourceOf) };
}

/**
 * Ends the granter's grants of a code now; the operator ends all grants of it. Returns the number of ended grants.
 * 409 `ambiguous_svc_uid`, `version_conflict`.
 */
export async function revokeEntitlement(
  context: MemberContext,
  tx: MemberTransaction,
  granter: Granter,
  svcUid: string,
  code: string,
  expected?: ExpectedLocalId,
): Promise<{ readonly member: FoundMember; readonly ended: number }> {
  const now = context.now();
  if (!isCode(code)) throw unknownEntitlement([]);
  const member = await requireGrantee(tx, granter, svcUid, expected);
  const pending = await tx.entitlements.pending(member.id, now, memberLimits.pageMax);
  const ended = pending.filter(
    (grant) => grant.code === code && (granter === null || grant.platformId === granter.id),
  );
  for (const grant of ended) await tx.entitlements.end(grant.id, now, null);
  if (ended.length > 0) await reportChange(context, tx, member, code);
  return { member, ended: ended.length };
}

/** Queues the webhook that reports the codes in force after a change of one code, or of the tier's codes for null. */
export async function reportChange(
  context: MemberContext,
  tx: MemberTransaction,
  { id }: Pick<Member, 'id'>,
  code: string | null,
): Promise<void> {
  await tx.entitlements.mark(id, context.now());
  const member = await tx.members.byId(id);
  if (member === null) return;
  const codes = await codesInForce(context, tx, member, await tx.entitlements.policy());
  const payload = { svc_uid: member.svcUid, code, entitlements: codes };
  await queueWebhook(context, tx, 'entitlement.changed', member, payload);
}

/** True for a well-formed code: its characters need no encoding in URLs. */
export function isCode(text: string): boolean {
  return /^[a-z0-9][a-z0-9._-]{0,63}$/.test(text);
}

/** The next start or end of a period after a moment; null if there is none. */
export function reportAfter(now: number, startsAt: number, overAt: number): number | null {
  if (startsAt > now) return startsAt;
  return overAt > now && overAt < never ? overAt : null;
}

/** `overAt` of a grant without an end: later than any date-time in ISO 8601. */
const never = Number.MAX_SAFE_INTEGER;

/** Ends a grant at the start of its successor; true if it has no effect from now on. */
async function endAt(
  tx: MemberTransaction,
  { id, startsAt, overAt }: Entitlement,
  successorStart: number,
  now: number,
): Promise<boolean> {
  // A grant that would start after its successor never starts.
  const end = startsAt >= successorStart ? now : Math.min(overAt, Math.max(successorStart, now));
  if (end !== overAt) await tx.entitlements.end(id, end, reportAfter(now, startsAt, end));
  return end <= now;
}

/** The member with a uid. A platform finds only members that it is linked to, the operator finds all. */
async function requireMemberOf(
  reads: MemberReads,
  granter: Granter,
  svcUid: string,
): Promise<FoundMember> {
  if (granter === null) return requireMember(reads, svcUid);
  return (await requireLink(reads, granter, svcUid)).member;
}

/** The member that a grant is for, never another user who has taken over its uid. */
async function requireGrantee(
  reads: MemberReads,
  granter: Granter,
  svcUid: string,
  expected: ExpectedLocalId,
): Promise<FoundMember> {
  if (granter === null) return requireMember(reads, svcUid);
  return (await requireUnambiguousLink(reads, granter, svcUid, expected)).member;
}

async function requireCode(reads: MemberReads, code: string): Promise<void> {
  const { codes } = await reads.entitlements.policy();
  if (!isCode(code) || codes?.includes(code) === false) throw unknownEntitlement(codes ?? []);
}

/** Function that names the granter of a grant. A platform does not learn which other platforms the member is on. */
async function sourcesFor(
  context: MemberContext,
  viewer: Granter,
): Promise<(platformId: number | null) => string> {
  const platforms = await context.platforms.all();
  return (platformId) => {
    if (platformId === null) return 'operator';
    if (viewer !== null && viewer.id !== platformId) return 'platform';
    return `platform:${platforms.find(({ id }) => id === platformId)?.code ?? platformId}`;
  };
}

function defaultView(code: string, tier: string): EntitlementView {
  return { code, source: `tier:${tier}`, from: null, until: null, granted_at: null };
}

function grantView(
  { code, platformId, startsAt, endsAt, grantedAt }: Omit<Entitlement, 'id'>,
  sourceOf: (platformId: number | null) => string,
): EntitlementView {
  return {
    code,
    source: sourceOf(platformId),
    from: instantText(startsAt),
    until: endsAt === null ? null : instantText(endsAt),
    granted_at: instantText(grantedAt),
  };
}

/** The moment at which a grant was or will be replaced or revoked; null if it runs as granted. */
function endedAt({ endsAt, overAt }: Entitlement): string | null {
  return overAt === (endsAt ?? never) ? null : instantText(overAt);
}

function unknownEntitlement(codes: readonly string[]): Problem {
  return invalid(
    'unknown_entitlement',
    '/code',
    { ko: '없는 이용권 코드입니다.', en: 'There is no entitlement with this code.' },
    codeAdvice(codes, {
      ko: '영어 소문자, 숫자, ., -, _로 64자 이내의 코드를 보내세요.',
      en: 'Send a code of up to 64 lower-case letters, digits, dots, - and _.',
    }),
  );
}

function invalidPeriod(): Problem {
  return invalid(
    'invalid_period',
    '/until',
    { ko: '이용권이 시작하기 전에 끝납니다.', en: 'The entitlement ends before it starts.' },
    {
      ko: 'from보다 늦은 until을 보내세요. from이 없으면 지금부터입니다.',
      en: 'Send an until later than from, which is the present if absent.',
    },
  );
}

function tooManyEntitlements(): Problem {
  const most = memberLimits.entitlementsMax;
  return new Problem('too_many_entitlements', {
    ko: `이 회원의 이용권이 이미 ${most}개라 더 부여할 수 없습니다. 끝낼 것을 먼저 회수하세요.`,
    en: `The member has ${most} entitlements, which is the maximum. Revoke one first.`,
  });
}
