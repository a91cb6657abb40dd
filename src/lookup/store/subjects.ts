/** The parts of a dataset’s description that make it about terms of a query. */
export interface Subjects {
  /** Terms that it is about, a bit each by their position. */
  readonly fulfilled: number;
  /** By the position of the term. */
  readonly byTerm: readonly (Subject | undefined)[];
}

/** Part of a dataset’s description that has a word of a query. */
export type SubjectKind = 'title' | 'synonym' | 'label';

export interface Subject {
  readonly kind: SubjectKind;
  /** The word or label that was found, without blanks. */
  readonly text: string;
}

/** A subject, and the positions of the datasets with it in ascending order. */
export interface FoundSubject {
  /** Position of the term. */
  readonly term: number;
  readonly subject: Subject;
  readonly places: readonly number[];
}

/**
 * Subjects of the datasets that are about terms of a query, by the code of the axis. A word of titles is that of ten
 * thousands of axes, so those of an axis are put together when they are read.
 */
export class SubjectsByAxis {
  /** Terms that each axis is about, by its position: a bit each, since a query has 16 at most. */
  readonly fulfilled: Uint16Array;
  /** Number of axes with subjects. */
  readonly size: number;
  readonly #codes: readonly string[];
  readonly #positions: ReadonlyMap<string, number>;
  /** The first one that has a place is the subject of its term there. */
  readonly #found: readonly FoundSubject[];

  constructor(
    codes: readonly string[],
    positions: ReadonlyMap<string, number>,
    found: readonly FoundSubject[],
  ) {
    this.#codes = codes;
    this.#positions = positions;
    this.#found = found;
    this.fulfilled = new Uint16Array(found.length === 0 ? 0 : codes.length);
    let size = 0;
    for (const { term, places } of found) {
      for (const at of places) {
        if (this.fulfilled[at] === 0) size++;
        this.fulfilled[at]! |= 1 << term;
      }
    }
    this.size = size;
  }

  /** Estimated bytes in memory. */
  get bytes(): number {
    const places = this.#found.reduce((sum, found) => sum + found.places.length, 0);
    return queryBytes + this.fulfilled.byteLength + places * placeBytes;
  }

  get(code: string): Subjects | undefined {
    const at = this.#positions.get(code) ?? -1;
    const fulfilled = this.fulfilled[at] ?? 0;
    return fulfilled === 0 ? undefined : { fulfilled, byTerm: this.#byTerm(at) };
  }

  /** Codes of the axes with subjects, in the order of the axes. */
  *keys(): Generator<string, void> {
    for (const [at, fulfilled] of this.fulfilled.entries())
      if (fulfilled !== 0) yield this.#codes[at]!;
  }

  *[Symbol.iterator](): Generator<[string, Subjects], void> {
    for (const [at, fulfilled] of this.fulfilled.entries())
      if (fulfilled !== 0) yield [this.#codes[at]!, { fulfilled, byTerm: this.#byTerm(at) }];
  }

  #byTerm(at: number): (Subject | undefined)[] {
    const byTerm: (Subject | undefined)[] = [];
    for (const { term, subject, places } of this.#found)
      if (byTerm[term] === undefined && includes(places, at)) byTerm[term] = subject;
    return byTerm;
  }
}

const placeBytes = 8;
const queryBytes = 500;

function includes(places: readonly number[], at: number): boolean {
  let from = 0;
  let to = places.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (places[middle]! < at) from = middle + 1;
    else to = middle;
  }
  return places[from] === at;
}
