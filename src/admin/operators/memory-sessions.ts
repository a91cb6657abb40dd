import {
  operatorSessionLife,
  type OperatorSession,
  type OperatorSessions,
} from '../../members/store/operator-sessions.ts';

/** Sessions of operators in the memory of this process; a restart ends them. */
export class MemorySessions implements OperatorSessions {
  /** A monotonic clock, because setting the system clock back must not extend a session. */
  readonly #now: () => number;
  readonly #sessions = new Map<string, TimedSession>();

  constructor(now: () => number) {
    this.#now = now;
  }

  insert(id: string, session: OperatorSession): Promise<void> {
    const now = this.#now();
    if (this.#sessions.size >= sessionsMax) {
      this.#sessions.delete(this.#sessions.keys().next().value!);
    }
    this.#sessions.set(id, { ...session, startedAt: now, seenAt: now });
    return Promise.resolve();
  }

  live(id: string, { isWatching }: { readonly isWatching: boolean }) {
    const session = this.#sessions.get(id);
    if (session === undefined) return Promise.resolve(null);
    const now = this.#now();
    const { wholeMs, idleMs } = operatorSessionLife;
    if (now - session.startedAt >= wholeMs || now - session.seenAt >= idleMs) {
      this.#sessions.delete(id);
      return Promise.resolve(null);
    }
    if (!isWatching) session.seenAt = now;
    return Promise.resolve(session);
  }

  delete(id: string): Promise<void> {
    this.#sessions.delete(id);
    return Promise.resolve();
  }
}

interface TimedSession extends OperatorSession {
  readonly startedAt: number;
  seenAt: number;
}

const sessionsMax = 1_000;
