import { bitmapWords, chunkDocumentsMax, listMax } from './postings.ts';

/** Documents of one chunk: an ascending list, or a bitmap if there are many. Immutable by convention. */
export type DocumentSet =
  | { readonly list: Uint16Array; readonly bitmap: null; readonly count: number }
  | { readonly list: null; readonly bitmap: Uint32Array; readonly count: number };

export function setOfList(list: Uint16Array): DocumentSet {
  return { list, bitmap: null, count: list.length };
}

/** The documents whose bits are set: one bit for each document that a chunk can have. */
export function setOfBitmap(bitmap: Uint32Array, count = countBits(bitmap)): DocumentSet {
  return { list: null, bitmap, count };
}

export const emptySet: DocumentSet = setOfList(new Uint16Array(0));

/** Every document of a chunk. */
export function fullSet(documents: number): DocumentSet {
  if (documents <= listMax)
    return setOfList(Uint16Array.from({ length: documents }, (_, at) => at));
  const bitmap = new Uint32Array(words).fill(0xffff_ffff, 0, documents >>> 5);
  if ((documents & 31) !== 0) bitmap[documents >>> 5] = (1 << (documents & 31)) - 1;
  return setOfBitmap(bitmap, documents);
}

/** Estimated bytes of a set in memory. */
export function bytesOf({ list, bitmap }: DocumentSet): number {
  return setObjectBytes + (list ?? bitmap).byteLength;
}

const setObjectBytes = 200;

/** True if a document is a member of a set. */
export function has(set: DocumentSet, document: number): boolean {
  if (set.bitmap !== null) return ((set.bitmap[document >>> 5]! >>> (document & 31)) & 1) === 1;
  let from = 0;
  let to = set.list.length - 1;
  while (from <= to) {
    const middle = (from + to) >>> 1;
    const member = set.list[middle]!;
    if (member === document) return true;
    if (member < document) from = middle + 1;
    else to = middle - 1;
  }
  return false;
}

export function intersect(a: DocumentSet, b: DocumentSet): DocumentSet {
  if (a.bitmap !== null && b.bitmap !== null) return bitmapOf(a.bitmap, b.bitmap, false);
  const [small, large] = a.count <= b.count ? [a, b] : [b, a];
  if (small.list !== null) return filterList(small.list, large, true);
  return filterList(large.list!, small, true);
}

/** Intersects a set with one of no fewer members, in the memory of the first. */
export function narrowed(set: DocumentSet, larger: DocumentSet): DocumentSet {
  if (set.list === null)
    return setOfBitmap(set.bitmap, filterBits(set.bitmap, larger.bitmap!, false, set.bitmap));
  return setOfList(set.list.subarray(0, filterNumbers(set.list, larger, true, set.list)));
}

/** The set in memory of its own: a list if it has few members, as an index file has it. */
export function copyOf(set: DocumentSet): DocumentSet {
  if (set.list !== null) return setOfList(set.list.slice());
  return set.count > listMax ? setOfBitmap(set.bitmap.slice(), set.count) : withFewAsList(set);
}

/** A list instead of a bitmap of few members, as an index file has it. */
function withFewAsList(set: DocumentSet): DocumentSet {
  return set.count > listMax ? set : setOfList(slice(set, 0, set.count));
}

/** Members of `a` that are not in `b`. */
export function subtract(a: DocumentSet, b: DocumentSet): DocumentSet {
  if (a.count === 0 || b.count === 0) return a;
  if (a.list !== null) return filterList(a.list, b, false);
  if (b.bitmap !== null) return bitmapOf(a.bitmap, b.bitmap, true);
  const bitmap = a.bitmap.slice();
  let count = a.count;
  for (const document of b.list) {
    const bit = 1 << (document & 31);
    if ((bitmap[document >>> 5]! & bit) === 0) continue;
    bitmap[document >>> 5] = bitmap[document >>> 5]! & ~bit;
    count--;
  }
  return setOfBitmap(bitmap, count);
}

export function unite(a: DocumentSet, b: DocumentSet): DocumentSet {
  if (a.count === 0) return b;
  if (b.count === 0) return a;
  if (a.list !== null && b.list !== null && a.count + b.count <= listMax)
    return setOfList(mergedList(a.list, b.list));
  const bitmap = new Uint32Array(words);
  for (const set of [a, b]) {
    if (set.bitmap === null) {
      for (const document of set.list) bitmap[document >>> 5]! |= 1 << (document & 31);
    } else {
      for (let word = 0; word < words; word++) bitmap[word]! |= set.bitmap[word]!;
    }
  }
  return setOfBitmap(bitmap);
}

function mergedList(a: Uint16Array, b: Uint16Array): Uint16Array {
  const merged = new Uint16Array(a.length + b.length);
  let used = 0;
  for (let at = 0, other = 0; at < a.length || other < b.length;) {
    const [one, two] = [a[at] ?? chunkDocumentsMax, b[other] ?? chunkDocumentsMax];
    merged[used++] = Math.min(one, two);
    if (one <= two) at++;
    if (two <= one) other++;
  }
  return merged.subarray(0, used);
}

/** The members from `from` to `to - 1`. */
export function rangeOf(set: DocumentSet, from: number, to: number): DocumentSet {
  if (set.list !== null) {
    const start = firstFrom(set.list, from);
    return setOfList(set.list.subarray(start, firstFrom(set.list, to)));
  }
  if (to - from <= listMax) return setOfList(listOfRange(set.bitmap, from, to));
  const bitmap = new Uint32Array(words);
  const [first, last] = [from >>> 5, to >>> 5];
  bitmap.set(set.bitmap.subarray(first, Math.min(words, last + 1)), first);
  bitmap[first]! &= ~0 << (from & 31);
  // A range that ends with the last document has no word behind it.
  if (last < words) bitmap[last]! &= ~(~0 << (to & 31));
  return withFewAsList(setOfBitmap(bitmap));
}

function listOfRange(bitmap: Uint32Array, from: number, to: number): Uint16Array {
  const members = new Uint16Array(to - from);
  let used = 0;
  for (let document = from; document < to; document++) {
    if (((bitmap[document >>> 5]! >>> (document & 31)) & 1) === 1) members[used++] = document;
  }
  return members.subarray(0, used);
}

/** Number of members from `from` to `to - 1`. */
export function countInRange(set: DocumentSet, from: number, to: number): number {
  if (set.list !== null) return firstFrom(set.list, to) - firstFrom(set.list, from);
  const [first, last] = [from >>> 5, to >>> 5];
  const firstBits = set.bitmap[first]! & (~0 << (from & 31));
  const endMask = ~(~0 << (to & 31));
  if (first === last) return bitsIn(firstBits & endMask);
  let count = bitsIn(firstBits);
  for (let word = first + 1; word < last; word++) count += bitsIn(set.bitmap[word]!);
  return last < words ? count + bitsIn(set.bitmap[last]! & endMask) : count;
}

/** The set with each member lessened by `by`. */
export function shiftedDown(set: DocumentSet, by: number): DocumentSet {
  if (by === 0) return set;
  const members = membersOf(set).map((document) => document - by);
  if (set.list !== null) return setOfList(members);
  const bitmap = new Uint32Array(words);
  for (const document of members) bitmap[document >>> 5]! |= 1 << (document & 31);
  return setOfBitmap(bitmap, set.count);
}

/** Position of the first member that is not below `document`. */
function firstFrom(list: Uint16Array, document: number): number {
  let from = 0;
  let to = list.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (list[middle]! < document) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** All members in ascending order. */
export function membersOf(set: DocumentSet): Uint16Array {
  if (set.count < chunkDocumentsMax) return slice(set, 0, set.count);
  everyDocument ??= Uint16Array.from({ length: chunkDocumentsMax }, (_, document) => document);
  return everyDocument;
}

let everyDocument: Uint16Array | null = null;

/** Up to `limit` members in ascending order, after the first `skip`. */
export function slice(set: DocumentSet, skip: number, limit: number): Uint16Array {
  if (set.list !== null) return set.list.subarray(skip, skip + limit);
  const members = new Uint16Array(Math.max(0, Math.min(limit, set.count - skip)));
  let used = 0;
  for (let word = 0; word < words && used < members.length; word++) {
    let bits = set.bitmap[word]!;
    if (bits === 0) continue;
    const count = bitsIn(bits);
    if (skip >= count) {
      skip -= count;
      continue;
    }
    for (; bits !== 0 && used < members.length; bits &= bits - 1) {
      if (skip > 0) skip--;
      else members[used++] = (word << 5) | (31 - Math.clz32(bits & -bits));
    }
  }
  return members;
}

/** A set of `count` documents from the bytes of an index file. */
export function setOfBytes(bytes: Uint8Array, count: number): DocumentSet {
  if (count > listMax)
    return setOfBitmap(new Uint32Array(bytes.buffer, bytes.byteOffset, words), count);
  return setOfList(new Uint16Array(bytes.buffer, bytes.byteOffset, count));
}

const words = chunkDocumentsMax / 32;
if (words * 2 !== bitmapWords)
  throw new Error('The bitmaps in memory must have the size of those in the file.');

function bitmapOf(a: Uint32Array, b: Uint32Array, isDifference: boolean): DocumentSet {
  return copyOf(setOfBitmap(filteredBits, filterBits(a, b, isDifference, filteredBits)));
}

/** Writes the bits of `a` that are in `b`, or that are not, into a bitmap. Returns their number. */
function filterBits(
  a: Uint32Array,
  b: Uint32Array,
  isDifference: boolean,
  into: Uint32Array,
): number {
  let count = 0;
  for (let word = 0; word < words; word++) {
    const bits = a[word]! & (isDifference ? ~b[word]! : b[word]!);
    into[word] = bits;
    if (bits !== 0) count += bitsIn(bits);
  }
  return count;
}

function filterList(list: Uint16Array, other: DocumentSet, areInOther: boolean): DocumentSet {
  const used = filterNumbers(list, other, areInOther, filteredDocuments);
  return used === 0 ? emptySet : setOfList(filteredDocuments.slice(0, used));
}

/** Writes the documents of a list that are in another set, or that are not, into a list. Returns their number. */
function filterNumbers(
  list: Uint16Array,
  other: DocumentSet,
  areInOther: boolean,
  into: Uint16Array,
): number {
  let used = 0;
  if (other.bitmap !== null) {
    const { bitmap } = other;
    for (const document of list) {
      const isInOther = ((bitmap[document >>> 5]! >>> (document & 31)) & 1) === 1;
      if (isInOther === areInOther) into[used++] = document;
    }
  } else if (other.list.length < list.length * 16) {
    const { list: others } = other;
    let at = 0;
    for (const document of list) {
      while (at < others.length && others[at]! < document) at++;
      if ((at < others.length && others[at] === document) === areInOther) into[used++] = document;
    }
  } else {
    for (const document of list) if (has(other, document) === areInOther) into[used++] = document;
  }
  return used;
}

/** Room of one filtered list or bitmap, so that a set of the few that are left has their size. */
const filteredDocuments = new Uint16Array(chunkDocumentsMax);
const filteredBits = new Uint32Array(words);

function countBits(bitmap: Uint32Array): number {
  let count = 0;
  for (let word = 0; word < words; word++) count += bitsIn(bitmap[word]!);
  return count;
}

function bitsIn(word: number): number {
  let bits = word - ((word >>> 1) & 0x5555_5555);
  bits = (bits & 0x3333_3333) + ((bits >>> 2) & 0x3333_3333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}
