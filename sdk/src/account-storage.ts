import { journalStorage, type Journal, type JournalStorage, type OutboxEntry } from './journal.ts';
import type { QueueStorage } from './queue.ts';

/** Ids of the users whose registration or leave waits, and of the members whose sessions are to end. */
interface WaitingIds {
  readonly users: ReadonlySet<string>;
  readonly members: ReadonlySet<string | null>;
}

/** Storage of calls about users and members. It also counts first attempts, which it does not list. */
export class AccountStorage implements QueueStorage<OutboxEntry> {
  readonly #queued: JournalStorage;
  readonly #users = new Map<string, number>();
  readonly #leavingUsers = new Map<string, number>();
  readonly #members = new Map<string, number>();
  #waiting: WaitingIds | null = null;

  constructor(journal: Journal) {
    this.#queued = journalStorage(journal, ['registration', 'leave', 'sessions']);
    for (const entry of this.list()) this.#count(entry, 1);
  }

  list(): readonly OutboxEntry[] {
    return this.#queued.list();
  }

  has(id: string): boolean {
    return this.#queued.get(id) !== undefined;
  }

  put(entry: OutboxEntry): void {
    this.#queued.put(entry);
    this.#count(entry, 1);
  }

  drop(id: string): void {
    const entry = this.#queued.get(id);
    if (entry === undefined) return;
    this.#queued.drop(id);
    this.#count(entry, -1);
  }

  beginFirstAttempt(entry: OutboxEntry): void {
    this.#count(entry, 1);
  }

  endFirstAttempt(entry: OutboxEntry): void {
    this.#count(entry, -1);
  }

  /** True while a leave of the user waits. */
  isLeaving(localUserId: string): boolean {
    return this.#leavingUsers.has(localUserId);
  }

  /** Returns new sets once a call was added or dropped: a reader keeps those of its own time. */
  waiting(): WaitingIds {
    this.#waiting ??= {
      users: new Set(this.#users.keys()),
      members: new Set(this.#members.keys()),
    };
    return this.#waiting;
  }

  #count(entry: OutboxEntry, change: 1 | -1): void {
    this.#waiting = null;
    const user = userOf(entry);
    const member = memberOf(entry);
    if (user !== null) add(this.#users, user, change);
    if (user !== null && entry.kind === 'leave') add(this.#leavingUsers, user, change);
    if (member !== null) add(this.#members, member, change);
  }
}

/** Id of the user of a registration or leave. */
export function userOf({ body }: OutboxEntry): string | null {
  return 'local_user_id' in body ? String(body.local_user_id) : null;
}

/** The `svc_uid` of a member whose sessions are to end. */
export function memberOf({ body }: OutboxEntry): string | null {
  return 'svc_uid' in body ? String(body.svc_uid) : null;
}

function add(counts: Map<string, number>, id: string, change: 1 | -1): void {
  const count = (counts.get(id) ?? 0) + change;
  if (count === 0) counts.delete(id);
  else counts.set(id, count);
}
