import type { FunnelCount, FunnelQuery } from './activity.ts';
import { eventNames, type EventName } from './entities.ts';
import type { PreparedSql } from './prepared-sql.ts';
import { startOfSeoulDay } from '../seoul-day.ts';

/** Counts users by platform and step in SQLite, from the links of a range of days and their events. */
export class SqliteFunnel {
  readonly sql: PreparedSql;
  readonly #counts;

  constructor(sql: PreparedSql) {
    this.sql = sql;
    this.#counts = sql.many<FunnelCount>(
      `SELECT platformId, count(*) AS registered, sum(visited) AS visited, sum(visited AND purchased) AS purchased
       FROM (SELECT ms.platform_id AS platformId, ${has('visit')} AS visited, ${has('purchase')} AS purchased
         FROM memberships ms INDEXED BY memberships_by_time WHERE ms.linked_at >= ?1 AND ms.linked_at < ?2)
       GROUP BY platformId LIMIT 30`,
    );
  }

  counts({ first, last }: FunnelQuery): readonly FunnelCount[] {
    return this.#counts(startOfSeoulDay(first), startOfSeoulDay(last + 1));
  }
}

/** True for a membership `ms` with an event of this name before the end of the range. */
function has(event: EventName): string {
  return `EXISTS (SELECT 1 FROM events e WHERE e.membership_id = ms.id AND e.event = ${eventNames.indexOf(event)}
    AND e.occurred_at < ?2)`;
}
