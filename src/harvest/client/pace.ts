import type { Clock } from './clock.ts';

/** Limits requests to a steady rate, in the order of the calls. */
interface Pace {
  /** Resolves when the next request may be sent; rejects when the signal is aborted first. */
  waitForTurn(signal?: AbortSignal): Promise<void>;
}

/**
 * Creates a token bucket of `perSecond` turns that fills evenly. A burst can use the turns of one second at once,
 * so no second has more than twice the rate. No timer runs while no request waits.
 */
export function createPace(perSecond: number, clock: Clock): Pace {
  const intervalMs = 1_000 / perSecond;
  const burstMs = 1_000 - intervalMs;
  let nextSendAt = Number.NEGATIVE_INFINITY;

  return {
    async waitForTurn(signal) {
      signal?.throwIfAborted();
      const now = clock.now();
      // A longer queue means that the clock was set back.
      const dueAt = nextSendAt - now > queueMsMax ? now : nextSendAt;
      const sendAt = Math.max(dueAt, now - burstMs);
      nextSendAt = sendAt + intervalMs;
      if (sendAt > now) await clock.wait(sendAt - now, signal);
    },
  };
}

const queueMsMax = 60_000;
