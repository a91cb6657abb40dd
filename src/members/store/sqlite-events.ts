import type { PreparedSql } from './prepared-sql.ts';
import {
  eventNames,
  eventSources,
  type EventTotal,
  type JourneyEvent,
  type NewEvent,
} from './records.ts';
import { seoulDay } from '../seoul-day.ts';
import type { EventRecords } from './store.ts';

/** Journey events in SQLite, their totals and the days members were active. */
export class SqliteEvents implements EventRecords {
  readonly #insert;
  readonly #count;
  readonly #markActive;
  readonly #firstActive;
  readonly #ofMembership;
  readonly #totals;
  readonly #totalsSince;
  readonly #deleteBefore;

  constructor(sql: PreparedSql) {
    this.#insert = sql.change(
      `INSERT INTO events (platform_id, event_id, membership_id, event, source, occurred_at, received_at, meta)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (platform_id, event_id) DO NOTHING`,
    );
    this.#count = sql.change(
      `INSERT INTO event_totals VALUES (?, ?, ?, ?, 1)
       ON CONFLICT (day, platform_id, event, source) DO UPDATE SET count = count + 1`,
    );
    this.#markActive = sql.change(
      `INSERT INTO activity_days VALUES (?, ?, ?) ON CONFLICT (day, member_id)
       DO UPDATE SET platforms = platforms | excluded.platforms WHERE platforms & excluded.platforms = 0`,
    );
    this.#firstActive = sql.change(
      `UPDATE members SET first_active_day = ?1
       WHERE id = ?2 AND (first_active_day IS NULL OR first_active_day > ?1)`,
    );
    this.#ofMembership = sql.many<EventRow>(
      `SELECT id, platform_id AS platformId, event_id AS eventId, membership_id AS membershipId, event, source,
         occurred_at AS occurredAt, received_at AS receivedAt, meta
       FROM events WHERE membership_id = ? AND id < ? ORDER BY id DESC LIMIT ?`,
    );
    this.#totals = sql.many<TotalRow>(
      `SELECT 0 AS day, platform_id AS platformId, event, source, sum(count) AS count
       FROM event_totals GROUP BY platform_id, event, source LIMIT 1000`,
    );
    this.#totalsSince = sql.many<TotalRow>(
      `SELECT day, platform_id AS platformId, event, source, count
       FROM event_totals WHERE day >= ? ORDER BY day LIMIT 200000`,
    );
    this.#deleteBefore = sql.change(
      `DELETE FROM events WHERE id IN (SELECT id FROM events WHERE occurred_at < ? LIMIT ?)`,
    );
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
    if (inserted === 0) return false;
    this.#count(seoulDay(event.occurredAt), event.platformId, name, source);
    return true;
  }

  markActive(homeId: number, day: number, platformId: number): void {
    if (this.#markActive(day, homeId, 1 << platformId) > 0) this.#firstActive(day, homeId);
  }

  ofMembership(membershipId: number, before: number, limit: number): readonly JourneyEvent[] {
    return this.#ofMembership(membershipId, before, limit).map((row) => ({
      ...row,
      ...named(row),
    }));
  }

  totals(): readonly EventTotal[] {
    return this.#totals().map((row) => ({ ...row, ...named(row) }));
  }

  totalsSince(day: number): readonly EventTotal[] {
    return this.#totalsSince(day).map((row) => ({ ...row, ...named(row) }));
  }

  deleteBefore(occurredAt: number, limit: number): number {
    return this.#deleteBefore(occurredAt, limit);
  }
}

type Numbered<Row> = Omit<Row, 'event' | 'source'> & {
  readonly event: number;
  readonly source: number;
};
type EventRow = Numbered<JourneyEvent>;
type TotalRow = Numbered<EventTotal>;

/** Events and sources are kept as their place in these lists, which only ever grow at the end. */
function named(row: { readonly event: number; readonly source: number }) {
  return { event: eventNames[row.event]!, source: eventSources[row.source]! };
}
