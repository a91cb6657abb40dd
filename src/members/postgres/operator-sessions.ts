import {
  operatorSessionLife,
  type OperatorSession,
  type OperatorSessions,
} from '../store/operator-sessions.ts';
import type { GroupTransactions } from './group-transactions.ts';
import type { SeparateReads } from './separate-reads.ts';
import { statement } from './statement.ts';

/**
 * Sessions of operators in the database, for all processes. The clock is the server's, which no process can set back;
 * the last use is noted to the minute.
 */
export class PostgresOperatorSessions implements OperatorSessions {
  readonly #reads: SeparateReads;
  readonly #writes: GroupTransactions;

  constructor(reads: SeparateReads, writes: GroupTransactions) {
    this.#reads = reads;
    this.#writes = writes;
  }

  async insert(id: string, { name, epoch, device }: OperatorSession): Promise<void> {
    await this.#writes.run(async (runner) => {
      await runner.run(removeOver);
      await runner.run(insert, id, name, epoch, device);
    });
  }

  async live(
    id: string,
    { isWatching }: { readonly isWatching: boolean },
  ): Promise<OperatorSession | null> {
    const found = await this.#reads.one(live, id);
    if (found === null) return null;
    if (found.isDue && !isWatching) await this.#writes.run((runner) => runner.run(touch, id));
    return found;
  }

  async delete(id: string): Promise<void> {
    await this.#writes.run((runner) => runner.run(remove, id));
  }
}

const { wholeMs, idleMs } = operatorSessionLife;
const isLive = `started_at > now() - interval '${wholeMs} milliseconds'
  AND seen_at > now() - interval '${idleMs} milliseconds'`;

const live = statement<OperatorSession & { readonly isDue: boolean }>(
  `SELECT name, epoch, device, seen_at < now() - interval '1 minute' AS is_due FROM operator_sessions
   WHERE id = $1 AND ${isLive}`,
);
const insert = statement(
  `INSERT INTO operator_sessions (id, name, epoch, device) VALUES ($1, $2, $3, $4)`,
);
const touch = statement(`UPDATE operator_sessions SET seen_at = now() WHERE id = $1 AND ${isLive}`);
const remove = statement(`DELETE FROM operator_sessions WHERE id = $1`);
const removeOver = statement(`DELETE FROM operator_sessions WHERE NOT (${isLive})`);
