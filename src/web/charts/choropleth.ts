import type { Language } from '../../contract/language.ts';
import { unitedBox } from '../../data/columns/distance.ts';
import type { Boundaries } from '../../data/regions/boundaries.ts';
import { html, type Html } from '../html.ts';
import { frameAround, type Frame } from './frame.ts';
import { areaPath, linePath, mapOutlines } from './map-outlines.ts';
import { placeNames } from './place-names.ts';
import { fullNumber, shortNumber } from './short-number.ts';

interface Choropleth {
  readonly boundaries: Boundaries;
  /** At least one. */
  readonly areas: readonly ColouredArea[];
}

interface ColouredArea {
  /** Code of a region; one without borders is not drawn. */
  readonly code: string;
  readonly label: string;
  readonly value: number;
  readonly href: string;
}

/** A map of regions that are coloured by a value. It is for the eye alone: a table must stand beside it. */
export function choropleth({ boundaries, areas }: Choropleth, language: Language): Html {
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
        <title>${label} ${fullNumber(value)}</title>
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
        ${placeNames(frame, boundaries, [])}
      </svg>
    </div>
    <ul class="legend">
      ${classes.map(
        ({ level, low, high }) =>
          html`<li class="level-${level}">
            <svg width="20" height="14" aria-hidden="true">
              <rect width="20" height="14" rx="3" />
            </svg>
            ${low === high ? shortNumber(low, language) : `${shortNumber(low, language)} – ${shortNumber(high, language)}`}
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

/** At most five classes, with about as many values each; equal values are in one. */
export function valueClasses(values: readonly number[]): ValueClass[] {
  const sorted = values.toSorted((a, b) => a - b);
  const starts = Array.from(
    { length: levels },
    (_, at) => sorted[Math.floor((sorted.length * at) / levels)]!,
  );
  const lows = [...new Set(starts)];
  return lows.map((low, at) => ({
    level: lows.length === 1 ? levels : 1 + Math.round((at * (levels - 1)) / (lows.length - 1)),
    low,
    high: sorted.findLast((value) => at + 1 === lows.length || value < lows[at + 1]!)!,
  }));
}

const levels = 5;

/** A frame around the regions; that of the country where they are most of it. */
function frameOf(boxes: Parameters<typeof unitedBox>[0]): Frame {
  if (boxes.length === 0) return countryFrame;
  const frame = frameAround(unitedBox(boxes), roomAround);
  return frame.span > countryFrame.span / 2 ? countryFrame : frame;
}

/** All regions, without the sea and the North around them. */
const countryFrame: Frame = { west: 125.05, north: 38.75, span: 5.9 };
const roomAround = 0.1;
