import { storageUnavailable } from '../../kernel/storage-failure.ts';
import { isStoreFailure } from './failure.ts';
import type { Runner } from './part.ts';
import { ReconnectingConnection } from './reconnecting.ts';
import type { Statement } from './statement.ts';

/** Statements that read committed state, each by itself, on a few connections. */
export class SeparateReads implements Runner {
  readonly nextIds = { member: null, membership: null };
  readonly #lines: readonly Line[];
  /** The connection of this turn of the event loop. */
  #line: Line | null = null;

  constructor(url: string, connectionsMax: number) {
    const line = () => ({ connection: new ReconnectingConnection(url), pending: 0 });
    this.#lines = Array.from({ length: connectionsMax }, line);
  }

  async one<Row>(statement: Statement<Row>, ...values: readonly unknown[]): Promise<Row | null> {
    return (await this.many(statement, ...values))[0] ?? null;
  }

  /** A connection may have been lost since it was last used, which shows at once: then the statement is sent again. */
  async many<Row>(statement: Statement<Row>, ...values: readonly unknown[]): Promise<Row[]> {
    const sentAt = performance.now();
    try {
      return await this.#send(statement, values);
    } catch (error) {
      if (!isStoreFailure(error)) throw error;
      if (performance.now() - sentAt > repeatMs) throw storageUnavailable(error);
    }
    try {
      return await this.#send(statement, values);
    } catch (error) {
      throw isStoreFailure(error) ? storageUnavailable(error) : error;
    }
  }

  change(): Promise<number> {
    return Promise.reject(new Error('A read changes nothing.'));
  }

  run(): Promise<void> {
    return Promise.reject(new Error('A read changes nothing.'));
  }

  add(): void {
    throw new Error('A read changes nothing.');
  }

  noteErased(): void {
    throw new Error('A read erases nothing.');
  }

  claim(): boolean {
    return false;
  }

  async close(): Promise<void> {
    await Promise.all(this.#lines.map(({ connection }) => connection.close()));
  }

  /** Sends on the connection of this turn. */
  async #send<Row>(statement: Statement<Row>, values: readonly unknown[]): Promise<Row[]> {
    const line = (this.#line ??= this.#choose());
    line.pending++;
    try {
      const connection = await line.connection.connectedWithin(connectionMs);
      return (await connection.run(statement, values)).rows;
    } finally {
      line.pending--;
    }
  }

  /**
   * Chooses the connection with the fewest statements under way, so that a long list delays only what waits behind it.
   * Reads of one turn stay together, so that equal ones run once.
   */
  #choose(): Line {
    setImmediate(() => (this.#line = null));
    return this.#lines.reduce((best, each) => (each.pending < best.pending ? each : best));
  }
}

/** Longest wait for a connection. */
const connectionMs = 2_000;

/** Longest time after which a failed read is sent again: one that waited for longer must be answered. */
const repeatMs = 500;

interface Line {
  readonly connection: ReconnectingConnection;
  /** Statements without a result. */
  pending: number;
}
