import { gramKind, gramsOf } from './gram.ts';
import type { SearchChunk } from './index-file.ts';
import { nameOccurrences } from './name-occurrences.ts';

/**
 * The words of names that a text without blanks consists of (`음식물쓰레기다량배출사업장`): the division whose words are
 * the most frequent in names. Null if it has no division.
 */
export function* dividedWord(
  chunks: readonly SearchChunk[],
  text: string,
): Generator<void, readonly string[] | null> {
  if (!divisible.test(text)) return null;
  const documents = chunks.reduce((sum, chunk) => sum + chunk.documents, 0);
  /** By length of a beginning of the text, its cheapest division. */
  const best: (Division | undefined)[] = [{ cost: 0, parts: [] }];
  for (let from = 0; from <= text.length - partLengthMin; from++) {
    const before = best[from];
    if (before === undefined) continue;
    const endMax = Math.min(text.length, from + partLengthMax, text.length - Number(from === 0));
    for (let end = from + partLengthMin; end <= endMax; end++) {
      const part = text.slice(from, end);
      const keys = gramsOf(part, gramKind.name);
      const possible = chunks.filter((chunk) => keys.every((key) => chunk.countOf(key) > 0));
      // A longer part has all keys of a shorter one.
      if (possible.length === 0) break;
      const count = possible.reduce(
        (sum, chunk) => sum + nameOccurrences(chunk, part, sampleMax),
        0,
      );
      yield;
      if (count === 0) continue;
      const cost = before.cost + partCost + Math.log((documents + 1) / count);
      if (cost < (best[end]?.cost ?? Infinity))
        best[end] = { cost, parts: [...before.parts, part] };
    }
  }
  return best[text.length]?.parts ?? null;
}

interface Division {
  readonly cost: number;
  readonly parts: readonly string[];
}

/** Shorter parts are in nearly every text. */
const partLengthMin = 2;
const partLengthMax = 8;
const divisible = /^(?=.*[가-힣]{2}).{4,24}$/;
/** Names read for each part in each chunk. */
const sampleMax = 4;
/** Cost of each part, so that few long words are likelier than many short ones. */
const partCost = 2;
