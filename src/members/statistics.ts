import type { membersContract } from '../contract/members.ts';
import type { Answer } from '../contract/route.ts';
import type { MemberContext } from './context.ts';
import { memberLimits } from './limits.ts';
import { codesOf } from './platform-directory.ts';
import { dayText, firstDayOfWeek, seoulDay } from './seoul-day.ts';
import { CountTable, type Cell, type Count, type StatisticsViewer } from './suppression.ts';
import type { ActivityFacts, MaskCount, WeekFacts } from './store/activity.ts';
import type { EventTotal, Platform } from './store/entities.ts';
import { PostponedCount } from './store/postponed-count.ts';

/**
 * Version of the definitions below. It increases whenever the same history would give another number.
 *
 * Version 1: a member is active on a day and platform by an event other than `register` that a server sent and that
 * happened on that day in Asia/Seoul. Weeks run from Monday to Sunday; only complete days and weeks count.
 * The north star of a week is the number of members active on two or more platforms in it. Merged members are one;
 * erased members are gone from every week.
 */
export const definitionVersion = 1;

export type CrossPlatform = Answer<typeof membersContract.crossPlatform>;
export type NorthStar = Answer<typeof membersContract.northStar>;
export type NorthStarWeek = NorthStar['weeks'][number];

/** Members by platform, and the overlap of platforms. */
export async function crossPlatform(
  context: MemberContext,
  viewer: StatisticsViewer,
): Promise<CrossPlatform> {
  const { facts, platforms, today, totals, since } = await countActivity(context, weeksDefault);
  const codes = (mask: number) => codesOf(platforms, mask);
  const { linked, active, flows } = facts;
  const table = new CountTable();
  const members = table.add(sum(linked));
  const bySet = linked.map((set) => table.add(set.members));
  /** Adds the count of members linked to all of these platforms: the sum of the sets that include them. */
  const addLinked = (mask: number) => {
    const count = table.add(sum(linked.filter(includes(mask))));
    const sets = bySet.filter((_, at) => includes(mask)(linked[at]!));
    table.balance([count], sets);
    return count;
  };
  const onPlatform = platforms.map(({ id }) => addLinked(1 << id));
  const pairs = pairsOf(platforms.length).map(([a, b]) => {
    const count = addLinked((1 << platforms[a]!.id) | (1 << platforms[b]!.id));
    for (const one of [a, b]) table.nest(onPlatform[one]!, count);
    return { platforms: [platforms[a]!.code, platforms[b]!.code], count };
  });
  table.balance([members], bySet);
  for (const count of onPlatform) table.nest(members, count);
  const [day, week, month] = [active.day, active.week, active.month].map((masks) =>
    table.add(sum(masks)),
  ) as [Count, Count, Count];
  const activeOn = platforms.map(({ id }) =>
    table.add(sum(active.month.filter(includes(1 << id)))),
  );
  for (const count of [week, ...activeOn]) table.nest(month, count);
  table.nest(week, day);
  const moves = flows.map((flow) => ({ flow, count: table.add(flow.members) }));
  // Every member joined one platform first; each further membership is a move.
  table.balance(onPlatform, [members, ...moves.map(({ count }) => count)]);
  const shown = table.shownTo(viewer);
  const answer = {
    definition_version: definitionVersion,
    time_zone: 'Asia/Seoul' as const,
    as_of: dayText(today - 1),
    members: shown(members),
    active_members: { day: shown(day), week: shown(week), month: shown(month) },
    platforms: platforms.map(({ code }, at) => ({
      platform: code,
      members: shown(onPlatform[at]!),
      active_members: shown(activeOn[at]!),
    })),
    overlap: {
      pairs: pairs.map(({ platforms: both, count }) => ({
        platforms: both,
        members: shown(count),
      })),
      sets: linked.map((set, at) => ({
        platforms: codes(set.platforms),
        members: shown(bySet[at]!),
      })),
    },
    flows: moves.map(({ flow: { from, to }, count }) => ({
      from: codes(1 << from)[0]!,
      to: codes(1 << to)[0]!,
      members: shown(count),
    })),
  };
  return { ...answer, excluded: excluded(totals, since, table) };
}

/** Weekly members active on two or more platforms, with growth and retention, over `weeks` complete weeks. */
export async function northStar(
  context: MemberContext,
  viewer: StatisticsViewer,
  weeks: number = weeksDefault,
): Promise<NorthStar> {
  const weekCount = Math.min(Math.max(Math.trunc(weeks) || weeksDefault, 1), memberLimits.weeksMax);
  const { facts, today, totals, since } = await countActivity(context, weekCount);
  const table = new CountTable();
  const rows = facts.weeks.map((week) => weekCounts(week, table));
  for (const [at, { returning, dormant }] of rows.entries()) {
    // Members active in the previous week are either active again or dormant in this one.
    if (at > 0) table.balance([rows[at - 1]!.active], [returning, dormant]);
  }
  const shown = table.shownTo(viewer);
  const series = facts.weeks.map(({ week }, at) => weekOfSeries(week, rows[at]!, shown));
  const answer = {
    definition_version: definitionVersion,
    time_zone: 'Asia/Seoul' as const,
    as_of: dayText(today - 1),
    value: series.at(-1)?.value ?? null,
    weeks: series,
    retention: facts.weeks.map(({ week }, at) => ({
      week: dayText(firstDayOfWeek(week)),
      active: rows[at]!.retained.map(shown),
    })),
  };
  return { ...answer, excluded: excluded(totals, since, table) };
}

interface ActivityCount {
  readonly facts: ActivityFacts;
  readonly platforms: readonly Platform[];
  readonly today: number;
  /** Totals of the complete days from `since` on. */
  readonly totals: readonly EventTotal[];
  /** First day that the facts cover. */
  readonly since: number;
}

/**
 * Counts of activity, cached until the day ends, or past days or the platforms change. Concurrent callers share them. While
 * the store puts a count off, callers get the previous one, with its own last day.
 */
async function countActivity(context: MemberContext, weeks: number): Promise<ActivityCount> {
  const today = seoulDay(context.now());
  const history = await context.store.read.members.historyVersion();
  const version = await context.store.read.platforms.version();
  const key = `${today} ${weeks} ${history} ${version}`;
  const cached = cache.get(context.store) ?? new Map<number, CachedCount>();
  cache.set(context.store, cached);
  const latest = cached.get(weeks);
  if (latest?.key === key) return latest.count;
  const previous = latest?.done ?? null;
  const current: CachedCount = {
    key,
    done: previous,
    count: countNow(context, today, weeks).then(
      (count) => (current.done = count),
      (error: unknown) => {
        // A failed count is not cached.
        current.key = null;
        if (previous !== null && error instanceof PostponedCount) return previous;
        throw error;
      },
    ),
  };
  cached.set(weeks, current);
  return current.count;
}

interface CachedCount {
  /** Null after the count has failed. */
  key: string | null;
  /** This count if it has ended, else the one before. */
  done: ActivityCount | null;
  readonly count: Promise<ActivityCount>;
}

const cache = new WeakMap<MemberContext['store'], Map<number, CachedCount>>();

async function countNow(
  context: MemberContext,
  today: number,
  weeks: number,
): Promise<ActivityCount> {
  const platforms = await context.platforms.all();
  const platformBits = platforms.reduce((bits, { id }) => Math.max(bits, id + 1), 1);
  const facts = await context.store.activity({ today, weeks, platformBits });
  const since = Math.min(firstDayOfWeek(facts.weeks[0]!.week), today - 28);
  const totals = await context.store.read.events.totalsSince(since);
  return { facts, platforms, today, totals: totals.filter(({ day }) => day < today), since };
}

interface WeekCounts {
  readonly value: Count;
  readonly active: Count;
  readonly new: Count;
  readonly returning: Count;
  readonly resurrected: Count;
  readonly dormant: Count;
  readonly retained: readonly Count[];
}

function weekCounts(facts: WeekFacts, table: CountTable): WeekCounts {
  const active = table.add(sum(facts.active));
  const several = facts.active.filter(({ platforms }) => (platforms & (platforms - 1)) !== 0);
  const value = table.add(sum(several));
  table.nest(active, value);
  const fresh = table.add(facts.new);
  const [returning, resurrected] = [table.add(facts.returning), table.add(facts.resurrected)];
  table.balance([active], [fresh, returning, resurrected]);
  const later = facts.retained.slice(1).map((members) => table.add(members));
  for (const count of later) table.nest(fresh, count);
  const dormant = table.add(facts.dormant);
  // In its first week a cohort is all of its members: the new ones.
  const retained = [fresh, ...later];
  return { value, active, new: fresh, returning, resurrected, dormant, retained };
}

function weekOfSeries(week: number, row: WeekCounts, shown: (count: Count) => Cell): NorthStarWeek {
  return {
    week: dayText(firstDayOfWeek(week)),
    value: shown(row.value),
    active_members: shown(row.active),
    growth: {
      new: shown(row.new),
      returning: shown(row.returning),
      resurrected: shown(row.resurrected),
      dormant: shown(row.dormant),
    },
  };
}

function excluded(
  totals: readonly EventTotal[],
  since: number,
  table: CountTable,
): NorthStar['excluded'] {
  let browser = 0;
  let registrations = 0;
  for (const { event, source, count } of totals) {
    if (source === 'browser') browser += count;
    else if (event === 'register') registrations += count;
  }
  return {
    since: dayText(since),
    browser_events: browser,
    register_events: registrations,
    suppressed_cells: table.suppressed,
  };
}

function sum(counts: readonly MaskCount[]): number {
  return counts.reduce((total, { members }) => total + members, 0);
}

function includes(wanted: number): (count: MaskCount) => boolean {
  return ({ platforms }) => (platforms & wanted) === wanted;
}

/** All pairs of indexes below `count`. */
function pairsOf(count: number): readonly (readonly [number, number])[] {
  const places = Array.from({ length: count }, (_, at) => at);
  return places.flatMap((a) => places.slice(a + 1).map((b) => [a, b] as const));
}

const weeksDefault = 12;
