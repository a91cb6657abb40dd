/**
 * Parses JSON without changing the spelling of numbers. A number that JavaScript would spell differently
 * (`2.50`, `-0`, `1e400`, a code past 2^53) is replaced by `replace(spelling)`. By default that is an object
 * which `JSON.stringify` writes as in the source. Throws as `JSON.parse` does.
 */
export function parseExactly(
  text: string,
  replace = (spelling: string): unknown => withSpelling.rawJSON(spelling),
): unknown {
  if (!unusualNumber.test(text)) return JSON.parse(text);
  return parseWithSource(text, (_, value, { source }) => {
    const isRespelled =
      typeof value === 'number' && source !== undefined && String(value) !== source;
    return isRespelled ? replace(source) : value;
  });
}

/** The spelling of a number that JavaScript would spell differently; null for every other value. */
export function spellingOf(value: unknown): string | null {
  return withSpelling.isRawJSON(value) ? value.rawJSON : null;
}

/**
 * Matches, at the place of a value: minus zero, more than 15 digits, a small fraction, an exponent, a fraction
 * that ends in zero. Such numbers are rare, and parsing that keeps their spelling takes twice the time.
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
