import {
  eventNames,
  eventSources,
  type EventTarget,
  type EventTotal,
  type FeedEvent,
  type MemberEvent,
} from '../store/entities.ts';
import type { MemberTransaction } from '../store/store.ts';
import { besideStatement, statement } from './statement.ts';
import { tableOver } from './table-over.ts';

/** Events of members in PostgreSQL, their totals, and the days on which members were active. */
export const eventsOf = tableOver<MemberTransaction['events']>({
  target(svcUid, platformId) {
    return this.runner.one(target, platformId, svcUid);
  },
  async insert({ platformId, eventId, membershipId, event, source, ...rest }) {
    const kind = [eventNames.indexOf(event), eventSources.indexOf(source)];
    const { occurredAt, receivedAt, meta } = rest;
    const values = [platformId, eventId, membershipId, ...kind, occurredAt, receivedAt, meta];
    return (await this.runner.change(insert, ...values)) > 0;
  },
  count({ day, platformId, event, source, count: added }) {
    const kind = [eventNames.indexOf(event), eventSources.indexOf(source)];
    this.runner.add(count, [day, platformId, ...kind], added);
  },
  markActive(homeId, day, platformId) {
    return this.runner.run(markActive, day, homeId, 1 << platformId);
  },
  async takeActivity(homeId, platformId) {
    const days = await this.runner.many(takeActive, homeId, 1 << platformId);
    if (days.length > 0) {
      await this.runner.run(deleteInactive, homeId);
      await this.runner.run(firstActiveAgain, homeId);
    }
    return days.map(({ day }) => day);
  },
  async byEventId(platformId, eventId) {
    const row = await this.runner.one(byEventId, platformId, eventId);
    return row && { ...row, ...namesOf(row) };
  },
  async ofMembership(membershipId, before, limit) {
    return (await this.runner.many(ofMembership, membershipId, before, limit)).map(eventOf);
  },
  async timelineOf(membershipId, { occurredAt, id }, limit) {
    return (await this.runner.many(timelineOf, membershipId, occurredAt, id, limit)).map(eventOf);
  },
  async feed({ after, before, platformId, event }, limit) {
    const name = event === null ? null : eventNames.indexOf(event);
    const rows = await this.runner.many(feed, after, before, platformId, name, limit);
    return rows.map((row) => ({ ...row, ...namesOf(row) }));
  },
  async totals() {
    return (await this.runner.many(totals)).map((row) => ({ ...row, ...namesOf(row) }));
  },
  async totalsSince(day) {
    return (await this.runner.many(totalsSince, day)).map((row) => ({ ...row, ...namesOf(row) }));
  },
  deleteBefore(receivedAt, limit) {
    return this.runner.change(deleteBefore, limit, receivedAt);
  },
});

/** Events and sources are stored as their index in these lists, which grow only at the end. */
type EventCodes<Row> = Omit<Row, 'event' | 'source'> & {
  readonly event: number;
  readonly source: number;
};
type EventRow = EventCodes<MemberEvent>;

function eventOf(row: EventRow): MemberEvent {
  return { ...row, ...namesOf(row) };
}

function namesOf(row: { readonly event: number; readonly source: number }) {
  return { event: eventNames[row.event]!, source: eventSources[row.source]! };
}

const columns = `id, platform_id, event_id, membership_id, event, source, occurred_at, received_at, meta`;

const target = besideStatement<EventTarget>(
  `SELECT ms.id AS membership_id, ms.home_id FROM given JOIN members m ON m.svc_uid = given.uid
     JOIN memberships ms ON ms.home_id = m.id AND ms.platform_id = given.platform`,
  { platform: 'integer', uid: 'text' },
);
const insert = besideStatement(
  `INSERT INTO events (platform_id, event_id, membership_id, event, source, occurred_at, received_at, meta)
   SELECT platform_id, event_id, membership_id, event, source, occurred_at, received_at, meta FROM given
   ON CONFLICT (platform_id, event_id) DO NOTHING RETURNING platform_id, event_id`,
  {
    platform_id: 'integer',
    event_id: 'text',
    membership_id: 'bigint',
    event: 'integer',
    source: 'integer',
    occurred_at: 'bigint',
    received_at: 'bigint',
    meta: 'text',
  },
  ['platform_id', 'event_id'],
);
const count = besideStatement(
  `INSERT INTO event_totals AS total VALUES ($1, $2, $3, $4, $5)
   ON CONFLICT (day, platform_id, event, source) DO UPDATE SET count = total.count + excluded.count`,
);
const markActive = besideStatement(
  `WITH marked AS (
     INSERT INTO activity_days AS known SELECT day, home, platforms FROM given ON CONFLICT (day, member_id)
     DO UPDATE SET platforms = known.platforms | excluded.platforms WHERE known.platforms & excluded.platforms = 0
     RETURNING day, member_id)
   UPDATE members m SET first_active_day = marked.day FROM marked
   WHERE m.id = marked.member_id AND (m.first_active_day IS NULL OR m.first_active_day > marked.day)`,
  { day: 'integer', home: 'bigint', platforms: 'integer' },
  ['home'],
);
// Day by day since the first active day, because the primary key begins with the day.
const isDayOfHome = `member_id = $1 AND day = ANY (
  ARRAY(SELECT generate_series((SELECT first_active_day FROM members WHERE id = $1),
    (SELECT max(day) FROM activity_days))))`;
const takeActive = statement<{ readonly day: number }>(
  `UPDATE activity_days SET platforms = platforms & ~$2::integer
   WHERE ${isDayOfHome} AND platforms & $2::integer <> 0 RETURNING day`,
);
const deleteInactive = statement(
  `DELETE FROM activity_days WHERE ${isDayOfHome} AND platforms = 0`,
);
const firstActiveAgain = statement(
  `UPDATE members SET first_active_day = (SELECT min(day) FROM activity_days WHERE ${isDayOfHome}) WHERE id = $1`,
);
const byEventId = besideStatement<EventRow>(
  `SELECT ${columns} FROM given JOIN events ON platform_id = given.platform AND event_id = given.known_id`,
  { platform: 'integer', known_id: 'text' },
);
const ofMembership = statement<EventRow>(
  `SELECT ${columns} FROM events WHERE membership_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3`,
);
const timelineOf = statement<EventRow>(
  `SELECT * FROM (SELECT ${columns} FROM events WHERE membership_id = $1 ORDER BY id DESC LIMIT 10000) latest
   WHERE (occurred_at, id) < ($2, $3) ORDER BY occurred_at DESC, id DESC LIMIT $4`,
);
const feed = statement<EventCodes<FeedEvent>>(
  `SELECT latest.*, m.svc_uid
   FROM (SELECT ${columns} FROM events WHERE id > $1 AND id < $2 ORDER BY id DESC LIMIT 10000) latest
   JOIN memberships ms ON ms.id = latest.membership_id JOIN members m ON m.id = ms.member_id
   WHERE ($3::integer IS NULL OR latest.platform_id = $3) AND ($4::integer IS NULL OR latest.event = $4)
   ORDER BY latest.id DESC LIMIT $5`,
);
const totals = statement<EventCodes<EventTotal>>(
  `SELECT max(day) AS day, platform_id, event, source, sum(count)::bigint AS count
   FROM event_totals GROUP BY platform_id, event, source LIMIT 1000`,
);
const totalsSince = statement<EventCodes<EventTotal>>(
  `SELECT day, platform_id, event, source, count FROM event_totals WHERE day >= $1 ORDER BY day LIMIT 200000`,
);
// Events arrive in the order of their ids, so only the oldest few need to be read.
const deleteBefore = statement(
  `DELETE FROM events WHERE id IN (
     SELECT id FROM (SELECT id, received_at FROM events ORDER BY id LIMIT $1) oldest WHERE received_at < $2)`,
);
