/**
 * Parses JSON with its numbers as they are written: one that JavaScript would spell otherwise (`2.50`, `-0`,
 * `1e400`, a code past 2^53) comes as an object that `JSON.stringify` writes as it stood. Throws as
 * `JSON.parse` does.
 */
export function parseExactly(text: string): unknown {
  return unusualNumber.test(text) ? parseWithSource(text, keepSpelling) : JSON.parse(text);
}

/** How a number is written that JavaScript would spell otherwise; null for every other value. */
export function spellingOf(value: unknown): string | null {
  return withSpelling.isRawJSON(value) ? value.rawJSON : null;
}

/**
 * Where a value may stand: minus zero, digits past 15, a small fraction, an exponent, a zero at the end of a
 * fraction. Such numbers are rare, and the way that keeps them takes twice the time.
 */
const unusualNumber =
  /[:[,]\s*(?:-0(?!\.)|-?(?:[\d.]{16}|0\.0{6}|\d+(?:\.\d*)?[eE]|\d+\.\d*0(?!\d)))/u;

function keepSpelling(
  _: string,
  value: unknown,
  { source }: { readonly source?: string },
): unknown {
  const isOther = typeof value === 'number' && source !== undefined && String(value) !== source;
  return isOther ? withSpelling.rawJSON(source) : value;
}

// Both are in the runtime (ECMAScript 2026, JSON.parse source text access), not yet in the type library.
const parseWithSource = JSON.parse as (
  text: string,
  reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
) => unknown;
const withSpelling = JSON as unknown as {
  rawJSON(text: string): unknown;
  isRawJSON(value: unknown): value is { readonly rawJSON: string };
};
