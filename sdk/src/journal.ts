import type { QueuedItem, QueueStorage } from './queue.ts';

/** Storage that survives a restart; `fileOutbox` of `@maru/sdk/outbox` is one. */
export interface Outbox {
  /** Returns the undelivered entries of a previous process, oldest first. Throws when another process has it open. */
  open(): readonly OutboxEntry[];
  /** Throws when it cannot be stored. */
  put(entry: OutboxEntry): void;
  drop(id: string): void;
  close(): void;
}

/** A queued call of the service. */
export interface OutboxEntry extends QueuedItem {
  readonly kind: 'registration' | 'leave' | 'sessions' | 'event';
}

/** The outbox of a process, or none. A failure is a warning, never an error of the platform. */
export interface Journal {
  readonly undelivered: readonly OutboxEntry[];
  put(entry: OutboxEntry): void;
  drop(id: string): void;
  close(): void;
}

/** Opens the outbox. Throws when another process has it open: two would deliver each other's entries. */
export function openJournal(outbox: Outbox | undefined, warn: (text: string) => void): Journal {
  const warnOnFailure = (task: () => void): void => {
    try {
      task();
    } catch (error) {
      warn(`svc: the outbox failed, undelivered data is in memory only: ${String(error)}`);
    }
  };
  return {
    undelivered: outbox?.open() ?? [],
    put: (entry) => warnOnFailure(() => outbox?.put(entry)),
    drop: (id) => warnOnFailure(() => outbox?.drop(id)),
    close: () => warnOnFailure(() => outbox?.close()),
  };
}

/** Storage of calls that also finds one by its id. */
export interface JournalStorage extends QueueStorage<OutboxEntry> {
  get(id: string): OutboxEntry | undefined;
}

/** Storage in memory for the queue of some kinds of calls, backed by the journal. */
export function journalStorage(
  journal: Journal,
  kinds: readonly OutboxEntry['kind'][],
): JournalStorage {
  const left = journal.undelivered.filter(({ kind }) => kinds.includes(kind));
  const items = new Map(left.map((entry) => [entry.id, entry]));
  return {
    list: () => [...items.values()],
    get: (id) => items.get(id),
    put(entry) {
      items.set(entry.id, entry);
    },
    drop(id) {
      items.delete(id);
      journal.drop(id);
    },
  };
}
