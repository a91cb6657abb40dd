import type { StoreFaultCode } from './object-store.ts';

/** The reason why the last check of a store failed. */
export interface FollowFault {
  readonly code: StoreFaultCode;
  /** Sentence without credentials. */
  readonly message: string;
}

/** State of a serving process that follows a store. */
export interface FollowState {
  /** Time of the last check that succeeded; null before the first. */
  readonly checkedAtMs: number | null;
  readonly fault: (FollowFault & { readonly sinceMs: number }) | null;
}
