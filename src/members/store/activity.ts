/** What is asked of activity: complete days before `today`, complete weeks before `week`. */
export interface ActivityQuery {
  /** Seoul day; it and later days do not count yet. */
  readonly today: number;
  /** How many complete weeks, at most `weeksMax`. */
  readonly weeks: number;
  /** Bits a platform mask can have: the highest platform id and one. */
  readonly platformBits: number;
}

/** Counts of members; a mask is the set of platforms as bits. */
export interface ActivityFacts {
  /** Members by the exact set of platforms they are linked to, before `today`. */
  readonly linked: readonly MaskCount[];
  /** Members by the platform they joined and the one they had joined before it. */
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
  readonly platforms: number;
  readonly members: number;
}

export interface WeekFacts {
  readonly week: number;
  readonly active: readonly MaskCount[];
  /** Active for the first time ever. */
  readonly new: number;
  /** Active the week before too. */
  readonly returning: number;
  /** Active before, but not the week before. */
  readonly resurrected: number;
  /** Active the week before and not in this one. */
  readonly dormant: number;
  /** Of those first active in this week: how many were active 0, 1, 2 … weeks later, up to the last week asked for. */
  readonly retained: readonly number[];
}
