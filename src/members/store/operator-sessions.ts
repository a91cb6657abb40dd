/** Sessions of operators, by the hash of their token. Their operator's epoch is checked at each use. */
export interface OperatorSessions {
  insert(id: string, session: OperatorSession): Promise<void>;
  /** The session, unless it is over; `isWatching` is a use that does not extend it. */
  live(id: string, use: { readonly isWatching: boolean }): Promise<OperatorSession | null>;
  delete(id: string): Promise<void>;
}

export interface OperatorSession {
  readonly name: string;
  readonly epoch: string;
  readonly device: string;
}

/** Life of a session from its start, and from its last use. */
export const operatorSessionLife = { wholeMs: 8 * 3_600_000, idleMs: 30 * 60_000 };
