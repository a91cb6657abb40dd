import { setTimeout as pause } from 'node:timers/promises';
import { PostgresConnection } from './connection.ts';

/** A connection that is opened at its first use, and again after it was lost. */
export class ReconnectingConnection {
  readonly #url: string;
  #opening: Promise<PostgresConnection> | null = null;
  #opened: PostgresConnection | null = null;
  /** Earliest time of the next attempt, on the monotonic clock. */
  #nextAt = 0;

  constructor(url: string) {
    this.#url = url;
  }

  /** Rejects while no connection can be made. */
  connected(): Promise<PostgresConnection> {
    if (this.#opening !== null && this.#opened?.isBroken !== true) return this.#opening;
    this.#opened = null;
    this.#opening = this.#open();
    return this.#opening;
  }

  /** Rejects also if there is none within `waitMs`, while the attempt goes on. */
  async connectedWithin(waitMs: number): Promise<PostgresConnection> {
    if (this.#opened?.isBroken === false) return this.#opened;
    const late = Promise.withResolvers<never>();
    const wait = setTimeout(() => late.reject(new Error('A connection takes too long.')), waitMs);
    try {
      return await Promise.race([this.connected(), late.promise]);
    } finally {
      clearTimeout(wait);
    }
  }

  async close(): Promise<void> {
    await this.#opened?.close();
  }

  async #open(): Promise<PostgresConnection> {
    try {
      await pause(Math.max(0, this.#nextAt - performance.now()));
      this.#opened = await PostgresConnection.open(this.#url);
      return this.#opened;
    } catch (error) {
      this.#opening = null;
      throw error;
    } finally {
      // A server that is taking over accepts connections, and refuses writes. Processes that lost their leader together
      // must not come back together.
      this.#nextAt = performance.now() + pauseMs * (1 + Math.random());
    }
  }
}

const pauseMs = 100;
