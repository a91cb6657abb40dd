import { audit } from '../../members/audit.ts';
import type { Body } from '../../members/body.ts';
import type { MemberContext } from '../../members/context.ts';
import { canonicalEmail, emailHash, maskedEmail } from '../../members/email.ts';
import { eraseMember } from '../../members/erase.ts';
import { exportMember } from '../../members/export.ts';
import { requireMember } from '../../members/find-member.ts';
import { isSvcUid } from '../../members/identifiers.ts';
import { instantText } from '../../members/instant.ts';
import { memberLimits } from '../../members/limits.ts';
import { mergeMembers, splitMembers } from '../../members/merge.ts';
import { unknownPlatform } from '../../members/platforms.ts';
import { invalid, memberNotFound } from '../../members/problem.ts';
import {
  endMemberSessions,
  restoreMember,
  setTier,
  suspendMember,
} from '../../members/account-status.ts';
import type { FoundMember, MemberEvent, Member } from '../../members/store/entities.ts';
import { actingOperator, type AdminCall, type AdminHandler } from './call.ts';

/** What an operator does with members. Addresses are masked but for `reveal` and `export`, which are audited. */
export const adminMemberHandlers = {
  async members({ context, query }) {
    const after = /^\d{1,15}$/.test(query.get('after') ?? '') ? Number(query.get('after')) : 0;
    const members = await context.store.read.members.list(after, pageRows);
    const items = await Promise.all(members.map((member) => listed(context, member)));
    const next = members.length < pageRows ? null : String(members.at(-1)!.id);
    return { items, total: await context.store.read.members.count(), next_cursor: next };
  },

  async search({ context, body }) {
    const member = await found(context, body);
    return { items: member === null ? [] : [await listed(context, member)] };
  },

  async member({ context, parameters, query }) {
    const { read } = context.store;
    const member = await requireMember(read, parameters['svc_uid']!);
    const memberships = await read.memberships.of(member.id);
    const codes = new Map((await context.platforms.all()).map(({ id, code }) => [id, code]));
    const { items, next_cursor: next } = await timelineOf(context, member, query);
    const merges = await read.merges.into(member.id, memberLimits.pageMax);
    return {
      ...(await listed(context, member)),
      live_sessions: await read.sessions.liveCount(member.id, context.now()),
      memberships: memberships.map(({ platformId, localUserId, verified, linkedAt }) => ({
        platform: codes.get(platformId) ?? String(platformId),
        local_user_id: localUserId,
        email_assurance: verified ? 'verified' : 'asserted',
        linked_at: instantText(linkedAt),
      })),
      merges: merges.map(({ id, mergedAt }) => ({
        merge_id: id,
        merged_at: instantText(mergedAt),
      })),
      timeline: items,
      timeline_cursor: next,
    };
  },

  async timeline({ context, parameters, query }) {
    const member = await requireMember(context.store.read, parameters['svc_uid']!);
    return timelineOf(context, member, query);
  },

  async reveal(call) {
    const { context, parameters } = call;
    const operator = actingOperator(call);
    return context.store.write(async (tx) => {
      const member = await requireMember(tx, parameters['svc_uid']!);
      const entry = { action: 'address_revealed', subject: member.svcUid };
      await audit(context, tx, operator, entry);
      return { svc_uid: member.svcUid, email: await tx.members.email(member.id) };
    });
  },

  async tier(call) {
    const tier = textOf(call.body, 'tier');
    await setTier(call.context, call.parameters['svc_uid']!, tier, actingOperator(call));
    return { ok: true, tier };
  },

  async suspend(call) {
    await suspendMember(call.context, call.parameters['svc_uid']!, actingOperator(call));
    return { ok: true };
  },

  async restore(call) {
    await restoreMember(call.context, call.parameters['svc_uid']!, actingOperator(call));
    return { ok: true };
  },

  async endSessions(call) {
    await endMemberSessions(call.context, call.parameters['svc_uid']!, actingOperator(call));
    return { ok: true };
  },

  async export(call) {
    return exportMember(call.context, call.parameters['svc_uid']!, actingOperator(call));
  },

  async erase(call) {
    return eraseMember(call.context, call.parameters['svc_uid']!, actingOperator(call));
  },

  async merge(call) {
    const { body } = call;
    const [from, into] = [textOf(body, 'from'), textOf(body, 'into')];
    const dryRun = body['dry_run'] !== false;
    return mergeMembers(call.context, { from, into, dryRun }, actingOperator(call));
  },

  async split(call) {
    const mergeId = Number(call.parameters['merge_id']);
    if (!Number.isSafeInteger(mergeId)) throw memberNotFound();
    const dryRun = call.body['dry_run'] !== false;
    return splitMembers(call.context, { mergeId, dryRun }, actingOperator(call));
  },
} as const satisfies Record<string, AdminHandler>;

/** A member's events as they arrived, newest first, on all of its memberships; `before` is where the page before ended. */
async function timelineOf(
  context: MemberContext,
  { id }: Member,
  query: URLSearchParams,
): Promise<{ readonly items: readonly object[]; readonly next_cursor: string | null }> {
  const { read } = context.store;
  const given = query.get('before') ?? '';
  const before = /^\d{1,15}$/.test(given) ? Number(given) : Number.MAX_SAFE_INTEGER;
  const events: MemberEvent[] = [];
  for (const membership of await read.memberships.of(id)) {
    events.push(...(await read.events.ofMembership(membership.id, before, timelineRows)));
  }
  const page = events.sort((a, b) => b.id - a.id).slice(0, timelineRows);
  const codes = new Map((await context.platforms.all()).map((one) => [one.id, one.code]));
  return {
    items: page.map(({ eventId, event, source, platformId, occurredAt }) => ({
      event_id: eventId,
      event,
      source,
      platform: codes.get(platformId) ?? String(platformId),
      occurred_at: instantText(occurredAt),
    })),
    next_cursor: page.length < timelineRows ? null : String(page.at(-1)!.id),
  };
}

async function listed(context: MemberContext, member: Member): Promise<object> {
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

async function found(context: MemberContext, body: Body): Promise<FoundMember | null> {
  const { members } = context.store.read;
  const { svc_uid: svcUid, email, realm, platform: code, local_user_id: localUserId } = body;
  if (typeof svcUid === 'string' && svcUid !== '') {
    return isSvcUid(svcUid) ? members.byUid(svcUid) : null;
  }
  if (typeof email === 'string' && email !== '') {
    const named = typeof realm === 'string' && realm !== '' ? realm : 'main';
    return members.byEmail(named, emailHash(canonicalEmail(email)));
  }
  if (typeof localUserId !== 'string' || typeof code !== 'string') throw nobodyNamed();
  const platform = await context.platforms.byCode(code);
  if (platform === null) throw unknownPlatform();
  return members.byLocalUserId(platform.id, localUserId);
}

/** A text an operator's form or script must send. */
export function textOf(body: AdminCall['body'], name: string): string {
  const text = body[name];
  if (typeof text === 'string' && text.trim() !== '') return text.trim();
  throw invalid(
    'validation_failed',
    `/${name}`,
    { ko: `${name}이(가) 없습니다.`, en: `The ${name} is missing.` },
    { ko: `${name}을(를) 적으세요.`, en: `Give the ${name}.` },
  );
}

function nobodyNamed() {
  return invalid(
    'validation_failed',
    '',
    { ko: '누구를 찾을지 없습니다.', en: 'The question names nobody.' },
    {
      ko: 'svc_uid, email, 또는 platform과 local_user_id를 적으세요.',
      en: 'Give svc_uid, email, or platform and local_user_id.',
    },
  );
}

const pageRows = 50;
const timelineRows = 50;
