/** Prints a result on standard output; progress goes to standard error. */
export function print(text: string): void {
  process.stdout.write(`${withoutControls(text)}\n`);
}

/** Replaces control characters, with which names from outside could rewrite the terminal. */
function withoutControls(text: string): string {
  // oxlint-disable-next-line no-control-regex -- Control characters are what it removes.
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]+/g, ' ');
}

/** Replaces line breaks and other white space by blanks in a text from outside, such as a file’s name. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

/** Formats a number with thousands separators. */
export function formatCount(value: number): string {
  return value.toLocaleString('en-US');
}

/** Formats a number with its noun: `1 axis`, `2 axes`. */
export function withNoun(number: number, one: string, many = `${one}s`): string {
  return `${formatCount(number)} ${number === 1 ? one : many}`;
}

/** A line of progress on the terminal; each update overwrites it. If standard error is a pipe, only notes are written. */
export class ProgressLine implements Disposable {
  #line = '';
  #drawnAtMs = 0;

  /** Draws the line of `write`, which is only called when it is time to draw. */
  update(write: () => string): void {
    if (!process.stderr.isTTY || performance.now() - this.#drawnAtMs < drawIntervalMs) return;
    this.#drawnAtMs = performance.now();
    this.#draw(write().slice(0, (process.stderr.columns || 80) - 1));
  }

  /** Prints a permanent line above the progress. */
  note(text: string): void {
    this.#draw('');
    process.stderr.write(`${withoutControls(text)}\n`);
  }

  [Symbol.dispose](): void {
    this.#draw('');
  }

  #draw(text: string): void {
    if (this.#line === '' && text === '') return;
    process.stderr.write(`\r${text.padEnd(this.#line.length)}\r${text}`);
    this.#line = text;
  }
}

const drawIntervalMs = 100;
