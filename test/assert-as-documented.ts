import assert from 'node:assert/strict';

/** Compares an answer with the one that a document shows: the same keys and values; `…` ends a text that is cut short. */
export function assertAsDocumented(got: unknown, shown: unknown, place: string): void {
  if (typeof shown === 'string' && shown.endsWith('…')) {
    assert.ok(
      typeof got === 'string' && got.startsWith(shown.slice(0, -1)),
      `${place}: ${String(got)}`,
    );
  } else if (
    typeof shown === 'object' &&
    shown !== null &&
    typeof got === 'object' &&
    got !== null
  ) {
    assert.deepEqual(Object.keys(got), Object.keys(shown), place);
    for (const [name, value] of Object.entries(shown)) {
      assertAsDocumented((got as Record<string, unknown>)[name], value, `${place} ${name}`);
    }
  } else {
    assert.deepEqual(got, shown, place);
  }
}
