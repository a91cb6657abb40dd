import type { exportAnswer } from '../contract/member-schemas.ts';
import type { Value } from '../contract/route.ts';
import { audit, type Operator } from './audit.ts';
import { consentsOf } from './consent-records.ts';
import { statementView } from './consents.ts';
import type { MemberContext } from './context.ts';
import { grantsOf } from './entitlements.ts';
import { requireMember } from './find-member.ts';
import { instantText } from './instant.ts';
import { memberLimits } from './limits.ts';
import { membershipsOn } from './membership.ts';
import { homesOf } from './homes.ts';
import { memberNotFound } from './problem.ts';
import type { MemberEvent, Membership, Platform } from './store/entities.ts';
import type { MemberReads } from './store/store.ts';

/**
 * Writes an entry in the audit log, then reads all data of a member, or only the data that a platform stored about it.
 * 404 `member_not_found` for a member that is not on the platform.
 */
export async function exportMember(
  context: MemberContext,
  svcUid: string,
  operator: Operator,
  platform: Platform | null = null,
): Promise<MemberExport> {
  const { member, links } = await context.store.write(async (tx) => {
    const exported = await requireMember(tx, svcUid);
    const links =
      platform === null
        ? await tx.memberships.of(exported.id)
        : await membershipsOn(tx, exported, platform);
    if (platform !== null && links.length === 0) throw memberNotFound();
    const detail = { platform: platform?.code ?? null };
    const entry = { action: 'member_exported', subject: exported.svcUid, detail };
    await audit(context, tx, operator, entry);
    return { member: exported, links };
  });
  const { read } = context.store;
  const homes =
    platform === null ? await homesOf(read, member) : new Set(links.map(({ homeId }) => homeId));
  const emails: string[] = [];
  for (const home of homes) {
    const email = await read.members.email(home);
    if (email !== null) emails.push(email);
  }
  const grants = await grantsOf(context, platform, member, memberLimits.entitlementHistoryMax);
  let room: number = memberLimits.exportEventsMax;
  let complete = true;
  const memberships: ExportedMembership[] = [];
  for (const membership of links) {
    const events = await eventsOf(read, membership, room + 1);
    complete &&= events.length <= room;
    room -= Math.min(events.length, room);
    memberships.push(await exportMembership(context, membership, events));
  }
  return {
    svc_uid: member.svcUid,
    tier: member.tier,
    status: member.status,
    created_at: instantText(member.createdAt),
    emails,
    entitlements:
      platform === null
        ? grants
        : grants.filter(({ source }) => source === `platform:${platform.code}`),
    memberships,
    complete,
  };
}

async function exportMembership(
  context: MemberContext,
  membership: Membership,
  events: readonly MemberEvent[],
): Promise<ExportedMembership> {
  const { read } = context.store;
  const platform = await context.platforms.byId(membership.platformId);
  const extra = await read.memberships.extra(membership.id);
  const consents = await consentsOf(read, membership.id);
  return {
    platform: platform?.code ?? String(membership.platformId),
    local_user_id: membership.localUserId,
    email_as_typed: membership.emailTyped,
    email_assurance: membership.verified ? 'verified' : 'asserted',
    linked_at: instantText(membership.linkedAt),
    extra: extra === null ? null : JSON.parse(extra),
    consents: consents.map(statementView),
    events: events.map((event) => ({
      event_id: event.eventId,
      event: event.event,
      source: event.source,
      occurred_at: instantText(event.occurredAt),
      meta: event.meta === null ? null : JSON.parse(event.meta),
    })),
  };
}

async function eventsOf(
  read: MemberReads,
  membership: Membership,
  most: number,
): Promise<readonly MemberEvent[]> {
  const events: MemberEvent[] = [];
  let before = Number.MAX_SAFE_INTEGER;
  while (events.length < most) {
    const limit = Math.min(memberLimits.pageMax, most - events.length);
    const page = await read.events.ofMembership(membership.id, before, limit);
    events.push(...page);
    if (page.length < limit) break;
    before = page.at(-1)!.id;
  }
  return events;
}

type MemberExport = Value<typeof exportAnswer>;
type ExportedMembership = MemberExport['memberships'][number];
