import { DatabaseSync } from 'node:sqlite';
import {
  dayText,
  firstDayOfWeek,
  seoulDay,
  startOfSeoulDay,
  weekOf,
} from '../../src/members/seoul-day.ts';
import type { CrossPlatform, NorthStar } from '../../src/members/statistics.ts';
import type { StorePlace } from '../fixtures/store-place.ts';

type Figures<Answer> = Omit<Answer, 'excluded'>;

/**
 * Statistics of an operator, counted from the raw rows with plain SQL, without the tables that the service has for
 * counting (days of activity, masks, first days, flows). Callers count exclusions, because they know the events of erased
 * members.
 */
export async function naiveStatistics(
  place: StorePlace,
  now: number,
  weeks: number,
): Promise<{ readonly cross: Figures<CrossPlatform>; readonly star: Figures<NorthStar> }> {
  using database = await rawRows(place);
  const today = seoulDay(now);
  database.exec(views(startOfSeoulDay(today), today));
  const all = (sql: string, ...values: (number | string)[]) => database.prepare(sql).all(...values);
  const count = (sql: string, ...values: (number | string)[]): number =>
    Number(all(`SELECT count(*) AS count FROM (${sql})`, ...values)[0]!['count']);
  const codes = all('SELECT code FROM platforms ORDER BY id').map((row) => String(row['code']));
  const constants = { definition_version: 1, time_zone: 'Asia/Seoul' as const };
  const common = { ...constants, as_of: dayText(today - 1) };
  const activeSince = (days: number) =>
    count('SELECT DISTINCT member FROM activity WHERE day >= ?', today - days);
  const cross = {
    ...common,
    members: count('SELECT DISTINCT member FROM linked'),
    active_members: { day: activeSince(1), week: activeSince(7), month: activeSince(28) },
    platforms: codes.map((code) => ({
      platform: code,
      members: count('SELECT DISTINCT member FROM linked WHERE code = ?', code),
      active_members: count(
        'SELECT DISTINCT member FROM activity WHERE code = ? AND day >= ?',
        code,
        today - 28,
      ),
    })),
    overlap: {
      pairs: codes.flatMap((a, at) =>
        codes.slice(at + 1).map((b) => ({
          platforms: [a, b],
          members: count(
            `SELECT member FROM linked WHERE code = ? INTERSECT SELECT member FROM linked WHERE code = ?`,
            a,
            b,
          ),
        })),
      ),
      sets: all(
        `SELECT names, count(*) AS members FROM (SELECT group_concat(code) AS names, sum(DISTINCT 1 << platform) AS mask
           FROM (SELECT DISTINCT member, platform, code FROM linked ORDER BY member, platform) GROUP BY member)
         GROUP BY names ORDER BY mask`,
      ).map((row) => ({
        platforms: String(row['names']).split(','),
        members: Number(row['members']),
      })),
    },
    flows: all(
      `SELECT before AS "from", code AS "to", count(*) AS members FROM (
         SELECT code, lag(code) OVER (PARTITION BY home ORDER BY membership) AS before FROM linked)
       WHERE before IS NOT NULL GROUP BY before, code ORDER BY before, code`,
    ).map((row) => ({
      from: String(row['from']),
      to: String(row['to']),
      members: Number(row['members']),
    })),
  };

  const last = weekOf(today) - 1;
  const weekNumbers = Array.from({ length: weeks }, (_, at) => last - weeks + 1 + at);
  const series = weekNumbers.map((week) => ({
    week: dayText(firstDayOfWeek(week)),
    value: count(`${inWeek(week)} GROUP BY member HAVING count(DISTINCT platform) >= 2`),
    active_members: count(`SELECT DISTINCT member FROM (${inWeek(week)})`),
    growth: {
      new: count(`${inWeek(week)} EXCEPT ${before(week)}`),
      returning: count(`${inWeek(week)} INTERSECT ${inWeek(week - 1)}`),
      resurrected: count(
        `SELECT * FROM (${inWeek(week)} INTERSECT ${before(week)}) EXCEPT ${inWeek(week - 1)}`,
      ),
      dormant: count(`${inWeek(week - 1)} EXCEPT ${inWeek(week)}`),
    },
  }));
  const retention = weekNumbers.map((week) => ({
    week: dayText(firstDayOfWeek(week)),
    active: weekNumbers
      .filter((later) => later >= week)
      .map((later) =>
        count(`SELECT * FROM (${inWeek(week)} EXCEPT ${before(week)}) INTERSECT ${inWeek(later)}`),
      ),
  }));
  return { cross, star: { ...common, value: series.at(-1)!.value, weeks: series, retention } };
}

/** Copies the tables that statistics are counted from, so that the same SQL counts the rows of every engine. */
async function rawRows(place: StorePlace): Promise<DatabaseSync> {
  const database = new DatabaseSync(':memory:');
  const tables = {
    platforms: ['id', 'code'],
    memberships: ['id', 'home_id', 'member_id', 'platform_id', 'linked_at'],
    events: ['membership_id', 'source', 'event', 'occurred_at'],
  };
  for (const [table, columns] of Object.entries(tables)) {
    database.exec(`CREATE TABLE ${table} (${columns.join()})`);
    const insert = database.prepare(
      `INSERT INTO ${table} VALUES (${columns.map(() => '?').join()})`,
    );
    const rows = await place.rows(`SELECT ${columns.join()} FROM ${table}`);
    for (const row of rows) insert.run(...columns.map((column) => row[column]!));
  }
  return database;
}

/** SQL of two views: links, and events sent by servers, both before today and by current member. */
function views(start: number, today: number): string {
  return `
    DROP VIEW IF EXISTS temp.linked;
    DROP VIEW IF EXISTS temp.activity;
    CREATE TEMP VIEW linked AS
      SELECT ms.id AS membership, ms.home_id AS home, ms.member_id AS member, p.id AS platform, p.code AS code
      FROM memberships ms JOIN platforms p ON p.id = ms.platform_id WHERE ms.linked_at < ${start};
    CREATE TEMP VIEW activity AS
      SELECT * FROM (
        SELECT ms.member_id AS member, p.id AS platform, p.code AS code,
          (e.occurred_at + 32400000) / 86400000 AS day
        FROM events e JOIN memberships ms ON ms.id = e.membership_id JOIN platforms p ON p.id = ms.platform_id
        WHERE e.source = 0 AND e.event <> 0)
      WHERE day < ${today};`;
}

function inWeek(week: number): string {
  const first = firstDayOfWeek(week);
  return `SELECT member FROM activity WHERE day >= ${first} AND day < ${first + 7}`;
}

function before(week: number): string {
  return `SELECT member FROM activity WHERE day < ${firstDayOfWeek(week)}`;
}
