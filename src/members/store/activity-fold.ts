import type { ActivityFacts, ActivityQuery, MaskCount, WeekFacts } from './activity.ts';
import { firstDayOfWeek, weekOf } from '../seoul-day.ts';

/** Activity as a store hands it over: whole days of pairs, in any order within a day. */
export interface ActivitySource {
  /** The highest id a member has. */
  readonly memberIdMax: number;
  /** Calls `visit` for each member active on the day with the platforms it was active on. */
  forEachOfDay(day: number, visit: (memberId: number, platforms: number) => void): void;
  /** Calls `visit` for members whose first day of activity is `day` or later. */
  forEachNewSince(day: number, visit: (memberId: number, firstDay: number) => void): void;
  /** Members that were merged, with the one that stands, and the first active days of both. */
  forEachMerged(
    visit: (memberId: number, into: number, firstDay: number | null, ofInto: number | null) => void,
  ): void;
}

/**
 * Goes through the days once, oldest first, holding a mask a member for the week and for the last month:
 * memory is some bytes a member, whatever the number of days.
 */
export function foldActivity(
  source: ActivitySource,
  question: ActivityQuery,
): Pick<ActivityFacts, 'active' | 'weeks'> {
  const { today } = question;
  const lastWeek = weekOf(today) - 1;
  const firstWeek = lastWeek - question.weeks + 1;
  const people = new People(source, firstDayOfWeek(firstWeek));
  const series: WeekFacts[] = [];
  const recent = { day: people.masks(), week: people.masks(), month: people.masks() };
  let before = people.masks();
  let current = people.masks();
  const from = Math.min(firstDayOfWeek(firstWeek - 1), today - 28);
  for (let day = from; day < today; day++) {
    const masks = [current];
    if (day >= today - 28) masks.push(recent.month);
    if (day >= today - 7) masks.push(recent.week);
    if (day === today - 1) masks.push(recent.day);
    source.forEachOfDay(day, (memberId, platforms) => {
      const member = people.standing(memberId);
      for (const mask of masks) mask[member]! |= platforms;
    });
    const week = weekOf(day);
    if (weekOf(day + 1) === week) continue;
    if (week >= firstWeek && week <= lastWeek) {
      series.push(countWeek(week, before, current, people, firstWeek, series));
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

/** Who stands for whom, and in which week each was active first. */
class People {
  readonly #into = new Map<number, number>();
  readonly #firstWeek: Int32Array;
  readonly #size: number;

  constructor(source: ActivitySource, firstDay: number) {
    this.#size = source.memberIdMax + 1;
    // Zero stands for before the weeks that are asked for; weeks are kept one up.
    this.#firstWeek = new Int32Array(this.#size);
    source.forEachNewSince(firstDay, (member, day) => {
      this.#firstWeek[member] = weekOf(day) + 1;
    });
    const firstDays = new Map<number, number>();
    source.forEachMerged((member, into, day, dayOfInto) => {
      this.#into.set(member, into);
      const first = Math.min(
        firstDays.get(into) ?? Infinity,
        day ?? Infinity,
        dayOfInto ?? Infinity,
      );
      firstDays.set(into, first);
    });
    // A member and those it took in were first active when the first of them was.
    for (const [member, day] of firstDays) {
      this.#firstWeek[member] = day < firstDay || day === Infinity ? 0 : weekOf(day) + 1;
    }
  }

  masks(): Int32Array {
    return new Int32Array(this.#size);
  }

  standing(member: number): number {
    return this.#into.size === 0 ? member : (this.#into.get(member) ?? member);
  }

  /** Whether the member's first week of all is this one. */
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
  people: People,
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
    if (people.isNewIn(member, week)) counts.new++;
    else if (before[member] !== 0) counts.returning++;
    else counts.resurrected++;
    const cohort = people.firstWeek(member) - firstWeek;
    if (cohort >= 0) ofCohort[cohort]!++;
  }
  // Each earlier week's cohort learns how many of it were active in this one.
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

/** Counts by mask: in an array for those of the first sixteen platforms, which is ten times as fast as a map. */
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
