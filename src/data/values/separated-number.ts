/**
 * Reads a number with separators that are unusual in Korea: `1 234 567`, `3,5`, `1 234,5`. Null for any other text. Three
 * digits after a comma are read as decimals.
 */
export function readSeparated(text: string): SeparatedNumber | null {
  const match = pattern.exec(text);
  if (match === null) return null;
  // The first two groups are part of every match.
  const [, minus, whole, decimals] = match as unknown as [string, string, string, string?];
  const [first, ...others] = whole.split(blank) as [string, ...string[]];
  if (others.length > 0 && first.startsWith('0')) return null;
  if (others.length === 0 && decimals === undefined) return null;
  const magnitude = Number(`${first}${others.join('')}.${decimals ?? 0}`);
  const value = minus === '' ? magnitude : -magnitude;
  if (decimals === undefined) return { value, sign: first.length < 3 ? 'blanks' : 'blanksOrList' };
  const mayBeList =
    others.length === 0 &&
    minus === '' &&
    !whole.startsWith('0') &&
    !decimals.startsWith('0') &&
    (Number(whole) < Number(decimals) || whole.length === decimals.length || whole.length > 3);
  return { value, sign: mayBeList ? 'commasOrList' : 'commas' };
}

/** A number with separators. `OrList` marks separators that may also be those of a list: `150 152`, `2,4`. */
interface SeparatedNumber {
  readonly value: number;
  readonly sign: 'blanks' | 'blanksOrList' | 'commas' | 'commasOrList';
}

const blank = /[ \u00a0\u2009\u202f]/;
const pattern = /^(-?)(\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3})+|\d{1,15})(?:,(\d{1,15}))?$/;
