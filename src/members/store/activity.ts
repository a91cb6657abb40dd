/** Range of a count of activity. */
export interface ActivityQuery {
  /** Seoul day; only days before it count. */
  readonly today: number;
  /** Number of complete weeks, at most `weeksMax`. */
  readonly weeks: number;
  /** Number of bits of a platform mask: the highest platform id plus one. */
  readonly platformBits: number;
}

/** Counts of members. */
export interface ActivityFacts {
  /** Members by the exact set of platforms they are linked to, before `today`. */
  readonly linked: readonly MaskCount[];
  /** Members by the platform they joined and the one they joined before it. */
  readonly flows: readonly {
    readonly from: number;
    readonly to: number;
    readonly members: number;
  }[];
  /** Members active on any of the last 1, 7 and 28 complete days, by the set of platforms. */
  readonly active: {
    readonly day: readonly MaskCount[];
    readonly week: readonly MaskCount[];
    readonly month: readonly MaskCount[];
  };
  /** Complete weeks, oldest first. */
  readonly weeks: readonly WeekFacts[];
}

export interface MaskCount {
  /** Set of platforms: a bit for each platform id. */
  readonly platforms: number;
  readonly members: number;
}

export interface WeekFacts {
  readonly week: number;
  readonly active: readonly MaskCount[];
  /** Active for the first time. */
  readonly new: number;
  /** Active the week before, too. */
  readonly returning: number;
  /** Active before, but not the week before. */
  readonly resurrected: number;
  /** Active the week before, but not in this one. */
  readonly dormant: number;
  /** Members first active in this week, by whether they were active 0, 1, 2 … weeks later, up to the last week. */
  readonly retained: readonly number[];
}

/** Range of a count of a funnel: Seoul days, both included. */
export interface FunnelQuery {
  readonly first: number;
  readonly last: number;
}

/** Users linked to a platform in a range, those of them with a visit, and those with a purchase, too. */
export interface FunnelCount {
  readonly platformId: number;
  readonly registered: number;
  readonly visited: number;
  readonly purchased: number;
}
