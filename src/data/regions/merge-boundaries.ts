import { parseBorderLines, readBorderLines, type BorderLine } from './border-lines.ts';
import { Boundaries, builtInBoundaries } from './boundaries.ts';
import type { BoundaryLevel, StoredBoundaries } from './stored-boundaries.ts';

/** The boundaries of maps: loaded ones, and built-in ones of the regions that those lack. */
export function boundariesWith(stored: readonly StoredBoundaries[]): Boundaries {
  if (stored.length === 0) return builtInBoundaries();
  const [sigungu, sido] = [stored.find(isOf('sigungu')), stored.find(isOf('sido'))];
  const provinces = sido === undefined ? null : new Boundaries(parseBorderLines(sido.lines));
  return new Boundaries(
    sigungu === undefined ? readBorderLines() : withBuiltIn(sigungu),
    provinces,
  );
}

function isOf(level: BoundaryLevel) {
  return (one: StoredBoundaries): boolean => one.level === level;
}

function* withBuiltIn({ lines, regions }: StoredBoundaries): Generator<BorderLine> {
  yield* parseBorderLines(lines);
  const loaded = new Set(regions);
  for (const { names, positions } of readBorderLines()) {
    const [left, right] = names.map((name) => (loaded.has(name.split(' ')[0]!) ? '' : name));
    // A built-in line beside a loaded region is drawn for its neighbour alone.
    if (left !== '' || right !== '') yield { names: [left!, right!], positions };
  }
}
