import { initialsOf } from '../korean/initials.ts';
import { intersect, slice } from './document-set.ts';
import { fieldSeparator, initialsKeys } from './gram.ts';
import type { SearchChunk } from './index-file.ts';

/** Finds names of documents that begin with the given initial consonants, at least three, shortest first. */
export function* namesWithInitials(
  chunks: readonly SearchChunk[],
  initials: string,
): Generator<void, string[]> {
  const keys = initialsKeys(initials);
  const names = new Map<string, number>();
  for (const chunk of chunks) {
    if (names.size >= namesReadMax) break;
    yield;
    if (keys.length === 0 || keys.some((key) => chunk.countOf(key) === 0)) continue;
    const sets = keys.map((key) => chunk.setOf(key)).sort((a, b) => a.count - b.count);
    const candidates = sets.reduce(intersect);
    for (const text of chunk.texts(slice(candidates, 0, textsMax))) {
      const end = text.indexOf(fieldSeparator);
      const name = end < 0 ? text : text.slice(0, end);
      if (initialsOf(name.replaceAll(' ', '')).startsWith(initials))
        names.set(name, (names.get(name) ?? 0) + 1);
    }
  }
  return [...names]
    .sort(([a, x], [b, y]) => a.length - b.length || y - x || (a < b ? -1 : 1))
    .slice(0, namesMax)
    .map(([name]) => name);
}

const namesReadMax = 64;
const textsMax = 128;
const namesMax = 8;
