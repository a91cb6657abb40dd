import type { ActivityFacts, ActivityQuery, MaskCount, WeekFacts } from './activity.ts';
import type { Awaitable } from './operator-tables.ts';
import { firstDayOfWeek, weekOf } from '../seoul-day.ts';

/** Activity as a store reads it: pairs of a day, in any order. */
export interface ActivitySource {
  /** The highest id of a member. */
  readonly memberIdMax: number;
  /** Calls `visit` for each member that was active on the day, with its platforms. */
  forEachOfDay(day: number, visit: (memberId: number, platforms: number) => void): Awaitable<void>;
  /** Calls `visit` for each member whose first active day is `day` or later. */
  forEachNewSince(
    day: number,
    visit: (memberId: number, firstDay: number) => void,
  ): Awaitable<void>;
  /** Calls `visit` for each merged member, with the one it was merged into and the first active days of both. */
  forEachMerged(
    visit: (memberId: number, into: number, firstDay: number | null, ofInto: number | null) => void,
  ): Awaitable<void>;
}

/**
 * Counts activity in one pass over the days, oldest first, with masks of each member for the week and the last month.
 * Memory is some bytes for each member, independent of the number of days.
 */
export async function foldActivity(
  source: ActivitySource,
  query: ActivityQuery,
): Promise<Pick<ActivityFacts, 'active' | 'weeks'>> {
  const { today } = query;
  const lastWeek = weekOf(today) - 1;
  const firstWeek = lastWeek - query.weeks + 1;
  const members = await ActivityMembers.read(source, firstDayOfWeek(firstWeek));
  const series: WeekFacts[] = [];
  const recent = { day: members.masks(), week: members.masks(), month: members.masks() };
  let before = members.masks();
  let current = members.masks();
  const from = Math.min(firstDayOfWeek(firstWeek - 1), today - 28);
  for (let day = from; day < today; day++) {
    const masks = [current];
    if (day >= today - 28) masks.push(recent.month);
    if (day >= today - 7) masks.push(recent.week);
    if (day === today - 1) masks.push(recent.day);
    await source.forEachOfDay(day, (memberId, platforms) => {
      const member = members.merged(memberId);
      for (const mask of masks) mask[member]! |= platforms;
    });
    const week = weekOf(day);
    if (weekOf(day + 1) === week) continue;
    if (week >= firstWeek && week <= lastWeek) {
      series.push(countWeek(week, before, current, members, firstWeek, series));
    }
    [before, current] = [current, before];
    current.fill(0);
  }
  const active = {
    day: countMasks(recent.day),
    week: countMasks(recent.week),
    month: countMasks(recent.month),
  };
  return { active, weeks: series };
}

/** Merges between members, and the first active week of each member. */
class ActivityMembers {
  readonly #into = new Map<number, number>();
  readonly #firstWeek: Int32Array;
  readonly #size: number;

  private constructor(size: number) {
    this.#size = size;
    // Weeks are stored plus one: zero stands for any week before the range.
    this.#firstWeek = new Int32Array(size);
  }

  static async read(source: ActivitySource, firstDay: number): Promise<ActivityMembers> {
    const members = new ActivityMembers(source.memberIdMax + 1);
    await source.forEachNewSince(firstDay, (member, day) => {
      members.#firstWeek[member] = weekOf(day) + 1;
    });
    const firstDays = new Map<number, number>();
    await source.forEachMerged((member, into, day, dayOfInto) => {
      members.#into.set(member, into);
      const first = Math.min(
        firstDays.get(into) ?? Infinity,
        day ?? Infinity,
        dayOfInto ?? Infinity,
      );
      firstDays.set(into, first);
    });
    // A merged member was first active when the first of its members was.
    for (const [member, day] of firstDays) {
      const week = day < firstDay || day === Infinity ? 0 : weekOf(day) + 1;
      members.#firstWeek[member] = week;
    }
    return members;
  }

  masks(): Int32Array {
    return new Int32Array(this.#size);
  }

  /** The member that this one was merged into, else the member itself. */
  merged(member: number): number {
    return this.#into.size === 0 ? member : (this.#into.get(member) ?? member);
  }

  /** True if this week is the first active week of the member. */
  isNewIn(member: number, week: number): boolean {
    return this.#firstWeek[member] === week + 1;
  }

  firstWeek(member: number): number {
    return this.#firstWeek[member]! - 1;
  }
}

function countWeek(
  week: number,
  before: Int32Array,
  current: Int32Array,
  members: ActivityMembers,
  firstWeek: number,
  series: WeekFacts[],
): WeekFacts {
  const masks = new MaskCounter();
  const counts = { new: 0, returning: 0, resurrected: 0, dormant: 0 };
  const ofCohort = Array.from({ length: week - firstWeek + 1 }, () => 0);
  for (let member = 0; member < current.length; member++) {
    const mask = current[member]!;
    if (mask === 0) {
      if (before[member] !== 0) counts.dormant++;
      continue;
    }
    masks.add(mask);
    if (members.isNewIn(member, week)) counts.new++;
    else if (before[member] !== 0) counts.returning++;
    else counts.resurrected++;
    const cohort = members.firstWeek(member) - firstWeek;
    if (cohort >= 0) ofCohort[cohort]!++;
  }
  // Adds the members active in this week to the cohort of each earlier week.
  for (const [at, facts] of series.entries()) {
    series[at] = { ...facts, retained: [...facts.retained, ofCohort[at]!] };
  }
  return { week, active: masks.all(), ...counts, retained: [ofCohort.at(-1)!] };
}

function countMasks(masks: Int32Array): readonly MaskCount[] {
  const counts = new MaskCounter();
  for (const mask of masks) {
    if (mask !== 0) counts.add(mask);
  }
  return counts.all();
}

/** Counts by mask. An array for the first sixteen platforms is ten times as fast as a map. */
class MaskCounter {
  readonly #low = new Uint32Array(1 << 16);
  readonly #high = new Map<number, number>();

  add(mask: number): void {
    if (mask < this.#low.length) this.#low[mask]!++;
    else this.#high.set(mask, (this.#high.get(mask) ?? 0) + 1);
  }

  /** Ordered by mask. */
  all(): readonly MaskCount[] {
    const counts: MaskCount[] = [];
    for (const [platforms, members] of this.#low.entries()) {
      if (members > 0) counts.push({ platforms, members });
    }
    const high = Array.from(this.#high, ([platforms, members]) => ({ platforms, members }));
    return [...counts, ...high.sort((a, b) => a.platforms - b.platforms)];
  }
}
