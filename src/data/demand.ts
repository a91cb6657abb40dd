import type { Origin } from './axis.ts';

/** Ranking of search demand, linked to the stored axes and the catalog. */
export interface Demand {
  /** `sample` marks the ranking of the built-in sample portal, so that it is never mistaken for the real one. */
  readonly origin: Origin;
  readonly anchor: string;
  readonly method: DemandMethod;
  /** In rank order. */
  readonly items: readonly DemandItem[];
}

export interface DemandMethod {
  readonly source: string;
  readonly unit: string;
  /** ISO 8601 dates and `date`, `week` or `month`; null if the source does not name them. */
  readonly period: {
    readonly from: string | null;
    readonly to: string | null;
    readonly timeUnit: string | null;
  };
  readonly note: string;
}

export interface DemandItem {
  readonly rank: number;
  readonly keyword: string;
  /** Relative to the anchor's 100; null when below the resolution of the measurement. */
  readonly index: number | null;
  readonly belowResolution: boolean;
  /**
   * Bound on the relative error of the index: `fine` up to 5 %, `fair` up to 15 %, `rough` above. Null if there is no
   * index or its error is unknown.
   */
  readonly errorClass: ErrorClass | null;
  readonly axes: readonly {
    readonly axis: string;
    readonly title: string;
    readonly match: string;
  }[];
  readonly catalogTotal: number;
}

/** `fine` is within 5 %, `fair` within 15 %, `rough` is further off. */
export type ErrorClass = 'fine' | 'fair' | 'rough';

/** A ranking without its links to the axes and the catalog. */
export interface UnlinkedDemand extends Omit<Demand, 'items'> {
  readonly items: readonly UnlinkedItem[];
}
export type UnlinkedItem = Omit<DemandItem, 'axes' | 'catalogTotal'>;
