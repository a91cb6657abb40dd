import type { Language } from '../../contract/language.ts';
import { unitedBox } from '../../data/columns/distance.ts';
import type { Boundaries } from '../../data/regions/boundaries.ts';
import { html, type Html } from '../html.ts';
import { frameAround, type Frame } from './frame.ts';
import { areaPath, linePath, mapOutlines } from './map-outlines.ts';
import { namesWithoutOverlap, placeNames } from './place-names.ts';
import { fullNumber, shortAmount, withUnit } from './short-number.ts';

interface Choropleth {
  readonly boundaries: Boundaries;
  /** At least one. */
  readonly areas: readonly ColouredArea[];
  /** Unit of the values; null for a count. */
  readonly unit: string | null;
}

interface ColouredArea {
  /** Code of a region; one without borders is not drawn. */
  readonly code: string;
  readonly label: string;
  readonly value: number;
  readonly href: string;
}

/** A map of regions that are coloured by a value. It is for the eye alone: a table must stand beside it. */
export function choropleth({ boundaries, areas, unit }: Choropleth, language: Language): Html {
  const classes = valueClasses(areas.map(({ value }) => value));
  const drawn = areas.flatMap((area) => {
    const shape = boundaries.shapeOf(area.code);
    return shape === null ? [] : [{ ...area, shape }];
  });
  const frame = frameOf(drawn.map(({ shape }) => shape.box));
  const paths = drawn.map(({ shape, label, value, href }) => {
    const { level } = classes.findLast(({ low }) => low <= value)!;
    return html`<a href="${href}" tabindex="-1" rel="nofollow"
      ><path class="area level-${level}" d="${areaPath(shape.rings, frame)}">
        <title>${label} ${withUnit(fullNumber(value), unit)}</title>
      </path></a
    >`;
  });
  return html`<div class="map">
      <svg class="map-drawing" width="100%" height="100%" aria-hidden="true">
        ${mapOutlines(
          frame,
          boundaries,
          html`${paths}
            <path class="border" d="${linePath(boundaries.mapLines.sidoBorders, frame)}" />`,
        )}
        ${namesWithoutOverlap(placeNames(frame, boundaries), frame)}
      </svg>
    </div>
    <ul class="legend">
      ${classes.map(
        ({ level, low, high }) =>
          html`<li class="level-${level}">
            <svg width="20" height="14" aria-hidden="true">
              <rect width="20" height="14" rx="3" />
            </svg>
            ${[...new Set([low, high])].map((value) => shortAmount(value, unit, language)).join(' – ')}
          </li>`,
      )}
    </ul>`;
}

/** Values that have a colour of their own. */
interface ValueClass {
  /** From 1 for the lowest to 5. */
  readonly level: number;
  readonly low: number;
  readonly high: number;
}

/** At most five classes whose values are as near to each other as classes can be (Jenks' natural breaks). */
export function valueClasses(values: readonly number[]): ValueClass[] {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const distinct = [...counts.keys()].sort((a, b) => a - b);
  const starts = naturalStarts(distinct, counts, Math.min(levels, distinct.length));
  return starts.map((start, at) => ({
    level: starts.length === 1 ? levels : 1 + Math.round((at * (levels - 1)) / (starts.length - 1)),
    low: distinct[start]!,
    high: distinct[(starts[at + 1] ?? distinct.length) - 1]!,
  }));
}

/** Positions at which the classes begin that have the least squares of distances from their means. */
function naturalStarts(
  distinct: readonly number[],
  counts: ReadonlyMap<number, number>,
  classes: number,
): number[] {
  const squaresTo = distinct.map((_, end) => squaresUpTo(end, distinct, counts));
  /** Least squares of the first values in the classes so far, and where the last of these begins. */
  let best = squaresTo.map((squares) => ({ squares: squares[0]!, starts: [0] }));
  for (let count = 2; count <= classes; count++) {
    const before = best;
    best = squaresTo.map((squares, end) => {
      let found = before[end]!;
      for (let start = 1; start <= end; start++) {
        const { squares: left, starts } = before[start - 1]!;
        const sum = left + squares[start]!;
        if (sum < found.squares) found = { squares: sum, starts: [...starts, start] };
      }
      return found;
    });
  }
  return best.at(-1)!.starts;
}

/** Squares of the distances from their mean of the values from each position to the last one. */
function squaresUpTo(
  last: number,
  distinct: readonly number[],
  counts: ReadonlyMap<number, number>,
): number[] {
  const squares: number[] = [];
  let [weight, mean, sum] = [0, 0, 0];
  for (let at = last; at >= 0; at--) {
    const value = distinct[at]!;
    const count = counts.get(value)!;
    weight += count;
    const distance = value - mean;
    mean += (distance * count) / weight;
    sum += count * distance * (value - mean);
    squares[at] = sum;
  }
  return squares;
}

const levels = 5;

/** A frame around the regions, or around the whole country if they are most of it. */
function frameOf(boxes: Parameters<typeof unitedBox>[0]): Frame {
  if (boxes.length === 0) return countryFrame;
  const frame = frameAround(unitedBox(boxes), roomAround);
  return frame.span > countryFrame.span / 2 ? countryFrame : frame;
}

/** All regions, without the sea and the North around them. */
const countryFrame: Frame = { west: 125.05, north: 38.75, span: 5.9 };
const roomAround = 0.1;
