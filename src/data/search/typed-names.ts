import { isStartOf, type TypedText } from '../korean/typed-text.ts';
import { intersect } from './document-set.ts';
import { fieldSeparator, gramKind, gramsOf, initialsKeys, type GramKey } from './gram.ts';
import type { SearchChunk } from './index-file.ts';
import { nameStartRanges } from './name-starts.ts';
import { spread } from './spread.ts';

/** Chunk in which names are looked up. */
interface NamedChunk {
  readonly chunk: SearchChunk;
  /** True if its names come after all others, as for sample data. */
  readonly isLast: boolean;
  /** True if it has documents of several indexes, whose frequent beginnings it stands for. */
  readonly isShared: boolean;
}

/** Name that begins with a typed text. */
interface TypedName {
  /** Normalised. */
  readonly name: string;
  /** Position of the chunk among the given ones. */
  readonly at: number;
  /** A document of the chunk with the name. */
  readonly document: number;
  readonly isLast: boolean;
  /** Estimated number of documents with the name. */
  readonly count: number;
}

/**
 * Finds names that begin with a typed text, frequent ones first, then shorter ones. The most frequent beginnings come
 * from the dictionaries of the chunks, and names from some documents with each beginning. So the cost does not grow with
 * the number of documents.
 */
export function* typedNames(
  chunks: readonly NamedChunk[],
  typed: TypedText,
): Generator<void, TypedName[]> {
  const names = new Map<string, TypedName>();
  for (const start of yield* frequentStarts(chunks, typed)) {
    const { chunk } = chunks[start.at]!;
    const set = start.keys.map((key) => chunk.setOf(key)).reduce(intersect);
    const documents = spread(set, documentsMax);
    for (const [place, text] of chunk.texts(documents).entries()) {
      const end = text.indexOf(fieldSeparator);
      const name = end < 0 ? text : text.slice(0, end);
      if (!isStartOf(typed, name)) continue;
      const { document, count } = names.get(name) ?? { document: documents[place]!, count: 0 };
      const at = count === 0 ? start.at : names.get(name)!.at;
      const total = count + set.count / documents.length;
      names.set(name, { name, at, document, isLast: chunks[at]!.isLast, count: total });
    }
    yield;
  }
  return [...names.values()].sort(compareNames);
}

/** Keys of names with the same beginning, in one chunk. */
interface NameStart {
  /** Position of the chunk among the given ones. */
  readonly at: number;
  readonly keys: readonly GramKey[];
  /** Upper bound on the number of documents with such a name. */
  readonly count: number;
}

const startsMax = 16;
const startsPerChunkMax = 6;
const documentsMax = 8;

function* frequentStarts(
  chunks: readonly NamedChunk[],
  { text, initials }: TypedText,
): Generator<void, NameStart[]> {
  const starts: NameStart[] = [];
  const word = text.split(' ', 1)[0]!;
  const ranges = nameStartRanges(word);
  // The last unit may still change; the units before it occur in the name.
  const complete = text.length > 3 ? gramsOf(text.slice(0, -1).trim(), gramKind.name) : [];
  const initialKeys = initials === null ? [] : initialsKeys(initials);
  for (const [at, { chunk, isShared }] of chunks.entries()) {
    yield;
    const found = ranges.flatMap(({ from, to }) => chunk.keysBetween(from, to));
    if (found.length > 0 && complete.every((key) => chunk.countOf(key) > 0)) {
      found.sort((a, b) => b.count - a.count);
      for (const { key, count } of found.slice(0, isShared ? startsMax : startsPerChunkMax)) {
        starts.push({ at, keys: [key, ...complete], count });
      }
    }
    const count = Math.min(...initialKeys.map((key) => chunk.countOf(key)));
    if (initialKeys.length > 0 && count > 0) starts.push({ at, keys: initialKeys, count });
  }
  const isLast = (start: NameStart): number => Number(chunks[start.at]!.isLast);
  return starts.sort((a, b) => isLast(a) - isLast(b) || b.count - a.count).slice(0, startsMax);
}

/** Order of names. Counts are estimates, so only their number of digits is compared. */
function compareNames(a: TypedName, b: TypedName): number {
  const digits = ({ count }: TypedName): number => Math.floor(Math.log10(count));
  return (
    Number(a.isLast) - Number(b.isLast) ||
    digits(b) - digits(a) ||
    a.name.length - b.name.length ||
    (a.name < b.name ? -1 : 1)
  );
}
