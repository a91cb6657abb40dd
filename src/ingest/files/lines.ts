import type { FileLimits } from './limits.ts';
import { refusalTexts } from './refusal-texts.ts';
import { FileRefused } from './refused.ts';

/** Rewrites pieces of a text line for line; `rewrite` returns the new text with its line feed, or nothing. */
export async function* rewriteLines(
  pieces: AsyncIterable<string>,
  rewrite: (line: string) => string,
  { recordUnitsMax }: Pick<FileLimits, 'recordUnitsMax'>,
): AsyncIterable<string> {
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > recordUnitsMax) {
      throw new FileRefused('too_large', refusalTexts.lineTooLong(recordUnitsMax));
    }
    yield lines.map(rewrite).join('');
  }
  if (rest !== '') yield rewrite(rest);
}
