/** A number with its English noun, such as `1 record` or `2,000 records`. */
export function counted(count: number | string, noun: string): string {
  return `${count} ${String(count) === '1' ? noun : `${noun}s`}`;
}
