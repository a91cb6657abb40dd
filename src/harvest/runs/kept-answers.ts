import { RawStore, type RawPlace } from './raw-store.ts';

/** An answer as it came, the question it belongs to and when it was asked. */
export interface Kept {
  readonly question: string;
  /** ISO 8601 date-time. */
  readonly askedAt: string;
  readonly status: number;
  readonly body: Uint8Array;
}

/**
 * The answers of one run at a door, found by their question, before anybody has parsed them. Opening reads
 * every frame once, which is a second for the 6,600 pages of the longest list: no checkpoint is needed.
 */
export class KeptAnswers implements Disposable {
  readonly #raw: RawStore;
  readonly #places = new Map<string, RawPlace>();
  #unsynced = 0;

  constructor(folder: string) {
    this.#raw = new RawStore(folder);
    for (const { key, ...place } of this.#raw.recover(new Map())) {
      this.#places.set(split(key).question, place);
    }
  }

  /** Null where the question was not answered yet. */
  find(question: string): Kept | null {
    const place = this.#places.get(question);
    if (place === undefined) return null;
    const { key, status, body } = this.#raw.read(place);
    return { ...split(key), status, body };
  }

  keep({ question, askedAt, status, body }: Kept): void {
    this.#places.set(question, this.#raw.append({ key: `${askedAt} ${question}`, status, body }));
    if (++this.#unsynced >= unsyncedMax) this.flush();
  }

  /** Makes what was kept durable. */
  flush(): void {
    this.#raw.sync();
    this.#unsynced = 0;
  }

  /** Every question, in the order of its first answer. */
  get questions(): Iterable<string> {
    return this.#places.keys();
  }

  [Symbol.dispose](): void {
    this.#raw[Symbol.dispose]();
  }
}

/** Answers that wait to be made durable together. */
const unsyncedMax = 16;

function split(key: string): { askedAt: string; question: string } {
  const at = key.indexOf(' ');
  return { askedAt: key.slice(0, at), question: key.slice(at + 1) };
}
