import { slice, type DocumentSet } from './document-set.ts';

/** Samples at most `max` documents of a set, evenly spaced. */
export function spread(set: DocumentSet, max: number): Uint16Array {
  const all = slice(set, 0, set.count);
  if (all.length <= max) return all;
  const step = all.length / max;
  return Uint16Array.from({ length: max }, (_, at) => all[Math.floor(at * step)]!);
}
