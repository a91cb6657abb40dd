import { parseBorderLines, readBorderLines, type BorderLine } from './border-lines.ts';
import { Boundaries, builtInBoundaries } from './boundaries.ts';
import type { StoredBoundaries } from './stored-boundaries.ts';

/** The boundaries of maps: the loaded ones, and built-in ones for regions without loaded ones. */
export function boundariesWith(stored: readonly StoredBoundaries[]): Boundaries {
  if (stored.length === 0) return builtInBoundaries();
  const [sigungu, sido] = (['sigungu', 'sido'] as const).map((level) =>
    stored.find((boundaries) => boundaries.level === level),
  );
  const sidoBoundaries = sido === undefined ? null : new Boundaries(parseBorderLines(sido.lines));
  return new Boundaries(
    sigungu === undefined ? readBorderLines() : withBuiltIn(sigungu),
    sidoBoundaries,
  );
}

function* withBuiltIn({ lines, regions }: StoredBoundaries): Generator<BorderLine> {
  yield* parseBorderLines(lines);
  const loaded = new Set(regions);
  for (const { sides, positions } of readBorderLines()) {
    const [left, right] = sides.map((side) => (loaded.has(side.split(' ')[0]!) ? '' : side));
    // A built-in line beside a loaded region belongs only to the other region.
    if (left !== '' || right !== '') yield { sides: [left!, right!], positions };
  }
}
