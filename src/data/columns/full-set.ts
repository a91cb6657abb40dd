import { setOfBitmap, type DocumentSet } from '../search/document-set.ts';
import { chunkDocumentsMax } from '../search/postings.ts';

/** All records of a chunk. */
export function fullSet(records: number): DocumentSet {
  if (records === chunkDocumentsMax) return wholeChunk;
  const bitmap = new Uint32Array(bitmapWords);
  bitmap.fill(0xffff_ffff, 0, records >>> 5);
  if ((records & 31) > 0) bitmap[records >>> 5] = (1 << (records & 31)) - 1;
  return setOfBitmap(bitmap);
}

const bitmapWords = chunkDocumentsMax / 32;
const wholeChunk = setOfBitmap(new Uint32Array(bitmapWords).fill(0xffff_ffff));
