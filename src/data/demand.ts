/** The ranking of what people search for, linked to what is held. */
export interface Demand {
  readonly anchor: string;
  readonly method: DemandMethod;
  /** In rank order. */
  readonly items: readonly DemandItem[];
}

export interface DemandMethod {
  readonly source: string;
  readonly unit: string;
  readonly period: { readonly from: string; readonly to: string; readonly timeUnit: string };
  readonly note: string;
}

export interface DemandItem {
  readonly rank: number;
  readonly keyword: string;
  /** Relative to the anchor's 100; null when below the resolution of the measurement. */
  readonly index: number | null;
  readonly belowResolution: boolean;
  readonly axes: readonly {
    readonly axis: string;
    readonly title: string;
    readonly match: string;
  }[];
  readonly catalogTotal: number;
}
