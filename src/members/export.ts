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
  const room: Room = {
    events: memberLimits.exportEventsMax,
    meta: memberLimits.exportMetaLengthMax,
  };
  const memberships: ExportedMembership[] = [];
  for (const membership of links) {
    const events = await eventsOf(read, membership, room);
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
    complete: room.events >= 0 && room.meta >= 0,
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

/** Rest of the bounds of an export; one below zero if there are more events. */
interface Room {
  events: number;
  meta: number;
}

/** The latest events that there is room for. */
async function eventsOf(
  read: MemberReads,
  membership: Membership,
  room: Room,
): Promise<readonly MemberEvent[]> {
  const events: MemberEvent[] = [];
  let before = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const page = await read.events.ofMembership(membership.id, before, memberLimits.pageMax);
    for (const event of page) {
      room.events--;
      room.meta -= event.meta?.length ?? 0;
      if (room.events < 0 || room.meta < 0) return events;
      events.push(event);
    }
    if (page.length < memberLimits.pageMax) return events;
    before = page.at(-1)!.id;
  }
}

type MemberExport = Value<typeof exportAnswer>;
type ExportedMembership = MemberExport['memberships'][number];
