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
  /** The value of an expression in the page, as JSON has it; null where it gives nothing. Throws what it throws. */
  run(expression: string): Promise<unknown>;
  close(): Promise<void>;
}

/** Does something that loads another page, and waits for it. */
export async function leaveBy(tab: DrivenTab, expression: string): Promise<void> {
  await tab.run(`(window.isLeft = true, ${expression})`);
  await until(() => tab.run(`!window.isLeft && document.readyState === 'complete'`));
}

/** Repeats it until it is so; a page that is being left answers nothing. */
export async function until(condition: () => Promise<unknown>): Promise<void> {
  const end = performance.now() + 20_000;
  for (;;) {
    if ((await condition().catch(() => false)) === true) return;
    assert.ok(performance.now() < end, 'What was waited for did not come.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
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
