import { letterVariants } from '../korean/letter-variants.ts';
import { gramKind, gramsOf } from './gram.ts';
import type { SearchChunk } from './index-file.ts';

/** Finds words one letter apart from `word` that probably occur in the chunks, the most frequent first. */
export function* similarWords(
  chunks: readonly SearchChunk[],
  word: string,
): Generator<void, string[]> {
  const found: { variant: string; count: number }[] = [];
  for (const variant of letterVariants(word)) {
    const keys = gramsOf(variant, gramKind.text);
    let count = 0;
    for (const chunk of chunks) {
      let documents = Infinity;
      for (const key of keys) {
        documents = Math.min(documents, chunk.countOf(key));
        if (documents === 0) break;
      }
      count += documents;
    }
    if (count > 0) found.push({ variant, count });
    yield;
  }
  found.sort((a, b) => b.count - a.count);
  return found.slice(0, similarMax).map(({ variant }) => variant);
}

const similarMax = 6;
