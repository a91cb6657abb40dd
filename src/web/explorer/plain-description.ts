/** A description of the portal’s catalog without its HTML line breaks, cut at a length; null if it is empty. */
export function plainDescription(description: string | null, lengthMax: number): string | null {
  const text = (description ?? '').replaceAll(/(?:\s*<br\s*\/?>\s*)+/gi, ' ').trim();
  if (text === '') return null;
  return text.length > lengthMax ? `${text.slice(0, lengthMax).toWellFormed()}…` : text;
}
