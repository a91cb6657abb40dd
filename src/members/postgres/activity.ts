import { startOfSeoulDay } from '../seoul-day.ts';
import { foldActivity, type ActivitySource } from '../store/activity-fold.ts';
import type {
  ActivityFacts,
  ActivityQuery,
  FunnelCount,
  FunnelQuery,
  MaskCount,
} from '../store/activity.ts';
import { eventNames, type EventName } from '../store/entities.ts';
import type { PostgresConnection } from './connection.ts';
import { statement, type Statement } from './statement.ts';

/** Counts activity in PostgreSQL. Pairs of numbers are read as arrays of many rows: one row costs more than its numbers. */
export async function countActivity(
  connection: PostgresConnection,
  query: ActivityQuery,
): Promise<ActivityFacts> {
  const start = startOfSeoulDay(query.today);
  const flows = await connection.run(allFlows, [start]);
  return {
    linked: (await connection.run(linked, [start])).rows,
    flows: flows.rows.map(({ fromId, toId, members }) => ({ from: fromId, to: toId, members })),
    ...(await foldActivity(await sourceOf(connection), query)),
  };
}

/** Counts users by platform and step, from the links of a range of days and their events. */
export async function countFunnel(
  connection: PostgresConnection,
  { first, last }: FunnelQuery,
): Promise<readonly FunnelCount[]> {
  const range = [startOfSeoulDay(first), startOfSeoulDay(last + 1)];
  return (await connection.run(funnel, range)).rows;
}

async function sourceOf(connection: PostgresConnection): Promise<ActivitySource> {
  const [greatest] = (await connection.run(memberIdMax, [])).rows;
  const forEach = async (
    pairs: Statement<Pairs>,
    day: number,
    visit: (member: number, value: number) => void,
  ) => {
    let after = 0;
    for (;;) {
      const [chunk] = (await connection.run(pairs, [day, after, chunkRows])).rows;
      const { members, numbers } = chunk!;
      for (const [at, member] of (members ?? []).entries()) visit(member, numbers![at]!);
      if (members === null || members.length < chunkRows) return;
      after = members.at(-1)!;
    }
  };
  return {
    memberIdMax: greatest!.id,
    forEachOfDay: (day, visit) => forEach(ofDay, day, visit),
    forEachNewSince: (day, visit) => forEach(newSince, day, visit),
    async forEachMerged(visit) {
      const { rows } = await connection.run(merged, []);
      for (const { id, intoId, day, intoDay } of rows) visit(id, intoId, day, intoDay);
    },
  };
}

/** Two columns of some rows; null without any. */
interface Pairs {
  readonly members: readonly number[] | null;
  readonly numbers: readonly number[] | null;
}

const chunkRows = 100_000;

const memberIdMax = statement<{ readonly id: number }>(
  `SELECT coalesce(max(id), 0) AS id FROM members`,
);
const ofDay = statement<Pairs>(
  `SELECT array_agg(member_id) AS members, array_agg(platforms) AS numbers FROM (
     SELECT member_id, platforms FROM activity_days WHERE day = $1 AND member_id > $2
     ORDER BY member_id LIMIT $3) chunk`,
);
const newSince = statement<Pairs>(
  `SELECT array_agg(id) AS members, array_agg(first_active_day) AS numbers FROM (
     SELECT id, first_active_day FROM members WHERE first_active_day >= $1 AND id > $2 ORDER BY id LIMIT $3) chunk`,
);
const merged = statement<MergedRow>(
  `SELECT a.id, a.merged_into AS into_id, a.first_active_day AS day, m.first_active_day AS into_day
   FROM members a JOIN members m ON m.id = a.merged_into WHERE a.merged_into > 0 LIMIT 10000000`,
);
/** Members by their platforms, without the links made since a moment. */
const linked = statement<MaskCount>(
  `SELECT platforms, sum(members)::bigint AS members FROM (
     SELECT platforms, count(*) AS members FROM members WHERE merged_into IS NULL GROUP BY platforms
     UNION ALL SELECT unnest(ARRAY[now, earlier]), unnest(ARRAY[-1, 1]) FROM (
       SELECT m.platforms AS now, (SELECT coalesce(bit_or(1 << b.platform_id), 0) FROM memberships b
         WHERE b.member_id = m.id AND b.linked_at < $1) AS earlier
       FROM (SELECT DISTINCT member_id FROM memberships WHERE linked_at >= $1) t JOIN members m ON m.id = t.member_id
     ) changed) counts
   WHERE platforms <> 0 GROUP BY platforms HAVING sum(members) > 0 ORDER BY platforms LIMIT 1000000`,
);
const allFlows = statement<FlowRow>(
  `SELECT came_from AS from_id, platform_id AS to_id, count(*) AS members FROM memberships
   WHERE came_from IS NOT NULL AND linked_at < $1 GROUP BY came_from, platform_id ORDER BY from_id, to_id LIMIT 900`,
);
const funnel = statement<FunnelCount>(
  `SELECT platform_id, count(*) AS registered, count(*) FILTER (WHERE visited) AS visited,
     count(*) FILTER (WHERE visited AND purchased) AS purchased
   FROM (SELECT ms.platform_id, ${has('visit')} AS visited, ${has('purchase')} AS purchased
     FROM memberships ms WHERE ms.linked_at >= $1 AND ms.linked_at < $2) users
   GROUP BY platform_id LIMIT 30`,
);

/** True for a membership `ms` with an event of this name before the end of the range. */
function has(event: EventName): string {
  return `EXISTS (SELECT 1 FROM events e WHERE e.membership_id = ms.id AND e.event = ${eventNames.indexOf(event)}
    AND e.occurred_at < $2)`;
}

interface MergedRow {
  readonly id: number;
  readonly intoId: number;
  readonly day: number | null;
  readonly intoDay: number | null;
}

interface FlowRow {
  readonly fromId: number;
  readonly toId: number;
  readonly members: number;
}
