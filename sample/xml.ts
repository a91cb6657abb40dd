/** `<name>content</name>`; the content is written as it is, so escape text before. */
export function element(name: string, content: string | number): string {
  return content === '' ? `<${name}/>` : `<${name}>${content}</${name}>`;
}

/** Text between tags. */
export function xmlText(text: string): string {
  return /[&<>]/.test(text)
    ? text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    : text;
}
