/**
 * Escapes what a JSON text should have escaped: quotes inside strings, line breaks, lone backslashes.
 * A string in two pairs of quotes (`""2,4주 월요일""`) loses the inner pair.
 */
export function mendJson(text: string): string {
  let mended = '';
  let at = 0;
  const open: string[] = [];
  while (at < text.length) {
    const character = text.charAt(at);
    if (character === '"') {
      const end = closingQuote(text, at, open.at(-1) === '[');
      mended += `"${escapeInner(unwrap(text.slice(at + 1, end)))}"`;
      at = end + 1;
      continue;
    }
    if (character === '{' || character === '[') open.push(character);
    else if (character === '}' || character === ']') open.pop();
    mended += character;
    at += 1;
  }
  return mended;
}

/** The quote that something follows which may follow a string; in an object, a comma and a name. */
function closingQuote(text: string, start: number, inArray: boolean): number {
  for (let at = start + 1; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '\\') at += 1;
    if (character !== '"') continue;
    followers.lastIndex = at + 1;
    const match = followers.exec(text);
    if (match === null) continue;
    const [, end, afterComma] = match;
    if (end !== undefined || afterComma === '"' || inArray) return at;
  }
  return text.length;
}

const followers = /\s*(?:([:}\]])|,\s*(.?))/uy;

function unwrap(inner: string): string {
  const wrapped = inner.length >= 2 && inner.startsWith('"') && inner.endsWith('"');
  return wrapped ? inner.slice(1, -1) : inner;
}

function escapeInner(inner: string): string {
  // oxlint-disable-next-line no-control-regex -- Control characters are what is escaped.
  return inner.replace(/\\(?:["\\/bfnrt]|u[0-9a-f]{4})|["\\\u0000-\u001f]/giu, (match) =>
    match.length > 1 ? match : JSON.stringify(match).slice(1, -1),
  );
}
