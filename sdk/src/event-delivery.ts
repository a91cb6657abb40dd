import { reasonOf, type Target } from './call.ts';
import type { EventBody } from './contract.ts';
import { sendEvents } from './event-batch.ts';
import { newIdentifier } from './identifier.ts';
import { journalStorage, type Journal, type OutboxEntry } from './journal.ts';
import {
  createQueue,
  type DeliveryFault,
  type QueuedItem,
  type Queue,
  type DeliveryReport,
} from './queue.ts';
import { SvcError } from './svc-error.ts';

interface EventDeliveryOptions {
  readonly target: Target;
  readonly journal: Journal;
  readonly warn: (text: string) => void;
  readonly countMax: number;
}

/** Sends events in batches. Each has an id, so that it counts once even if it is sent again. */
export class EventDelivery {
  readonly #options: EventDeliveryOptions;
  readonly #queue: Queue<OutboxEntry>;
  #hasWarned = false;

  constructor(options: EventDeliveryOptions) {
    const { journal, countMax, warn } = options;
    this.#options = options;
    this.#queue = createQueue({
      shelf: journalStorage(journal, ['event']),
      batchMax,
      batchBytesMax,
      countMax,
      failuresMax: Infinity,
      send: (batch) => this.#send(batch),
      onLost: (_, fault) =>
        warn(
          fault === null
            ? `svc: an event was dropped: more than ${countMax} are waiting.`
            : `svc: an event was refused (${fault instanceof SvcError ? reasonOf(fault) : 'refused'}).`,
        ),
    });
  }

  log(event: EventBody): Promise<string | null> {
    const item = entryOf(event);
    if (item === null) {
      this.#options.warn('svc: an event is not JSON of up to 9 KB and was not sent.');
      return Promise.resolve(null);
    }
    this.#options.journal.put(item);
    this.#queue.add(item);
    return Promise.resolve((item.body as EventBody).event_id ?? null);
  }

  flush(timeoutMs: number): Promise<DeliveryReport> {
    return this.#queue.flush(timeoutMs);
  }

  close(timeoutMs: number): Promise<DeliveryReport> {
    return this.#queue.close(timeoutMs);
  }

  #send(batch: readonly QueuedItem[]): Promise<readonly (DeliveryFault | null)[]> {
    const { target, warn } = this.#options;
    return sendEvents(target, batch, (fault) => {
      if (fault && !this.#hasWarned) warn(`svc: events wait for the service (${reasonOf(fault)}).`);
      this.#hasWarned = fault !== null;
    });
  }
}

/** The service accepts 100 events and 512 KB in a request, and 8 KB of `meta`. */
const batchMax = 100;
const batchBytesMax = 500_000;
const eventBytesMax = 9_000;

/** A copy, because the platform may change its object later. Null for an event that cannot be sent. */
function entryOf(event: EventBody): OutboxEntry | null {
  const at = Date.now();
  try {
    const text = JSON.stringify({
      ...event,
      event_id: event.event_id ?? newIdentifier(),
      occurred_at: event.occurred_at ?? new Date(at).toISOString(),
    });
    if (new TextEncoder().encode(text).length > eventBytesMax) return null;
    return { id: newIdentifier(), at, kind: 'event', body: JSON.parse(text) as object };
  } catch {
    return null;
  }
}
