/** A browser of the machine, driven from outside. */
export interface DrivenBrowser {
  readonly name: string;
  readonly version: string;
  openTab(): Promise<DrivenTab>;
}

export interface DrivenTab {
  /** Loads an address and waits until it is loaded. */
  goTo(url: string): Promise<void>;
  /** The value of an expression in the page, as JSON has it; null where it gives nothing. Throws what it throws. */
  run(expression: string): Promise<unknown>;
  close(): Promise<void>;
}

/** An expression as one that always gives a text, which every protocol brings over the same. */
export function asText(expression: string): string {
  return `(async () => (${expression}))().then(
    (value) => JSON.stringify({ value: value ?? null }),
    (error) => JSON.stringify({ error: String(error) }))`;
}

/** The value that `asText` gave. */
export function valueOf(text: string): unknown {
  // Written by the expression above.
  const message = JSON.parse(text) as { readonly value: unknown; readonly error?: string };
  if (message.error !== undefined) throw new Error(message.error);
  return message.value;
}
