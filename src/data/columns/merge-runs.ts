import { compareTyped, type TypedValue } from './typed-value.ts';

/**
 * Merges sorted runs of values: calls `add` for each distinct value, in order. Returns an array for each run: at the
 * position of a value, counted from 1, it has the result of `add`. Position 0 stands for null and stays 0.
 */
export function mergeRuns(
  runs: readonly { readonly valueCount: number; readonly sorted: Iterator<TypedValue> }[],
  add: (value: TypedValue) => number,
): Uint32Array[] {
  const codes = runs.map(({ valueCount }) => new Uint32Array(valueCount + 1));
  const heap = new RunHeap();
  for (const [run, { sorted }] of runs.entries()) heap.push({ run, position: 0, sorted });
  let last: TypedValue | null = null;
  let code = 0;
  for (let head = heap.first; head !== null; head = heap.first) {
    const { run, position, value } = head;
    if (last === null || compareTyped(last, value) !== 0) code = add(value);
    last = value;
    codes[run]![position] = code;
    heap.advanceFirst();
  }
  return codes;
}

interface RunCursor {
  readonly run: number;
  readonly sorted: Iterator<TypedValue>;
  position: number;
}

interface RunHead extends RunCursor {
  value: TypedValue;
}

/** Binary heap of runs by their next value. */
class RunHeap {
  readonly #heads: RunHead[] = [];

  get first(): RunHead | null {
    return this.#heads[0] ?? null;
  }

  push(cursor: RunCursor): void {
    const next = cursor.sorted.next();
    if (next.done === true) return;
    this.#heads.push({ ...cursor, position: cursor.position + 1, value: next.value });
    this.#rise(this.#heads.length - 1);
  }

  /** Moves the first run to its next value, or removes it after its last. */
  advanceFirst(): void {
    const head = this.#heads[0]!;
    const next = head.sorted.next();
    if (next.done === true) {
      const last = this.#heads.pop()!;
      if (this.#heads.length === 0) return;
      this.#heads[0] = last;
    } else {
      head.position++;
      head.value = next.value;
    }
    this.#sink(0);
  }

  #rise(from: number): void {
    for (let at = from; at > 0;) {
      const parent = (at - 1) >>> 1;
      if (!this.#isBefore(at, parent)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  #sink(from: number): void {
    for (let at = from; ;) {
      let least = at;
      for (const child of [at * 2 + 1, at * 2 + 2]) {
        if (child < this.#heads.length && this.#isBefore(child, least)) least = child;
      }
      if (least === at) return;
      this.#swap(at, least);
      at = least;
    }
  }

  #isBefore(a: number, b: number): boolean {
    return compareTyped(this.#heads[a]!.value, this.#heads[b]!.value) < 0;
  }

  #swap(a: number, b: number): void {
    [this.#heads[a], this.#heads[b]] = [this.#heads[b]!, this.#heads[a]!];
  }
}
