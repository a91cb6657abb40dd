import type { DatabaseSync } from 'node:sqlite';
import type { AxisDefinition } from '../operations/definition.ts';
import type { AxisRequest } from '../operations/requests.ts';
import { isFault, readAnswer } from '../protocol/answer.ts';
import type { PortalClient } from '../client/client.ts';
import { PortalError } from '../client/portal-error.ts';
import { requestKey } from '../client/request.ts';
import { runLimits } from './limits.ts';
import { factsOf, readPage, type Page, type PageFacts } from './page.ts';
import type { RawPlace, RawStore } from './raw-store.ts';

export interface AnswerBookOptions {
  readonly database: DatabaseSync;
  readonly run: number;
  readonly raw: RawStore;
  readonly axis: AxisDefinition;
  /** Null reads what is stored and asks nobody; facts are then found anew. */
  readonly client: PortalClient | null;
  readonly signal?: AbortSignal;
  /** Rows of an answer that came or was stored. */
  readonly onAnswer?: (rows: number) => void;
}

/**
 * Every answer of a run, from the store or else from the portal: what is stored is never asked for again.
 * A checkpoint is written after the answer it names is durable.
 */
export class AnswerBook {
  readonly #options: AnswerBookOptions;
  readonly #waiting = new Map<string, { readonly place: RawPlace; readonly facts: PageFacts }>();
  readonly #find;
  readonly #insert;
  #flushedAt = performance.now();
  #calls = 0;
  readonly #turns: (() => void)[] = [];
  /** Why nothing more is asked; null while asking goes on. */
  #stopped: unknown = null;

  constructor(options: AnswerBookOptions) {
    this.#options = options;
    const { database } = options;
    this.#find = database.prepare(
      'SELECT segment, offset, bytes, facts FROM answers WHERE run = ? AND key = ?',
    );
    this.#insert = database.prepare('INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?)');
    this.#recover();
  }

  /** The facts of a page at its first look (0) or a later one; null where it is not stored and nobody is asked. */
  async look(request: AxisRequest, look: number): Promise<PageFacts | null> {
    const key = keyOf(request, look);
    const { client, onAnswer } = this.#options;
    const facts = this.#storedFacts(key, request) ?? (await this.#ask(client, key, request));
    if (facts !== null) onAnswer?.(facts.rows);
    return facts;
  }

  /** The rows of a stored page. */
  page(request: AxisRequest, look: number): Page {
    const place = this.#stored(keyOf(request, look))?.place;
    if (place === undefined) throw new Error(`No answer is stored for ${requestKey(request)}.`);
    const { body, status } = this.#options.raw.read(place);
    const answer = readAnswer(body, status);
    if (isFault(answer)) throw new Error(`A stored answer is read as a fault: ${answer.message}`);
    return readPage(answer, this.#options.axis, request);
  }

  /** Makes what came durable, then notes it. */
  flush(): void {
    this.#flushedAt = performance.now();
    if (this.#waiting.size === 0) return;
    const { database, raw } = this.#options;
    raw.sync();
    database.exec('BEGIN IMMEDIATE');
    try {
      for (const [key, { place, facts }] of this.#waiting) {
        this.#note(key, place, JSON.stringify(facts));
      }
      database.exec('COMMIT');
    } catch (error) {
      database.exec('ROLLBACK');
      throw error;
    }
    this.#waiting.clear();
  }

  async #ask(
    client: PortalClient | null,
    key: string,
    request: AxisRequest,
  ): Promise<PageFacts | null> {
    if (client === null) return null;
    const { axis, raw, signal } = this.#options;
    await this.#turn();
    try {
      if (this.#stopped !== null) throw this.#stopped;
      const answer = await client.call(request, signal === undefined ? {} : { signal });
      const facts = factsOf(readPage(answer, axis, request), answer.total);
      const place = raw.append({ key, status: answer.status, body: answer.body });
      this.#waiting.set(key, { place, facts });
      const isLate = performance.now() - this.#flushedAt > runLimits.unsyncedMs;
      if (this.#waiting.size >= runLimits.unsyncedMax || isLate) this.flush();
      return facts;
    } catch (error) {
      if (!isOfThisQuestion(error)) this.#stopped ??= error;
      throw error;
    } finally {
      this.#calls--;
      this.#turns.shift()?.();
    }
  }

  async #turn(): Promise<void> {
    while (this.#calls >= runLimits.callsAtOnceMax) {
      await new Promise<void>((resolve) => void this.#turns.push(resolve));
    }
    this.#calls++;
  }

  #storedFacts(key: string, request: AxisRequest): PageFacts | null {
    const stored = this.#stored(key);
    if (stored === null) return null;
    if (stored.facts !== null && this.#options.client !== null) return stored.facts;
    const { body, status } = this.#options.raw.read(stored.place);
    const answer = readAnswer(body, status);
    if (isFault(answer)) return null;
    return factsOf(readPage(answer, this.#options.axis, request), answer.total);
  }

  #stored(key: string): { place: RawPlace; facts: PageFacts | null } | null {
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) return waiting;
    const row = this.#find.get(this.#options.run, key);
    if (row === undefined) return null;
    const { segment, offset, bytes, facts } = row;
    return {
      place: { segment: Number(segment), offset: Number(offset), bytes: Number(bytes) },
      // Written by this class only.
      facts: facts === null ? null : (JSON.parse(String(facts)) as PageFacts),
    };
  }

  #recover(): void {
    const { database, run, raw } = this.#options;
    const ends = new Map(
      database
        .prepare('SELECT segment, max(offset + bytes) AS end FROM answers WHERE run = ? GROUP BY 1')
        .all(run)
        .map(({ segment, end }) => [Number(segment), Number(end)] as const),
    );
    for (const { key, ...place } of raw.recover(ends)) this.#note(key, place, null);
  }

  #note(key: string, { segment, offset, bytes }: RawPlace, facts: string | null): void {
    this.#insert.run(this.#options.run, key, segment, offset, bytes, facts);
  }
}

/** Whether other questions may fare better: a spent quota or a refused key is the same for all. */
function isOfThisQuestion(error: unknown): boolean {
  return error instanceof PortalError && (error.class === 'request' || error.class === 'retry');
}

function keyOf(request: AxisRequest, look: number): string {
  return `${requestKey(request)}#${look}`;
}
