import { call, type Target } from './call.ts';
import type { EventBatchAnswer } from './contract.ts';
import type { Fault, Kept } from './queue.ts';
import { SvcError } from './svc-error.ts';

/**
 * Sends events at once: null in the place of each that the service has. Never throws. `onAnswer` is told of each answer,
 * with the fault where nothing was taken.
 */
export async function sendEvents(
  target: Target,
  batch: readonly Kept[],
  onAnswer?: (fault: SvcError | null) => void,
): Promise<readonly (Fault | null)[]> {
  // The time of sending tells the service how wrong this clock is.
  const sentAt = new Date().toISOString();
  const events = batch.map(({ body }) => ({ ...body, sent_at: sentAt }));
  try {
    const { answer } = await call<EventBatchAnswer>(target, '/members/events/batch', 'results', {
      body: { events },
    });
    onAnswer?.(null);
    return batch.map((_, at) => faultOf(answer.results[at]));
  } catch (error) {
    // `call` throws nothing else.
    const fault = error as SvcError;
    if (![400, 413, 422].includes(fault.status)) {
      onAnswer?.(fault);
      // It is about how they were sent, not about the events.
      return batch.map(() => ({ retryable: true, waitMs: fault.waitMs }));
    }
    // One of them spoils all the others: halves find it.
    const middle = batch.length >> 1;
    if (middle === 0) return [fault];
    return [
      ...(await sendEvents(target, batch.slice(0, middle), onAnswer)),
      ...(await sendEvents(target, batch.slice(middle), onAnswer)),
    ];
  }
}

function faultOf(result: EventBatchAnswer['results'][number] | undefined): Fault | null {
  if (!result) return { retryable: true, waitMs: 0, own: true };
  return 'code' in result ? new SvcError(result.status, result.code, result.detail) : null;
}
