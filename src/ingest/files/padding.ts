/** Removes white space and zero-width characters around a text. */
export function withoutPadding(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isPadding(text.charCodeAt(start))) start += 1;
  while (start < end && isPadding(text.charCodeAt(end - 1))) end -= 1;
  return end - start === text.length ? text : text.slice(start, end);
}

/** True for ASCII controls and blanks, the spaces of Unicode, and characters without a width, such as a stray byte order mark. */
export function isPadding(code: number): boolean {
  if (code <= 0x20) return true;
  if (code < 0x2000) return code === 0xa0;
  return code <= 0x200b || code === 0x202f || code === 0x2060 || code === 0x3000 || code === 0xfeff;
}
