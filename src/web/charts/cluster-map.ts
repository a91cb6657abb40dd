import type { Language } from '../../contract/language.ts';
import type { Position } from '../../data/columns/distance.ts';
import type { Boundaries } from '../../data/regions/boundaries.ts';
import { html, type Html } from '../html.ts';
import { placeIn, type Frame } from './frame.ts';
import { mapOutlines } from './map-outlines.ts';
import { namesWithoutOverlap, placeNames } from './place-names.ts';
import { fullNumber, shortNumber } from './short-number.ts';

/** Records at a place, or near it. */
interface Mark {
  readonly position: Position;
  readonly count: number;
  readonly label: string;
  readonly href: string;
  /** Name beside the circle of a record; null for several records. */
  readonly name: string | null;
}

interface ClusterMap {
  readonly frame: Frame;
  readonly boundaries: Boundaries;
  readonly marks: readonly Mark[];
  /** Place from which distances are measured; null for none. */
  readonly here: Position | null;
}

/** A map of records as circles that grow with their number. It is for the eye alone: a list must stand beside it. */
export function clusterMap(
  { frame, boundaries, marks, here }: ClusterMap,
  language: Language,
): Html {
  const largestFirst = marks.toSorted((a, b) => b.count - a.count);
  return html`<svg class="map-drawing" width="100%" height="100%" aria-hidden="true">
    ${mapOutlines(frame, boundaries)}
    ${namesWithoutOverlap(
      [...placeNames(frame, boundaries), ...pointNames(marks)],
      frame,
      marks.map(({ position, count }) => ({ position, radius: radiusOf(count) })),
    )}
    ${largestFirst.map(({ position, count, label, href }) => {
      const { x, y } = placeIn(frame, position);
      const radius = radiusOf(count);
      const text =
        count === 1
          ? null
          : html`<text x="${x}%" y="${y}%" dy="4">${shortNumber(count, language)}</text>`;
      return html`<a href="${href}" tabindex="-1" rel="nofollow"
        ><circle
          class="${count === 1 ? 'point' : 'cluster'}"
          cx="${x}%"
          cy="${y}%"
          r="${radius}"
        />${text} <title>${label}${count === 1 ? '' : ` ${fullNumber(count)}`}</title></a
      >`;
    })}
    ${here === null ? null : hereMark(frame, here)}
  </svg>`;
}

/** Names of single records, below or above their circles. */
function pointNames(marks: readonly Mark[]) {
  return marks
    .filter(({ name }) => name !== null)
    .slice(0, pointNamesMax)
    .map(({ name, position }) => ({
      name: shortName(name!),
      position,
      steps: [
        [0, 17],
        [0, -17],
      ] as const,
      look: 'point-name',
    }));
}

const pointNamesMax = 80;

function shortName(name: string): string {
  return name.length > nameLengthMax ? `${name.slice(0, nameLengthMax).toWellFormed()}…` : name;
}

const nameLengthMax = 12;

/** Radius in pixels of the circle of a number of records. */
export function radiusOf(count: number): number {
  return count === 1 ? 6 : Math.round(10 + 4 * Math.log10(count));
}

function hereMark(frame: Frame, here: Position): Html {
  const { x, y } = placeIn(frame, here);
  return html`<circle class="here" cx="${x}%" cy="${y}%" r="9" />`;
}
