import { chunkDocumentsMax } from '../search/postings.ts';
import type { ColumnScan } from './column-scan.ts';
import type { Position } from './distance.ts';
import { distancesPerStep, type Places } from './places.ts';
import type { SortKey } from './ranking.ts';
import { runWithoutInlining } from './run-without-inlining.ts';

/** Order by the values of a column. In both directions unreadable values follow readable values, then missing values. */
export function columnKey(scan: ColumnScan, isDescending: boolean): SortKey {
  const { column } = scan;
  const { firstReadable, firstUnreadable, codeCount, hasSpellings } = column;
  const max = codeCount - firstReadable;
  return keyOfRecords(max, (chunk, members, keys) => {
    const memberCodes = scan.codesOf(chunk, members);
    const { min: least, max: largest } = column.chunk(chunk);
    if (!hasSpellings && least >= firstReadable && largest < firstUnreadable) {
      if (isDescending) {
        runWithoutInlining(
          subtractFrom,
          firstUnreadable - 1 - least,
          memberCodes,
          members.length,
          keys,
        );
      } else {
        runWithoutInlining(addTo, least - firstReadable, memberCodes, members.length, keys);
      }
      return undefined;
    }
    for (let at = 0; at < members.length; at++) {
      const code = memberCodes[at]! + least;
      const first = hasSpellings && code >= firstReadable ? column.keyOf(code) : code;
      if (code < firstReadable) keys[at] = max;
      else if (isDescending && code < firstUnreadable) keys[at] = firstUnreadable - 1 - first;
      else keys[at] = first - firstReadable;
    }
    return undefined;
  });
}

function subtractFrom(number: number, codes: Uint32Array, length: number, keys: Uint32Array): void {
  for (let at = 0; at < length; at++) keys[at] = number - codes[at]!;
}

function addTo(number: number, codes: Uint32Array, length: number, keys: Uint32Array): void {
  for (let at = 0; at < length; at++) keys[at] = number + codes[at]!;
}

/** Order by the distance from a position, the nearest first; every record has a position. */
export function distanceKey(places: Places, center: Position): SortKey {
  return keyOfRecords(decimetresMax, function* (chunk, members, keys) {
    for (let at = 0; at < members.length; at++) {
      keys[at] = Math.round(places.distance(center, chunk, members[at]!) * 10);
      if ((at + 1) % distancesPerStep === 0) yield;
    }
  });
}

/** An order that looks random and depends on a seed and the rows alone. */
export function randomKey(seed: number): SortKey {
  const start = mix(seed >>> 0);
  return keyOfRecords(0x7fff_ffff, (chunk, members, keys) => {
    const base = chunk * chunkDocumentsMax;
    for (let at = 0; at < members.length; at++) {
      keys[at] = mix((base + members[at]!) ^ start) >>> 1;
    }
  });
}

/** Makes a sort key of a function that fills in the keys of a chunk, at once or in steps. */
function keyOfRecords(
  max: number,
  fill: (
    chunk: number,
    members: Uint16Array,
    keys: Uint32Array,
  ) => Generator<void, void> | undefined,
): SortKey {
  const numbers = new Uint32Array(chunkDocumentsMax);
  return {
    max,
    *keys(chunk, members) {
      const steps = fill(chunk, members, numbers);
      if (steps !== undefined) yield* steps;
      return numbers;
    },
  };
}

/** More than half of the Earth's circumference, the largest distance. */
const decimetresMax = 210_000_000;

/** Mixes the bits of a number: the finalizer of MurmurHash3. */
function mix(number: number): number {
  let mixed = Math.imul(number ^ (number >>> 16), 0x85eb_ca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2_ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
