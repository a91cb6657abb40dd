import type { GateFinding } from './gates.ts';

export interface CollectProgress {
  readonly code: string;
  readonly done: number;
  readonly total: number;
  /** Requests, their expected number and rows of the source under way. */
  readonly requests: number;
  readonly planned: number;
  readonly rows: number;
  /** Size so far of the file that is downloaded; 0 without one. */
  readonly bytes: number;
  readonly elapsedMs: number;
  /** Time since the source under way was begun. */
  readonly sourceMs: number;
}

/** The outcome of one source. */
export interface CollectedSource {
  readonly code: string;
  readonly title: string;
  /**
   * `unchanged`: the data is what is served. `kept`: the previous data stays, for the reasons in `findings`.
   * `skipped`: there was nothing to do.
   */
  readonly outcome:
    'published' | 'unchanged' | 'kept' | 'failed' | 'parked' | 'interrupted' | 'skipped';
  /** Records, datasets or keywords. */
  readonly rows: number;
  readonly requests: number;
  readonly findings: readonly GateFinding[];
  /** Sentence about the failure and the next step; null without one. */
  readonly message: string | null;
  /** ISO 8601 date-time from which a parked run can be resumed. */
  readonly parkedUntil: string | null;
}

/** The outcome of a session. */
export interface CollectReport {
  /** Null when nothing was published. */
  readonly snapshot: string | null;
  readonly sources: readonly CollectedSource[];
  readonly elapsedMs: number;
}
