import { isStartOf, type TypedText } from '../korean/typed-text.ts';
import { intersect, rangeOf } from './document-set.ts';
import { fieldSeparator, gramKind, gramsOf, initialsKeys, type GramKey } from './gram.ts';
import type { SearchChunk } from './index-file.ts';
import { nameStartRanges } from './name-starts.ts';
import type { SearchedChunk } from './part-order.ts';
import type { ChunkPart } from './part-search.ts';
import { countByPart } from './parts-with.ts';
import type { SearchedIndexes } from './searched-indexes.ts';
import { spread } from './spread.ts';

/** Name that begins with a typed text. */
interface TypedName {
  /** Normalised. */
  readonly name: string;
  /** Position of an index with the name among the searched ones. */
  readonly index: number;
  /** Number of a document with the name within that index. */
  readonly document: number;
  readonly isLast: boolean;
  /** Estimated number of documents with the name. */
  readonly count: number;
}

/**
 * Finds names that begin with a typed text, frequent ones first, then shorter ones. The most frequent beginnings of each
 * index come from the dictionaries of the chunks, and names from some documents with each beginning. So the cost does not
 * grow with the number of documents.
 */
export function* typedNames(
  { chunks, isLast }: Pick<SearchedIndexes, 'chunks' | 'isLast'>,
  typed: TypedText,
): Generator<void, TypedName[]> {
  const names = new Map<string, TypedName>();
  for (const { chunk, part, keys } of yield* frequentStarts(chunks, isLast, typed)) {
    const { index, from, to, base } = part;
    const set = rangeOf(keys.map((key) => chunk.setOf(key)).reduce(intersect), from, to);
    const documents = spread(set, documentsMax);
    for (const [place, text] of chunk.texts(documents).entries()) {
      const end = text.indexOf(fieldSeparator);
      const name = end < 0 ? text : text.slice(0, end);
      if (!isStartOf(typed, name)) continue;
      const document = documents[place]! - from + base;
      const found = { name, index, document, isLast: isLast[index] === 1, count: 0 };
      const known = names.get(name) ?? found;
      names.set(name, { ...known, count: known.count + set.count / documents.length });
    }
    yield;
  }
  return [...names.values()].sort(compareNames);
}

/** Keys of names with the same beginning, in one part of a chunk. */
interface NameStart {
  readonly chunk: SearchChunk;
  readonly part: ChunkPart;
  readonly keys: readonly GramKey[];
  /** Upper bound on the number of documents with such a name. */
  readonly count: number;
}

const startsMax = 16;
const startsPerPartMax = 6;
const documentsMax = 8;

/** The most frequent beginnings, of equal ones those of the first index. */
function* frequentStarts(
  chunks: readonly SearchedChunk[],
  isLast: Uint8Array,
  { text, initials }: TypedText,
): Generator<void, readonly NameStart[]> {
  const word = text.split(' ', 1)[0]!;
  const ranges = nameStartRanges(word);
  // The last unit may still change; the units before it occur in the name.
  const complete = text.length > 3 ? gramsOf(text.slice(0, -1).trim(), gramKind.name) : [];
  const initialKeys = initials === null ? [] : initialsKeys(initials);
  const compare = (a: NameStart, b: NameStart): number =>
    isLast[a.part.index]! - isLast[b.part.index]! ||
    b.count - a.count ||
    a.part.index - b.part.index ||
    a.part.base - b.part.base;
  let starts: readonly NameStart[] = [];
  for (const searched of chunks) {
    yield;
    const least = starts[startsMax - 1];
    // A beginning with fewer documents is not among the most frequent ones.
    const countMin = least === undefined || isLast[least.part.index] === 1 ? 1 : least.count;
    const { chunk } = searched;
    const found = ranges.flatMap(({ from, to }) => chunk.keysBetween(from, to));
    const keys = found.filter(({ count }) => count >= countMin).map(({ key }) => key);
    const own = [
      ...(yield* startsOfParts(searched, keys, complete, countMin)),
      ...(initialKeys.length === 0 ? [] : startsWithAll(searched, initialKeys, countMin)),
    ];
    starts = [...starts, ...own].sort(compare).slice(0, startsMax);
  }
  return starts;
}

/** The most frequent beginnings of each part that has the complete keys, too; those of at least `countMin` documents. */
function* startsOfParts(
  searched: SearchedChunk,
  keys: readonly GramKey[],
  complete: readonly GramKey[],
  countMin: number,
): Generator<void, NameStart[]> {
  const { chunk, parts } = searched;
  if (keys.length === 0 || complete.some((key) => chunk.countOf(key) === 0)) return [];
  const completeCounts = complete.map((key) => countsOf(searched, key));
  const byPart = new Map<number, NameStart[]>();
  for (const key of keys) {
    yield;
    const counts = countsOf(searched, key);
    for (let at = 0; at < parts.length; at++) {
      const count = counts[at]!;
      if (count < countMin || completeCounts.some((ofKey) => ofKey[at] === 0)) continue;
      const starts = byPart.get(at) ?? [];
      starts.push({ chunk, part: parts[at]!, keys: [key, ...complete], count });
      byPart.set(at, starts);
    }
  }
  return [...byPart.values()].flatMap((starts) =>
    starts.sort((a, b) => b.count - a.count).slice(0, startsPerPartMax),
  );
}

/** A beginning of each part that has all keys, if they have at least `countMin` documents. */
function startsWithAll(
  searched: SearchedChunk,
  keys: readonly GramKey[],
  countMin: number,
): NameStart[] {
  const { chunk, parts } = searched;
  if (keys.some((key) => chunk.countOf(key) < countMin)) return [];
  const counts = keys.map((key) => countsOf(searched, key));
  return parts.flatMap((part, at) => {
    const count = Math.min(...counts.map((ofKey) => ofKey[at]!));
    return count < countMin ? [] : [{ chunk, part, keys, count }];
  });
}

/** Numbers of documents with a key in each part. */
function countsOf({ chunk, parts }: SearchedChunk, key: GramKey): Uint32Array {
  const [first] = parts;
  // A pack of which one axis is still served has documents of others.
  return first !== undefined && first.to - first.from === chunk.documents
    ? Uint32Array.of(chunk.countOf(key))
    : countByPart(chunk.setOf(key), parts);
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
