import type { GateFinding } from './gates.ts';

/** Progress of a session. */
export interface CollectProgress {
  readonly code: string;
  /** Finished sources. */
  readonly done: number;
  /** All sources of the session. */
  readonly total: number;
  /** Requests of the source under way; `planned` is their expected number. */
  readonly requests: number;
  readonly planned: number;
  readonly rows: number;
  /** Bytes received of the file that is being downloaded; 0 for none. */
  readonly bytes: number;
  readonly elapsedMs: number;
  /** Time since the source under way began. */
  readonly sourceMs: number;
}

/** The outcome of one source. */
export interface CollectedSource {
  readonly code: string;
  readonly title: string;
  /**
   * `unchanged`: the data equals the served data. `kept`: the gates rejected the data for the reasons in `findings`,
   * and the previous data stays. `skipped`: the source was left out for the reason in `message`.
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
