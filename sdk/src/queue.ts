/** Data to deliver to the service. */
export interface QueuedItem {
  readonly id: string;
  /** Time of its creation, in milliseconds since 1970. */
  readonly at: number;
  readonly body: object;
}

/** Storage of undelivered items. */
export interface QueueStorage<Item extends QueuedItem = QueuedItem> {
  /** Oldest first. */
  list(): readonly Item[];
  put(item: Item): void;
  drop(id: string): void;
}

/** Cause of a failed delivery. With `own`, it concerns only this item. */
export interface DeliveryFault {
  readonly retryable: boolean;
  readonly waitMs: number;
  readonly own?: boolean;
}

/** Numbers of delivered and undelivered items. */
export interface DeliveryReport {
  /** Items delivered since the start. */
  readonly delivered: number;
  /** Items that are still waiting. */
  readonly pending: number;
}

interface QueueOptions<Item extends QueuedItem> {
  /** Named as in the published script, whose bytes are fixed. */
  readonly shelf: QueueStorage<Item>;
  readonly batchMax: number;
  /** Largest size of a batch as JSON; a larger single item is never sent. */
  readonly batchBytesMax: number;
  readonly countMax: number;
  /** Consecutive failures after which it waits for `resume` or `flush`. */
  readonly failuresMax: number;
  /** Returns null for each delivered item, else its fault. Must not throw. */
  readonly send: (batch: readonly Item[]) => Promise<readonly (DeliveryFault | null)[]>;
  readonly isReady?: (item: Item) => boolean;
  /** Called for an item that is dropped: with the fault of a refusal, or null when too many wait. */
  readonly onLost?: (item: Item, fault: DeliveryFault | null) => void;
}

export interface Queue<Item extends QueuedItem = QueuedItem> {
  add(item: Item): void;
  /** Sends now, because the service is reachable again. */
  resume(): void;
  /** Attempts everything once; resolves within `timeoutMs`. */
  flush(timeoutMs: number): Promise<DeliveryReport>;
  /** Like `flush`, and stops sending. */
  close(timeoutMs: number): Promise<DeliveryReport>;
}

/** Sends stored items until they are delivered: after 1 s, and after failures with a backoff of 1 s, 2 s, 4 s … 5 min. */
export function createQueue<Item extends QueuedItem>(options: QueueOptions<Item>): Queue<Item> {
  const { shelf, batchMax, batchBytesMax, countMax, failuresMax, send, isReady, onLost } = options;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> | undefined;
  let failures = 0;
  let delivered = 0;
  let closed = false;

  function wake(delayMs: number): void {
    if (closed || timer !== undefined || failures >= failuresMax) return;
    timer = setTimeout(() => {
      timer = undefined;
      void run();
    }, delayMs);
    // The timer must not keep a process alive. In a browser it is a number.
    (timer as { unref?: () => void }).unref?.();
  }

  function rest(): void {
    clearTimeout(timer);
    timer = undefined;
  }

  function run(): Promise<void> {
    running ??= round().finally(() => {
      running = undefined;
    });
    return running;
  }

  async function round(): Promise<void> {
    const tried = new Set<string>();
    let fault: DeliveryFault | null = null;
    while (fault === null || fault.own) {
      let room = batchBytesMax;
      const batch = shelf
        .list()
        .filter((item) => !tried.has(item.id) && (!isReady || isReady(item)))
        .slice(0, batchMax)
        .filter(({ body }) => (room -= bytesOf(body)) >= 0);
      if (batch.length === 0) break;
      const faults = await send(batch);
      for (const [at, item] of batch.entries()) {
        tried.add(item.id);
        fault = settle(item, faults[at] ?? null) ?? fault;
      }
    }
    if (fault === null) return;
    rest();
    const backoffMs = Math.min(1_000 * 2 ** failures++, 300_000);
    wake(Math.max(fault.waitMs, (backoffMs * (1 + Math.random())) / 2));
  }

  /** Drops an item that is delivered or refused; returns the fault of one that stays. */
  function settle(item: Item, fault: DeliveryFault | null): DeliveryFault | null {
    if (fault?.retryable) return fault;
    shelf.drop(item.id);
    if (fault) onLost?.(item, fault);
    else {
      delivered++;
      failures = 0;
    }
    return null;
  }

  async function flush(timeoutMs: number): Promise<DeliveryReport> {
    await within(run(), timeoutMs);
    return { delivered, pending: shelf.list().length };
  }

  wake(1_000);
  return {
    add(item) {
      const [oldest, ...others] = shelf.list();
      if (oldest && others.length >= countMax - 1) {
        shelf.drop(oldest.id);
        onLost?.(oldest, null);
      }
      shelf.put(item);
      wake(1_000);
    },
    resume() {
      failures = 0;
      rest();
      wake(0);
    },
    flush,
    close(timeoutMs) {
      rest();
      closed = true;
      return flush(timeoutMs);
    },
  };
}

/** Size of a body as JSON. */
export function bytesOf(body: object): number {
  return new TextEncoder().encode(JSON.stringify(body)).length;
}

/** Waits for a task that cannot fail, at most `timeoutMs`. */
export async function within(task: Promise<unknown>, timeoutMs: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  await Promise.race([task, late]);
  clearTimeout(timer);
}
