import type { PreparedSql } from './prepared-sql.ts';
import {
  eventNames,
  eventSources,
  type EventTarget,
  type EventTotal,
  type FeedEvent,
  type FeedRange,
  type MemberEvent,
  type NewEvent,
  type TimelineCursor,
} from './entities.ts';
import type { MemberTransaction } from './store.ts';

/** Events of members in SQLite, their totals, and the days on which members were active. */
export class SqliteEvents implements Table {
  readonly #target;
  readonly #insert;
  readonly #count;
  readonly #markActive;
  readonly #firstActive;
  readonly #activeDays;
  readonly #clearActive;
  readonly #deleteInactive;
  readonly #firstActiveAgain;
  readonly #byEventId;
  readonly #ofMembership;
  readonly #timelineOf;
  readonly #feed;
  readonly #totals;
  readonly #totalsSince;
  readonly #deleteBefore;

  constructor(sql: PreparedSql) {
    this.#target = sql.one<EventTarget>(
      `SELECT ms.id AS membershipId, ms.home_id AS homeId
       FROM members m JOIN memberships ms ON ms.home_id = m.id AND ms.platform_id = ? WHERE m.svc_uid = ?`,
    );
    this.#insert = sql.change(
      `INSERT INTO events (platform_id, event_id, membership_id, event, source, occurred_at, received_at, meta)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (platform_id, event_id) DO NOTHING`,
    );
    this.#count = sql.addition(
      `INSERT INTO event_totals VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (day, platform_id, event, source) DO UPDATE SET count = count + excluded.count`,
    );
    this.#markActive = sql.change(
      `INSERT INTO activity_days VALUES (?, ?, ?) ON CONFLICT (day, member_id)
       DO UPDATE SET platforms = platforms | excluded.platforms WHERE platforms & excluded.platforms = 0`,
    );
    this.#firstActive = sql.change(
      `UPDATE members SET first_active_day = ?1
       WHERE id = ?2 AND (first_active_day IS NULL OR first_active_day > ?1)`,
    );
    this.#activeDays = sql.many<{ readonly day: number }>(
      `${daysOfHome} SELECT day FROM activity_days
       WHERE (day, member_id) IN (SELECT day, ?1 FROM days) AND platforms & ?2 <> 0 LIMIT 100000`,
    );
    this.#clearActive = sql.change(
      `UPDATE activity_days SET platforms = platforms & ~?3 WHERE day = ?1 AND member_id = ?2`,
    );
    this.#deleteInactive = sql.change(
      `DELETE FROM activity_days WHERE day = ?1 AND member_id = ?2 AND platforms = 0`,
    );
    this.#firstActiveAgain = sql.change(
      `UPDATE members SET first_active_day = (${daysOfHome} SELECT min(day)
         FROM activity_days WHERE (day, member_id) IN (SELECT day, ?1 FROM days)) WHERE id = ?1`,
    );
    this.#byEventId = sql.one<EventRow>(
      `SELECT ${columns} FROM events WHERE platform_id = ? AND event_id = ?`,
    );
    this.#ofMembership = sql.many<EventRow>(
      `SELECT ${columns} FROM events WHERE membership_id = ? AND id < ? ORDER BY id DESC LIMIT ?`,
    );
    this.#timelineOf = sql.many<EventRow>(
      `SELECT * FROM (SELECT ${columns} FROM events WHERE membership_id = ? ORDER BY id DESC LIMIT 10000)
       WHERE (occurredAt, id) < (?, ?) ORDER BY occurredAt DESC, id DESC LIMIT ?`,
    );
    this.#feed = sql.many<EventCodes<FeedEvent>>(
      `SELECT latest.*, m.svc_uid AS svcUid
       FROM (SELECT ${columns} FROM events WHERE id > ?1 AND id < ?2 ORDER BY id DESC LIMIT 10000) latest
       JOIN memberships ms ON ms.id = latest.membershipId JOIN members m ON m.id = ms.member_id
       WHERE (?3 IS NULL OR latest.platformId = ?3) AND (?4 IS NULL OR latest.event = ?4)
       ORDER BY latest.id DESC LIMIT ?5`,
    );
    this.#totals = sql.many<TotalRow>(
      `SELECT max(day) AS day, platform_id AS platformId, event, source, sum(count) AS count
       FROM event_totals GROUP BY platform_id, event, source LIMIT 1000`,
    );
    this.#totalsSince = sql.many<TotalRow>(
      `SELECT day, platform_id AS platformId, event, source, count
       FROM event_totals WHERE day >= ? ORDER BY day LIMIT 200000`,
    );
    this.#deleteBefore = sql.change(
      // Events arrive in the order of their ids, so only the oldest few need to be read.
      `DELETE FROM events WHERE id IN (
         SELECT id FROM (SELECT id, received_at FROM events ORDER BY id LIMIT ?) WHERE received_at < ?)`,
    );
  }

  target(svcUid: string, platformId: number): EventTarget | null {
    return this.#target(platformId, svcUid);
  }

  insert(event: NewEvent): boolean {
    const name = eventNames.indexOf(event.event);
    const source = eventSources.indexOf(event.source);
    const inserted = this.#insert(
      event.platformId,
      event.eventId,
      event.membershipId,
      name,
      source,
      event.occurredAt,
      event.receivedAt,
      event.meta,
    );
    return inserted > 0;
  }

  count({ day, platformId, event, source, count }: EventTotal): void {
    const kind = [eventNames.indexOf(event), eventSources.indexOf(source)];
    this.#count([day, platformId, ...kind], count);
  }

  markActive(homeId: number, day: number, platformId: number): void {
    if (this.#markActive(day, homeId, 1 << platformId) > 0) this.#firstActive(day, homeId);
  }

  takeActivity(homeId: number, platformId: number): readonly number[] {
    const days = this.#activeDays(homeId, 1 << platformId).map(({ day }) => day);
    for (const day of days) {
      this.#clearActive(day, homeId, 1 << platformId);
      this.#deleteInactive(day, homeId);
    }
    if (days.length > 0) this.#firstActiveAgain(homeId);
    return days;
  }

  byEventId(platformId: number, eventId: string): MemberEvent | null {
    const row = this.#byEventId(platformId, eventId);
    return row && { ...row, ...namesOf(row) };
  }

  ofMembership(membershipId: number, before: number, limit: number): readonly MemberEvent[] {
    return this.#ofMembership(membershipId, before, limit).map(eventOf);
  }

  timelineOf(
    membershipId: number,
    { occurredAt, id }: TimelineCursor,
    limit: number,
  ): readonly MemberEvent[] {
    return this.#timelineOf(membershipId, occurredAt, id, limit).map(eventOf);
  }

  feed({ after, before, platformId, event }: FeedRange, limit: number): readonly FeedEvent[] {
    const name = event === null ? null : eventNames.indexOf(event);
    const rows = this.#feed(after, before, platformId, name, limit);
    return rows.map((row) => ({ ...row, ...namesOf(row) }));
  }

  totals(): readonly EventTotal[] {
    return this.#totals().map((row) => ({ ...row, ...namesOf(row) }));
  }

  totalsSince(day: number): readonly EventTotal[] {
    return this.#totalsSince(day).map((row) => ({ ...row, ...namesOf(row) }));
  }

  deleteBefore(receivedAt: number, limit: number): number {
    return this.#deleteBefore(limit, receivedAt);
  }
}

/** Days since the first active day of the member `?1`, because the primary key of `activity_days` begins with the day. */
const daysOfHome = `WITH RECURSIVE days (day) AS (
  SELECT first_active_day FROM members WHERE id = ?1 AND first_active_day IS NOT NULL
  UNION ALL SELECT day + 1 FROM days WHERE day < (SELECT max(day) FROM activity_days))`;

const columns = `id, platform_id AS platformId, event_id AS eventId, membership_id AS membershipId, event, source,
  occurred_at AS occurredAt, received_at AS receivedAt, meta`;

type EventCodes<Row> = Omit<Row, 'event' | 'source'> & {
  readonly event: number;
  readonly source: number;
};
type EventRow = EventCodes<MemberEvent>;
type TotalRow = EventCodes<EventTotal>;

function eventOf(row: EventRow): MemberEvent {
  return { ...row, ...namesOf(row) };
}

/** Events and sources are stored as their index in these lists, which grow only at the end. */
function namesOf(row: { readonly event: number; readonly source: number }) {
  return { event: eventNames[row.event]!, source: eventSources[row.source]! };
}

type Table = MemberTransaction['events'];
