import { call, type Target } from './call.ts';
import type { EventBatchAnswer } from './contract.ts';
import type { DeliveryFault, QueuedItem } from './queue.ts';
import { SvcError } from './svc-error.ts';

/**
 * Sends events in one request. Returns null in the place of each delivered event, else its fault. Never throws. `onAnswer`
 * is called for each response, with the fault when it accepted nothing.
 */
export async function sendEvents(
  target: Target,
  batch: readonly QueuedItem[],
  onAnswer?: (fault: SvcError | null) => void,
): Promise<readonly (DeliveryFault | null)[]> {
  // The time of sending shows the service the error of this clock.
  const sentAt = new Date().toISOString();
  const events = batch.map(({ body }) => ({ ...body, sent_at: sentAt }));
  try {
    const { answer } = await call<EventBatchAnswer>(target, '/members/events/batch', 'results', {
      body: { events },
    });
    onAnswer?.(null);
    return batch.map((_, at) => faultOf(answer.results[at]));
  } catch (error) {
    // `call` throws only this class.
    const fault = error as SvcError;
    if (![400, 413, 422].includes(fault.status)) {
      onAnswer?.(fault);
      // The fault concerns the request, not the events.
      return batch.map(() => ({ retryable: true, waitMs: fault.waitMs }));
    }
    // A faulty event refuses the whole batch: sending halves finds it.
    const middle = batch.length >> 1;
    if (middle === 0) return [fault];
    return [
      ...(await sendEvents(target, batch.slice(0, middle), onAnswer)),
      ...(await sendEvents(target, batch.slice(middle), onAnswer)),
    ];
  }
}

function faultOf(result: EventBatchAnswer['results'][number] | undefined): DeliveryFault | null {
  if (!result) return { retryable: true, waitMs: 0, own: true };
  return 'code' in result ? new SvcError(result.status, result.code, result.detail) : null;
}
