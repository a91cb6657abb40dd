import type { Finding } from './gates.ts';

export interface CollectProgress {
  readonly axis: string;
  readonly axesDone: number;
  readonly axesTotal: number;
  /** Of the axis under way. */
  readonly requests: number;
  readonly planned: number;
  readonly rows: number;
  /** Of the file that is being downloaded; 0 while none is. */
  readonly bytes: number;
  readonly elapsedMs: number;
  /** Since the axis was begun. */
  readonly axisMs: number;
}

/** What a collection came to, of an axis or at another door. */
export interface CollectionOutcome {
  readonly requests: number;
  readonly findings: readonly Finding[];
  /** What happened and what to do next; null where all went well. */
  readonly message: string | null;
  /** ISO 8601 date-time from which a parked run goes on. */
  readonly parkedUntil: string | null;
}

export interface CollectedAxis extends CollectionOutcome {
  readonly code: string;
  readonly title: string;
  /**
   * `unchanged`: what came is what is held. `kept`: the last good data stays, for the reasons in `findings`.
   * `skipped`: better data is held.
   */
  readonly outcome:
    'published' | 'unchanged' | 'kept' | 'failed' | 'parked' | 'interrupted' | 'skipped';
  readonly rows: number;
}

export interface CollectReport {
  /** Null when nothing was published. */
  readonly snapshot: string | null;
  readonly axes: readonly CollectedAxis[];
  readonly elapsedMs: number;
}

/** The outcome of an axis of which nothing is known yet. */
export function noOutcome({ code, title }: Pick<CollectedAxis, 'code' | 'title'>): CollectedAxis {
  return { code, title, outcome: 'failed', rows: 0, ...nothingYet };
}

export const nothingYet: CollectionOutcome = {
  requests: 0,
  findings: [],
  message: null,
  parkedUntil: null,
};
