/** Keeps what was used last, up to a number of bytes. */
export class ByteCache<Value> {
  readonly #entries = new Map<string, { readonly value: Value; readonly bytes: number }>();
  readonly #bytesMax: number;
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    // A Map keeps the order of insertion: the first is what was used longest ago.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** A value that would take more than an eighth of the room is not kept: it would throw out the rest. */
  set(key: string, value: Value, bytes: number): void {
    if (bytes > this.#bytesMax / 8) return;
    this.delete(key);
    this.#entries.set(key, { value, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= this.#bytesMax) break;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#bytes -= entry.bytes;
  }
}
