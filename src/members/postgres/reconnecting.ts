import { PostgresConnection } from './connection.ts';

/** A connection that is opened at its first use, and again after it was lost. */
export class ReconnectingConnection {
  readonly #url: string;
  #opening: Promise<PostgresConnection> | null = null;
  #opened: PostgresConnection | null = null;

  constructor(url: string) {
    this.#url = url;
  }

  /** Rejects while no connection can be made; for a moment after a failure with that of the last attempt. */
  connected(): Promise<PostgresConnection> {
    if (this.#opening !== null && this.#opened?.isBroken !== true) return this.#opening;
    this.#opened = null;
    this.#opening = this.#open();
    return this.#opening;
  }

  async close(): Promise<void> {
    await this.#opened?.close();
  }

  async #open(): Promise<PostgresConnection> {
    try {
      this.#opened = await PostgresConnection.open(this.#url);
      return this.#opened;
    } catch (error) {
      // Processes that lost their leader together must not come back together.
      const pause = pauseMs * (1 + Math.random());
      setTimeout(() => (this.#opening = null), pause).unref();
      throw error;
    }
  }
}

const pauseMs = 100;
