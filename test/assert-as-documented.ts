import assert from 'node:assert/strict';

/** Asserts that an answer has the keys and values that a document shows; `…` ends a text that the document cuts short. */
export function assertAsDocumented(actual: unknown, documented: unknown, place: string): void {
  if (typeof documented === 'string' && documented.endsWith('…')) {
    assert.ok(
      typeof actual === 'string' && actual.startsWith(documented.slice(0, -1)),
      `${place}: ${String(actual)}`,
    );
  } else if (
    typeof documented === 'object' &&
    documented !== null &&
    typeof actual === 'object' &&
    actual !== null
  ) {
    assert.deepEqual(Object.keys(actual), Object.keys(documented), place);
    for (const [name, value] of Object.entries(documented)) {
      assertAsDocumented((actual as Record<string, unknown>)[name], value, `${place} ${name}`);
    }
  } else {
    assert.deepEqual(actual, documented, place);
  }
}
