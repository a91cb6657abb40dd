import { reasonOf, type Target } from './call.ts';
import type { EventBody } from './contract.ts';
import { sendEvents } from './event-batch.ts';
import { newIdentifier } from './identifier.ts';
import { journalShelf, type Journal } from './journal.ts';
import { createQueue, type Fault, type Kept, type Queue, type Report } from './queue.ts';
import { SvcError } from './svc-error.ts';

export interface EventDeliveryOptions {
  readonly target: Target;
  readonly journal: Journal;
  readonly warn: (text: string) => void;
  readonly countMax: number;
}

/** Sends events in batches, each with an id by which it counts once however often it is sent. */
export class EventDelivery {
  readonly #options: EventDeliveryOptions;
  readonly #queue: Queue;
  #warned = false;

  constructor(options: EventDeliveryOptions) {
    const { journal, countMax, warn } = options;
    this.#options = options;
    this.#queue = createQueue({
      shelf: journalShelf(journal, 'event'),
      batchMax,
      batchBytesMax,
      countMax,
      failuresMax: Infinity,
      send: (batch) => this.#send(batch),
      onLost: (_, fault) =>
        warn(
          fault === null
            ? `svc: an event is given up: more than ${countMax} wait.`
            : `svc: an event was refused (${fault instanceof SvcError ? reasonOf(fault) : 'refused'}).`,
        ),
    });
  }

  log(event: EventBody): Promise<string | null> {
    const kept = keep(event);
    if (kept === null) {
      this.#options.warn('svc: an event is no JSON of up to 9 KB and was not sent.');
      return Promise.resolve(null);
    }
    this.#options.journal.put({ ...kept, kind: 'event' });
    this.#queue.add(kept);
    return Promise.resolve((kept.body as EventBody).event_id ?? null);
  }

  flush(timeoutMs: number): Promise<Report> {
    return this.#queue.flush(timeoutMs);
  }

  close(timeoutMs: number): Promise<Report> {
    return this.#queue.close(timeoutMs);
  }

  #send(batch: readonly Kept[]): Promise<readonly (Fault | null)[]> {
    const { target, warn } = this.#options;
    return sendEvents(target, batch, (fault) => {
      if (fault && !this.#warned) warn(`svc: events wait for the service (${reasonOf(fault)}).`);
      this.#warned = fault !== null;
    });
  }
}

/** The service takes 100 at once, 512 KB with the time of sending in each, and 8 KB of `meta`. */
const batchMax = 100;
const batchBytesMax = 500_000;
const eventBytesMax = 9_000;

/** As it is now: the platform may change its object later. Null for what cannot be sent. */
function keep(event: EventBody): Kept | null {
  const at = Date.now();
  try {
    const text = JSON.stringify({
      ...event,
      event_id: event.event_id ?? newIdentifier(),
      occurred_at: event.occurred_at ?? new Date(at).toISOString(),
    });
    if (new TextEncoder().encode(text).length > eventBytesMax) return null;
    return { id: newIdentifier(), at, body: JSON.parse(text) as object };
  } catch {
    return null;
  }
}
