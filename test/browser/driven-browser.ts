import assert from 'node:assert/strict';

/** A browser of the machine, driven from outside. */
export interface DrivenBrowser {
  readonly name: string;
  readonly version: string;
  openTab(): Promise<DrivenTab>;
}

export interface DrivenTab {
  /** Loads an address and waits until it is loaded. */
  goTo(url: string): Promise<void>;
  /** Evaluates an expression in the page. Returns its value through JSON, null for undefined; throws its error. */
  run(expression: string): Promise<unknown>;
  close(): Promise<void>;
}

/** Runs an expression that loads another page, and waits for that page. */
export async function leaveBy(tab: DrivenTab, expression: string): Promise<void> {
  await tab.run(`(window.isLeft = true, ${expression})`);
  await until(() => tab.run(`!window.isLeft && document.readyState === 'complete'`));
}

/** Repeats a check until it is true. An error counts as false: a page that is being left cannot answer. */
export async function until(condition: () => Promise<unknown>): Promise<void> {
  const end = performance.now() + 20_000;
  for (;;) {
    if ((await condition().catch(() => false)) === true) return;
    assert.ok(performance.now() < end, 'The condition was not met within 20 seconds.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Wraps an expression so that it gives a text, which all protocols transfer alike. */
export function asText(expression: string): string {
  return `(async () => (${expression}))().then(
    (value) => JSON.stringify({ value: value ?? null }),
    (error) => JSON.stringify({ error: String(error) }))`;
}

/** Value of an expression that `asText` wrapped. Throws the expression's error. */
export function valueOf(text: string): unknown {
  // Written by the expression above.
  const message = JSON.parse(text) as { readonly value: unknown; readonly error?: string };
  if (message.error !== undefined) throw new Error(message.error);
  return message.value;
}
