import type { Clock } from './clock.ts';

/** Limits requests to a steady rate, in the order of their calls. */
interface Pace {
  /** Resolves when the next request may be sent; rejects when the signal is aborted first. */
  turn(signal?: AbortSignal): Promise<void>;
}

/**
 * A bucket of `perSecond` turns that fills evenly: up to a second's worth is available at once, and never more
 * than twice that in any second. No timer runs while no request waits.
 */
export function createPace(perSecond: number, clock: Clock): Pace {
  const intervalMs = 1_000 / perSecond;
  const burstMs = 1_000 - intervalMs;
  let next = Number.NEGATIVE_INFINITY;

  return {
    async turn(signal) {
      signal?.throwIfAborted();
      const now = clock.now();
      // A longer queue means that the clock was set back.
      const due = next - now > queueMsMax ? now : next;
      const at = Math.max(due, now - burstMs);
      next = at + intervalMs;
      if (at > now) await clock.wait(at - now, signal);
    },
  };
}

const queueMsMax = 60_000;
