/** Something that must reach the service, as it is kept until then. */
export interface Kept {
  readonly id: string;
  /** When it happened, in milliseconds since 1970. */
  readonly at: number;
  readonly body: object;
}

/** Where it is kept. */
export interface Shelf {
  /** Oldest first. */
  list(): readonly Kept[];
  put(kept: Kept): void;
  drop(id: string): void;
}

/** Why something was not delivered; an `own` fault says nothing about the others. */
export interface Fault {
  readonly retryable: boolean;
  readonly waitMs: number;
  readonly own?: boolean;
}

/** What became of what waited. */
export interface Report {
  /** How many reached the service since the start. */
  readonly delivered: number;
  /** How many still wait. */
  readonly pending: number;
}

export interface QueueOptions {
  readonly shelf: Shelf;
  readonly batchMax: number;
  /** Of the bodies as JSON; one that is alone larger is never sent. */
  readonly batchBytesMax: number;
  readonly countMax: number;
  /** After so many failures in a row it waits to be asked. */
  readonly failuresMax: number;
  /** Null for each that was delivered. Must not throw. */
  readonly send: (batch: readonly Kept[]) => Promise<readonly (Fault | null)[]>;
  readonly isReady?: (kept: Kept) => boolean;
  /** Given up, because the service will not have it or too many wait. */
  readonly onLost?: (kept: Kept, fault: Fault | null) => void;
}

export interface Queue {
  add(kept: Kept): void;
  /** Goes on at once: something says that the service can be reached. */
  resume(): void;
  /** Tries everything once, and answers after `timeoutMs` in any case. */
  flush(timeoutMs: number): Promise<Report>;
  /** The same, and tries nothing any more. */
  close(timeoutMs: number): Promise<Report>;
}

/** Sends what is on a shelf until it is delivered: after 1 s, and when that fails after 1 s, 2 s, 4 s … 5 min. */
export function createQueue(options: QueueOptions): Queue {
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
    // A platform's process must be able to end. A browser's timer is a number.
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
    let fault: Fault | null = null;
    while (fault === null || fault.own) {
      let room = batchBytesMax;
      const batch = shelf
        .list()
        .filter((kept) => !tried.has(kept.id) && (!isReady || isReady(kept)))
        .slice(0, batchMax)
        .filter(({ body }) => (room -= bytesOf(body)) >= 0);
      if (batch.length === 0) break;
      const faults = await send(batch);
      for (const [at, kept] of batch.entries()) {
        tried.add(kept.id);
        fault = settle(kept, faults[at] ?? null) ?? fault;
      }
    }
    if (fault === null) return;
    rest();
    const backoffMs = Math.min(1_000 * 2 ** failures++, 300_000);
    wake(Math.max(fault.waitMs, (backoffMs * (1 + Math.random())) / 2));
  }

  /** The fault with which it stays. */
  function settle(kept: Kept, fault: Fault | null): Fault | null {
    if (fault?.retryable) return fault;
    shelf.drop(kept.id);
    if (fault) onLost?.(kept, fault);
    else {
      delivered++;
      failures = 0;
    }
    return null;
  }

  async function flush(timeoutMs: number): Promise<Report> {
    await within(run(), timeoutMs);
    return { delivered, pending: shelf.list().length };
  }

  wake(1_000);
  return {
    add(kept) {
      const [oldest, ...others] = shelf.list();
      if (oldest && others.length >= countMax - 1) {
        shelf.drop(oldest.id);
        onLost?.(oldest, null);
      }
      shelf.put(kept);
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

function bytesOf(body: object): number {
  return new TextEncoder().encode(JSON.stringify(body)).length;
}

/** Waits for a task that cannot fail, but no longer than `timeoutMs`. */
export async function within(task: Promise<unknown>, timeoutMs: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  await Promise.race([task, late]);
  clearTimeout(timer);
}
