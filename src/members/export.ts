import type { adminContract } from '../contract/admin.ts';
import type { Answer } from '../contract/route.ts';
import { audit, type Operator } from './audit.ts';
import type { MemberContext } from './context.ts';
import { requireMember } from './find-member.ts';
import { instantText } from './instant.ts';
import { memberLimits } from './limits.ts';
import { homesOf } from './merge.ts';
import type { MemberEvent, Membership } from './store/entities.ts';
import type { MemberReads } from './store/store.ts';

/** Reads all data of a member, after an entry in the audit log. */
export async function exportMember(
  context: MemberContext,
  svcUid: string,
  operator: Operator,
): Promise<MemberExport> {
  const member = await context.store.write(async (tx) => {
    const exported = await requireMember(tx, svcUid);
    await audit(context, tx, operator, { action: 'member_exported', subject: exported.svcUid });
    return exported;
  });
  const { read } = context.store;
  const emails: string[] = [];
  for (const home of await homesOf(read, member)) {
    const email = await read.members.email(home);
    if (email !== null) emails.push(email);
  }
  let room: number = memberLimits.exportEventsMax;
  let complete = true;
  const memberships: ExportedMembership[] = [];
  for (const membership of await read.memberships.of(member.id)) {
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
    memberships,
    complete,
  };
}

async function exportMembership(
  context: MemberContext,
  membership: Membership,
  events: readonly MemberEvent[],
): Promise<ExportedMembership> {
  const { memberships } = context.store.read;
  const platform = await context.platforms.byId(membership.platformId);
  const extra = await memberships.extra(membership.id);
  const consents = await memberships.consents(membership.id, memberLimits.pageMax);
  return {
    platform: platform?.code ?? String(membership.platformId),
    local_user_id: membership.localUserId,
    email_as_typed: membership.emailTyped,
    email_assurance: membership.verified ? 'verified' : 'asserted',
    linked_at: instantText(membership.linkedAt),
    extra: extra === null ? null : JSON.parse(extra),
    consents: consents.map(({ purpose, granted, textVersion, givenAt }) => ({
      purpose,
      granted,
      version: textVersion,
      given_at: instantText(givenAt),
    })),
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

type MemberExport = Answer<typeof adminContract.export>;
type ExportedMembership = MemberExport['memberships'][number];
