import type { adminContract } from '../../contract/admin.ts';
import type { Answer } from '../../contract/route.ts';
import { dueReminders } from '../../members/consent-reminders.ts';
import { consentHistory } from '../../members/consents.ts';
import type { MemberContext } from '../../members/context.ts';
import { maskedEmail } from '../../members/email.ts';
import { listEntitlements } from '../../members/entitlements.ts';
import { requireMember } from '../../members/find-member.ts';
import { searchMembers } from '../../members/search-members.ts';
import { instantText } from '../../members/instant.ts';
import { memberLimits } from '../../members/limits.ts';
import type { Member } from '../../members/store/entities.ts';
import { timelineOf } from '../../members/timeline.ts';
import { logAccess } from '../operators/access-log.ts';
import { hasRole } from '../session.ts';
import { originOf, rowNumber, type AdminCall, type AdminHandlers } from './call.ts';
import { feed } from '../../members/feed.ts';
import { filterMembers } from './filter-members.ts';

/** Handlers that read members. Email addresses are masked, and the access log records who read which member. */
export const memberReads = {
  async members(call) {
    const { context, parameters } = call;
    const after = rowNumber(parameters.after, 0);
    const { members, next } = await filterMembers(context, parameters, after, pageRows);
    const items = await Promise.all(members.map((member) => memberSummary(context, member)));
    await logAccess(context, originOf(call), 'members', uidsOf(items));
    const total = await context.store.read.members.count();
    return { items, total, next_cursor: next === null ? null : String(next) };
  },

  async search(call) {
    const { context, body } = call;
    const members = await searchMembers(context, body);
    const items = await Promise.all(members.map((member) => memberSummary(context, member)));
    await logAccess(context, originOf(call), 'search', uidsOf(items));
    return { items };
  },

  async member(call) {
    const { context, parameters } = call;
    const { read } = context.store;
    const member = await requireMember(read, parameters.svc_uid);
    await logAccess(context, originOf(call), 'member', [member.svcUid]);
    const memberships = await read.memberships.of(member.id);
    const codes = new Map((await context.platforms.all()).map(({ id, code }) => [id, code]));
    const { items, next_cursor: next } = await timelineOf(context, member, parameters.before);
    const entitlements = await listEntitlements(context, null, member.svcUid);
    const merges = await read.merges.into(member.id, memberLimits.pageMax);
    const now = context.now();
    const sessions = await read.sessions.ofMember(member.id, now, memberLimits.pageMax);
    return {
      ...(await memberSummary(context, member)),
      sessions: sessions.map(({ id, platformId, verified, issuedAt, expiresAt }) => ({
        session_id: id,
        platform: codes.get(platformId) ?? String(platformId),
        email_assurance: verified ? 'verified' : 'asserted',
        issued_at: instantText(issuedAt),
        expires_at: instantText(expiresAt),
      })),
      live_sessions: await read.sessions.liveCount(member.id, now),
      memberships: memberships.map(({ platformId, localUserId, verified, linkedAt }) => ({
        platform: codes.get(platformId) ?? String(platformId),
        local_user_id: shownLocalId(call, localUserId),
        email_assurance: verified ? 'verified' : 'asserted',
        linked_at: instantText(linkedAt),
      })),
      entitlements: entitlements.entitlements,
      grants: entitlements.history,
      consents: await consentHistory(context, memberships),
      merges: merges.map(({ id, mergedAt }) => ({
        merge_id: id,
        merged_at: instantText(mergedAt),
      })),
      timeline: items,
      timeline_cursor: next,
    };
  },

  async consentPurposes({ context }) {
    const purposes = await context.platforms.consentPurposes();
    return {
      items: purposes.map(({ versions, ...purpose }) => ({
        ...purpose,
        versions: versions.map(({ effectiveAt, ...version }) => ({
          ...version,
          effective: instantText(effectiveAt),
        })),
      })),
    };
  },

  async dueConsents(call) {
    const { context, parameters } = call;
    const page = await dueReminders(context, parameters.after);
    await logAccess(context, originOf(call), 'dueConsents', uidsOf(page.items));
    const items = page.items.map(({ local_user_id: id, ...consent }) => ({
      ...consent,
      local_user_id: shownLocalId(call, id),
    }));
    return { ...page, items };
  },

  async feed(call) {
    const page = await feed(call.context, call.parameters);
    // A page that follows the events sends a request every few seconds; most find no new event.
    if (page.items.length > 0) {
      await logAccess(call.context, originOf(call), 'feed', uidsOf(page.items));
    }
    return page;
  },

  async timeline(call) {
    const { context, parameters } = call;
    const member = await requireMember(context.store.read, parameters.svc_uid);
    await logAccess(context, originOf(call), 'timeline', [member.svcUid]);
    return timelineOf(context, member, parameters.before);
  },
} as const satisfies Partial<AdminHandlers>;

/** The local id; if it is an email address, masked for an operator who may not reveal addresses. */
function shownLocalId(
  { operator }: Pick<AdminCall, 'operator'>,
  localUserId: string | null,
): string | null {
  if (localUserId === null || !localUserId.includes('@')) return localUserId;
  return hasRole(operator.role, 'privacy') ? localUserId : maskedEmail(localUserId);
}

function uidsOf(items: readonly Pick<MemberSummary, 'svc_uid'>[]): readonly string[] {
  return items.map(({ svc_uid: uid }) => uid);
}

async function memberSummary(context: MemberContext, member: Member): Promise<MemberSummary> {
  const email = await context.store.read.members.email(member.id);
  return {
    svc_uid: member.svcUid,
    email_masked: email === null ? null : maskedEmail(email),
    realm: member.realm,
    tier: member.tier,
    status: member.status,
    platforms: await context.platforms.codes(member.platforms),
    created_at: instantText(member.createdAt),
  };
}

type MemberSummary = Answer<typeof adminContract.members>['items'][number];

const pageRows = 50;
