import { emptySet, intersect, rangeOf, slice, type DocumentSet } from './document-set.ts';
import { fieldSeparator, gramKind, gramsOf, wholeFieldKey } from './gram.ts';
import type { SearchChunk } from './index-file.ts';
import type { ChunkPart } from './part-search.ts';
import { partsWith } from './parts-with.ts';

/** Indexes in a chunk with a document of exactly this name; reads only the first candidates of each. */
export function indexesWithName(
  chunk: SearchChunk,
  parts: readonly ChunkPart[],
  text: string,
): number[] {
  const candidates = candidatesOf(chunk, text);
  return partsWith(candidates, parts)
    .filter(({ from, to }) => {
      const own = rangeOf(candidates, from, to);
      return chunk.texts(slice(own, 0, namesReadMax)).some((record) => nameOf(record) === text);
    })
    .map(({ index }) => index);
}

function candidatesOf(chunk: SearchChunk, text: string): DocumentSet {
  const keys = [wholeFieldKey(text), ...gramsOf(text, gramKind.name)];
  if (keys.some((key) => chunk.countOf(key) === 0)) return emptySet;
  return keys.map((key) => chunk.setOf(key)).reduce(intersect);
}

const namesReadMax = 64;

function nameOf(recordText: string): string {
  const end = recordText.indexOf(fieldSeparator);
  return end < 0 ? recordText : recordText.slice(0, end);
}
