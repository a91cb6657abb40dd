/** Returns a text of XML or HTML from its first element or document type on, without declarations and comments. */
export function afterProlog(text: string): string {
  // One part a match: a pattern for all of them would try each end of a comment for each comment before it.
  const part = /\s+|<\?xml[^>]*>|<!--[^]*?-->/uy;
  let at = 0;
  while (part.test(text)) at = part.lastIndex;
  return text.slice(at);
}
