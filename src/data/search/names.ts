import { intersect, slice } from './document-set.ts';
import { fieldSeparator, gramKind, gramsOf, wholeFieldKey } from './gram.ts';
import type { SearchChunk, SearchIndex } from './index-file.ts';

/** True if a record of the index has exactly this name; reads only the first candidates. */
export function hasName(index: SearchIndex, text: string): boolean {
  return index.chunks.some((chunk) => chunkHasName(chunk, text));
}

function chunkHasName(chunk: SearchChunk, text: string): boolean {
  const keys = [wholeFieldKey(text), ...gramsOf(text, gramKind.name)];
  if (keys.some((key) => chunk.countOf(key) === 0)) return false;
  const [first, ...others] = keys;
  let candidates = chunk.setOf(first!);
  for (const key of others) {
    if (candidates.count === 0) return false;
    candidates = intersect(candidates, chunk.setOf(key));
  }
  return chunk.texts(slice(candidates, 0, namesReadMax)).some((record) => nameOf(record) === text);
}

const namesReadMax = 64;

function nameOf(recordText: string): string {
  const end = recordText.indexOf(fieldSeparator);
  return end < 0 ? recordText : recordText.slice(0, end);
}
