import type { MemberContext } from './context.ts';
import { memberLimits } from './limits.ts';
import { dayText, firstDayOfWeek, seoulDay } from './seoul-day.ts';
import type { ActivityFacts, MaskCount, WeekFacts } from './store/activity.ts';
import type { EventTotal, Platform } from './store/records.ts';

/**
 * Changes when a number would come out otherwise for the same history.
 *
 * Version 1: a member is active on a day and platform by an event other than `register` that a server sent and that
 * happened on that day in Asia/Seoul. Weeks run from Monday to Sunday; only days and weeks that are over count.
 * The north star of a week is the number of members active on two or more platforms in it. Merged members are one;
 * erased members are gone from every week.
 */
export const definitionVersion = 1;

/** Who asks: a platform does not see cells small enough to point at a person. */
export type StatisticsViewer = 'operator' | 'platform';

/** A count of members; null where it is under 5 and a platform asks. */
export type Cell = number | null;

export interface CrossPlatform {
  readonly definition_version: number;
  readonly time_zone: 'Asia/Seoul';
  /** The last day that counts. */
  readonly as_of: string;
  readonly members: Cell;
  /** Members active in the last 1, 7 and 28 complete days. */
  readonly active_members: { readonly day: Cell; readonly week: Cell; readonly month: Cell };
  readonly platforms: readonly {
    readonly platform: string;
    readonly members: Cell;
    readonly active_members: Cell;
  }[];
  readonly overlap: {
    /** Members linked to both, whatever else they are linked to. */
    readonly pairs: readonly { readonly platforms: readonly string[]; readonly members: Cell }[];
    /** Members linked to exactly these. */
    readonly sets: readonly { readonly platforms: readonly string[]; readonly members: Cell }[];
  };
  /** Members by the platform they joined and the one they had joined last before. */
  readonly flows: readonly { readonly from: string; readonly to: string; readonly members: Cell }[];
  readonly excluded: Excluded;
}

export interface NorthStar {
  readonly definition_version: number;
  readonly time_zone: 'Asia/Seoul';
  readonly as_of: string;
  /** Of the last complete week. */
  readonly value: Cell;
  /** Oldest first. */
  readonly weeks: readonly NorthStarWeek[];
  /** By week of first activity: how many were active 0, 1, 2 … weeks later. */
  readonly retention: readonly { readonly week: string; readonly active: readonly Cell[] }[];
  readonly excluded: Excluded;
}

export interface NorthStarWeek {
  /** Monday. */
  readonly week: string;
  readonly value: Cell;
  readonly active_members: Cell;
  readonly growth: {
    readonly new: Cell;
    readonly returning: Cell;
    readonly resurrected: Cell;
    readonly dormant: Cell;
  };
}

/** What the numbers leave out, since the first day they look at. */
export interface Excluded {
  readonly since: string;
  /** A page can forge them. */
  readonly browser_events: number;
  /** Joining is not yet using. */
  readonly register_events: number;
  /** Cells that are null in this answer. */
  readonly suppressed_cells: number;
}

/** Members and their platforms, and how these overlap. */
export async function crossPlatform(
  context: MemberContext,
  viewer: StatisticsViewer,
): Promise<CrossPlatform> {
  const { facts, platforms, today, totals, since } = await counted(context, weeksDefault);
  const cells = new Cells(viewer);
  const codes = codesBy(platforms);
  const { linked, active } = facts;
  const answer = {
    definition_version: definitionVersion,
    time_zone: 'Asia/Seoul' as const,
    as_of: dayText(today - 1),
    members: cells.of(sum(linked)),
    active_members: {
      day: cells.of(sum(active.day)),
      week: cells.of(sum(active.week)),
      month: cells.of(sum(active.month)),
    },
    platforms: platforms.map(({ id, code }) => ({
      platform: code,
      members: cells.of(sum(linked, 1 << id)),
      active_members: cells.of(sum(active.month, 1 << id)),
    })),
    overlap: {
      pairs: pairsOf(platforms).map(([a, b]) => ({
        platforms: [a.code, b.code],
        members: cells.of(sum(linked, (1 << a.id) | (1 << b.id))),
      })),
      sets: linked.map((set) => ({
        platforms: codes(set.platforms),
        members: cells.of(set.members),
      })),
    },
    flows: facts.flows.map(({ from, to, members }) => ({
      from: codes(1 << from)[0]!,
      to: codes(1 << to)[0]!,
      members: cells.of(members),
    })),
  };
  return { ...answer, excluded: excluded(totals, since, cells) };
}

/** Weekly members active on two or more platforms, with growth and retention, over `weeks` complete weeks. */
export async function northStar(
  context: MemberContext,
  viewer: StatisticsViewer,
  weeks: number = weeksDefault,
): Promise<NorthStar> {
  const wanted = Math.min(Math.max(Math.trunc(weeks) || weeksDefault, 1), memberLimits.weeksMax);
  const { facts, today, totals, since } = await counted(context, wanted);
  const cells = new Cells(viewer);
  const series = facts.weeks.map((week) => weekOfSeries(week, cells));
  const answer = {
    definition_version: definitionVersion,
    time_zone: 'Asia/Seoul' as const,
    as_of: dayText(today - 1),
    value: series.at(-1)?.value ?? null,
    weeks: series,
    retention: facts.weeks.map(({ week, retained }) => ({
      week: dayText(firstDayOfWeek(week)),
      active: retained.map((members) => cells.of(members)),
    })),
  };
  return { ...answer, excluded: excluded(totals, since, cells) };
}

interface Counted {
  readonly facts: ActivityFacts;
  readonly platforms: readonly Platform[];
  readonly today: number;
  /** Of the days the facts look at. */
  readonly totals: readonly EventTotal[];
  readonly since: number;
}

/** Past days change rarely: counted once until a day ends or the history's version moves; callers share one count. */
async function counted(context: MemberContext, weeks: number): Promise<Counted> {
  const today = seoulDay(context.now());
  const history = await context.store.read.members.historyVersion();
  const version = await context.store.read.platforms.version();
  const key = `${today} ${weeks} ${history} ${version}`;
  const kept = latest.get(context.store) ?? new Map<number, KeptCount>();
  latest.set(context.store, kept);
  const known = kept.get(weeks);
  if (known?.key === key) return known.count;
  const count = countNow(context, today, weeks);
  kept.set(weeks, { key, count });
  // A failed count is not kept.
  count.catch(() => {
    if (kept.get(weeks)?.count === count) kept.delete(weeks);
  });
  return count;
}

interface KeptCount {
  readonly key: string;
  readonly count: Promise<Counted>;
}

const latest = new WeakMap<MemberContext['store'], Map<number, KeptCount>>();

async function countNow(context: MemberContext, today: number, weeks: number): Promise<Counted> {
  const platforms = await context.platforms.all();
  const platformBits = platforms.reduce((bits, { id }) => Math.max(bits, id + 1), 1);
  const facts = await context.store.activity({ today, weeks, platformBits });
  const since = Math.min(firstDayOfWeek(facts.weeks[0]!.week), today - 28);
  const totals = await context.store.read.events.totalsSince(since);
  return { facts, platforms, today, totals: totals.filter(({ day }) => day < today), since };
}

/** Hides what could point at a person, and counts what it hid. */
class Cells {
  suppressed = 0;
  readonly #least: number;

  constructor(viewer: StatisticsViewer) {
    this.#least = viewer === 'platform' ? cellMembersMin : 0;
  }

  of(members: number): Cell {
    if (members >= this.#least) return members;
    this.suppressed++;
    return null;
  }
}

function weekOfSeries(facts: WeekFacts, cells: Cells): NorthStarWeek {
  const several = facts.active.filter(({ platforms }) => (platforms & (platforms - 1)) !== 0);
  return {
    week: dayText(firstDayOfWeek(facts.week)),
    value: cells.of(sum(several)),
    active_members: cells.of(sum(facts.active)),
    growth: {
      new: cells.of(facts.new),
      returning: cells.of(facts.returning),
      resurrected: cells.of(facts.resurrected),
      dormant: cells.of(facts.dormant),
    },
  };
}

function excluded(totals: readonly EventTotal[], since: number, cells: Cells): Excluded {
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
    suppressed_cells: cells.suppressed,
  };
}

/** Members whose set holds all of `platforms`. */
function sum(counts: readonly MaskCount[], platforms = 0): number {
  return counts.reduce(
    (total, count) => ((count.platforms & platforms) === platforms ? total + count.members : total),
    0,
  );
}

function pairsOf(platforms: readonly Platform[]): readonly (readonly [Platform, Platform])[] {
  return platforms.flatMap((a, at) => platforms.slice(at + 1).map((b) => [a, b] as const));
}

function codesBy(platforms: readonly Platform[]): (mask: number) => readonly string[] {
  return (mask) => platforms.filter(({ id }) => (mask & (1 << id)) !== 0).map(({ code }) => code);
}

const weeksDefault = 12;
const cellMembersMin = 5;
