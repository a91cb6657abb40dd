/**
 * Parses JSON with its numbers as they are written: one that JavaScript would spell otherwise (`2.50`, `-0`,
 * `1e400`, a code past 2^53) becomes what `instead` makes of its spelling, without it an object that
 * `JSON.stringify` writes as it stood. Throws as `JSON.parse` does.
 */
export function parseExactly(
  text: string,
  instead = (spelling: string): unknown => withSpelling.rawJSON(spelling),
): unknown {
  if (!unusualNumber.test(text)) return JSON.parse(text);
  return parseWithSource(text, (_, value, { source }) => {
    const isOther = typeof value === 'number' && source !== undefined && String(value) !== source;
    return isOther ? instead(source) : value;
  });
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

// Both are in the runtime (ECMAScript 2026, JSON.parse source text access), not yet in the type library.
const parseWithSource = JSON.parse as (
  text: string,
  reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
) => unknown;
const withSpelling = JSON as unknown as {
  rawJSON(text: string): unknown;
  isRawJSON(value: unknown): value is { readonly rawJSON: string };
};
