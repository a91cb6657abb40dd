/** Cache of the most recently used values, bounded by their bytes. */
export class ByteCache<Value> {
  readonly #entries = new Map<string, { readonly value: Value; readonly bytes: number }>();
  readonly #bytesMax: number;
  readonly #entryBytesMax: number;
  #bytes = 0;

  /** A larger entry is not stored: by default one of more than an eighth, which would evict the rest. */
  constructor(bytesMax: number, entryBytesMax = bytesMax / 8) {
    this.#bytesMax = bytesMax;
    this.#entryBytesMax = entryBytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    // A Map keeps the order of insertion: its first entry is the least recently used.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** Stores a value in place of an earlier one, unless it has too many bytes. */
  set(key: string, value: Value, bytes: number): void {
    this.delete(key);
    if (bytes > this.#entryBytesMax) return;
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
