import { intersect, slice } from './document-set.ts';
import { fieldSeparator, gramKind, gramsOf, isExact } from './gram.ts';
import type { SearchChunk, SearchIndex } from './index-file.ts';

/** Whether a name of the index holds the normalised text; of a long text only the first names that may are read. */
export function hasName(index: SearchIndex, text: string): boolean {
  return index.chunks.some((chunk) => chunkHasName(chunk, text));
}

function chunkHasName(chunk: SearchChunk, text: string): boolean {
  const keys = text.split(' ').flatMap((word) => gramsOf(word, gramKind.name));
  if (keys.some((key) => chunk.count(key) === 0)) return false;
  if (isExact(text)) return true;
  const [first, ...others] = keys;
  let candidates = chunk.set(first!);
  for (const key of others) {
    if (candidates.count === 0) return false;
    candidates = intersect(candidates, chunk.set(key));
  }
  const names = slice(candidates, 0, namesReadMax);
  return names.some((document) => nameOf(chunk.text(document)).includes(text));
}

const namesReadMax = 64;

function nameOf(recordText: string): string {
  const end = recordText.indexOf(fieldSeparator);
  return end < 0 ? recordText : recordText.slice(0, end);
}
