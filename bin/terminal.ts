/** Prints a result on standard output; progress goes to standard error. */
export function print(text: string): void {
  process.stdout.write(`${withoutControls(text)}\n`);
}

/** Replaces control characters, because names from outside could rewrite the terminal. */
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

export function count(value: number): string {
  return value.toLocaleString('en-US');
}

/** A number with its noun: `1 axis`, `2 axes`. */
export function several(number: number, one: string, many = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : many}`;
}

/**
 * A progress line on the terminal that the next one overwrites. It is not shown in a pipe, where notes show the
 * progress.
 */
export class ProgressLine implements Disposable {
  #shown = '';
  #drawnAt = 0;

  update(text: string): void {
    if (!process.stderr.isTTY || performance.now() - this.#drawnAt < drawEveryMs) return;
    this.#drawnAt = performance.now();
    this.#draw(text.slice(0, (process.stderr.columns || 80) - 1));
  }

  /** Prints a line that stays, above the progress. */
  note(text: string): void {
    this.#draw('');
    process.stderr.write(`${withoutControls(text)}\n`);
  }

  [Symbol.dispose](): void {
    this.#draw('');
  }

  #draw(text: string): void {
    if (this.#shown === '' && text === '') return;
    process.stderr.write(`\r${text.padEnd(this.#shown.length)}\r${text}`);
    this.#shown = text;
  }
}

const drawEveryMs = 100;
