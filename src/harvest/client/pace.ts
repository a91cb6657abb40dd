import type { Clock } from './clock.ts';

/** Lets calls through at a steady rate, in the order they came. */
export interface Pace {
  /** Settles when the next call may go; rejects when the signal is aborted first. */
  turn(signal?: AbortSignal): Promise<void>;
}

/**
 * A bucket of `perSecond` turns that fills evenly: up to a second's worth may go at once, never more
 * than twice that in any second. No timer runs while nobody waits.
 */
export function createPace(perSecond: number, clock: Clock): Pace {
  const intervalMs = 1_000 / perSecond;
  const burstMs = 1_000 - intervalMs;
  let next = Number.NEGATIVE_INFINITY;

  return {
    async turn(signal) {
      signal?.throwIfAborted();
      const now = clock.now();
      // So long a queue is a clock that was set back.
      const due = next - now > queueMsMax ? now : next;
      const at = Math.max(due, now - burstMs);
      next = at + intervalMs;
      if (at > now) await clock.wait(at - now, signal);
    },
  };
}

const queueMsMax = 60_000;
