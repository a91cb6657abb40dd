/**
 * A text as both engines store it, cut to a number of code points. SQLite replaces half of a surrogate pair, and
 * PostgreSQL refuses U+0000: either becomes U+FFFD.
 */
export function storedText(text: string, lengthMax = Infinity): string {
  const storable = text.toWellFormed().replaceAll('\0', '\uFFFD');
  if (storable.length <= lengthMax) return storable;
  // A character has one or two code units, so these are enough of them.
  return Array.from(storable.slice(0, lengthMax * 2))
    .slice(0, lengthMax)
    .join('');
}
