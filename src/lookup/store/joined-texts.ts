/** Short texts that are searched together: one scan finds all that contain a word. */
export class JoinedTexts {
  readonly #joined: string;
  /** First unit of each text in the joined one. */
  readonly #starts: Int32Array;

  /** The texts contain no line breaks. */
  constructor(texts: readonly string[]) {
    this.#joined = texts.map((text) => `${text}\n`).join('');
    this.#starts = new Int32Array(texts.length + 1);
    for (const [at, { length }] of texts.entries()) {
      this.#starts[at + 1] = this.#starts[at]! + length + 1;
    }
  }

  text(at: number): string {
    return this.#joined.slice(this.#starts[at], this.#starts[at + 1]! - 1);
  }

  /** Positions of the texts that contain a word, ascending. */
  containing(word: string): number[] {
    const found: number[] = [];
    if (word === '') return found;
    let at = 0;
    for (let unit = this.#joined.indexOf(word); unit >= 0;) {
      while (this.#starts[at + 1]! <= unit) at++;
      found.push(at);
      unit = this.#joined.indexOf(word, this.#starts[at + 1]);
    }
    return found;
  }
}
