import type { Kept, Shelf } from './queue.ts';

/** Where things are kept over a restart; `fileOutbox` of `@maru/sdk/outbox` is one. */
export interface Outbox {
  /** What a process before this one left, oldest first. Throws when another process has it. */
  open(): readonly Entry[];
  /** Throws when it cannot be kept. */
  put(entry: Entry): void;
  drop(id: string): void;
  close(): void;
}

/** Something kept, and for whom. */
export interface Entry extends Kept {
  readonly kind: 'registration' | 'event';
}

/** The outbox of a process, if it has one: trouble with it is a warning and never a platform's problem. */
export interface Journal {
  readonly left: readonly Entry[];
  put(entry: Entry): void;
  drop(id: string): void;
  close(): void;
}

/** Opens the outbox. Throws when another process has it: two would deliver and forget each other's. */
export function openJournal(outbox: Outbox | undefined, warn: (text: string) => void): Journal {
  const guarded = (task: () => void): void => {
    try {
      task();
    } catch (error) {
      warn(`svc: the outbox failed, what waits is kept in memory only: ${String(error)}`);
    }
  };
  return {
    left: outbox?.open() ?? [],
    put: (entry) => guarded(() => outbox?.put(entry)),
    drop: (id) => guarded(() => outbox?.drop(id)),
    close: () => guarded(() => outbox?.close()),
  };
}

/** A shelf in memory for one kind, which the journal writes down. */
export function journalShelf(journal: Journal, kind: Entry['kind']): Shelf {
  const left = journal.left.filter((entry) => entry.kind === kind);
  const kept = new Map<string, Kept>(left.map((entry) => [entry.id, entry]));
  return {
    list: () => [...kept.values()],
    put(entry) {
      kept.set(entry.id, entry);
    },
    drop(id) {
      kept.delete(id);
      journal.drop(id);
    },
  };
}
