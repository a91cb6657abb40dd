import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { setOfBitmap, type DocumentSet } from '../search/document-set.ts';
import { chunkDocumentsMax } from '../search/postings.ts';
import { rankedRows, type SortKey } from './ranking.ts';

test('a page of ranked rows is a slice of the sorted rows, whatever the ties and the offset', () => {
  fc.assert(
    fc.property(
      fc.record({
        rows: fc.integer({ min: 4000, max: chunkDocumentsMax + 20_000 }),
        /** Largest number of each key: few numbers have many ties. */
        maxima: fc.array(fc.constantFrom(0, 1, 7, 5000, 300_000, 0x7fff_ffff), { maxLength: 3 }),
        step: fc.constantFrom(1, 2, 5),
        pages: fc.array(
          fc.tuple(fc.double({ min: 0, max: 1.01, noNaN: true }), fc.constantFrom(1, 20, 500)),
          {
            minLength: 3,
            maxLength: 3,
          },
        ),
      }),
      ({ rows, maxima, step, pages }) => {
        const members = Array.from({ length: Math.ceil(rows / step) }, (_, at) => at * step);
        const sets = setsOf(members, Math.ceil(rows / chunkDocumentsMax));
        const keys = maxima.map((max, at) => sortKey(max, at));
        const sorted = members.toSorted((a, b) => {
          for (const [at, max] of maxima.entries()) {
            const difference = numberOf(a, max, at) - numberOf(b, max, at);
            if (difference !== 0) return difference;
          }
          return a - b;
        });
        for (const [share, limit] of pages) {
          const offset = Math.floor(share * members.length);
          const page = finish(rankedRows(sets, keys, offset, limit));
          assert.deepEqual(page, sorted.slice(offset, offset + limit));
        }
      },
    ),
    { numRuns: 25 },
  );
});

test('a page of 200,000 rows, more than a call can have arguments, is complete', () => {
  const members = Array.from({ length: 200_000 }, (_, at) => at);
  const key = { max: 7, keys: inOneStep(() => new Uint32Array(chunkDocumentsMax)) };
  const page = finish(rankedRows(setsOf(members, 4), [key], 0, members.length));
  assert.deepEqual(page, members);
});

function setsOf(members: readonly number[], chunks: number): DocumentSet[] {
  const bitmaps = Array.from({ length: chunks }, () => new Uint32Array(chunkDocumentsMax / 32));
  for (const member of members) {
    const bitmap = bitmaps[Math.floor(member / chunkDocumentsMax)]!;
    bitmap[(member % chunkDocumentsMax) >>> 5]! |= 1 << (member & 31);
  }
  return bitmaps.map((bitmap) => setOfBitmap(bitmap));
}

function sortKey(max: number, at: number): SortKey {
  const keys = new Uint32Array(chunkDocumentsMax);
  return {
    max,
    keys: inOneStep((chunk, members) => {
      for (const [index, member] of members.entries()) {
        keys[index] = numberOf(chunk * chunkDocumentsMax + member, max, at);
      }
      return keys;
    }),
  };
}

function inOneStep(keysOf: (chunk: number, members: Uint16Array) => Uint32Array): SortKey['keys'] {
  return function* (chunk, members) {
    yield;
    return keysOf(chunk, members);
  };
}

/** Pseudo-random number of a row from 0 to `max`; half of the rows have `max`. */
function numberOf(row: number, max: number, at: number): number {
  const mixed = Math.imul(row + at * 77, 0x9e37_79b1) >>> 0;
  return (mixed & 1) === 0 ? max : mixed % (max + 1);
}

function finish<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
