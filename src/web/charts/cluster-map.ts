import type { Language } from '../../contract/language.ts';
import type { Position } from '../../data/columns/distance.ts';
import type { Boundaries } from '../../data/regions/boundaries.ts';
import { html, type Html } from '../html.ts';
import { placeIn, type Frame } from './frame.ts';
import { mapOutlines } from './map-outlines.ts';
import { namesWithoutOverlap, placeNames } from './place-names.ts';
import { fullNumber, shortNumber } from './short-number.ts';

/** Records at a place, or near it. */
export interface Mark {
  readonly position: Position;
  readonly count: number;
  readonly label: string;
  readonly href: string;
  /** Name beside the circle of a record; null for several records. */
  readonly name: string | null;
  /** Number of a record in the list beside the map. */
  readonly listed?: number | undefined;
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
  const largestFirst = marks.toSorted(
    (a, b) => b.count - a.count || (b.listed ?? Infinity) - (a.listed ?? Infinity),
  );
  return html`<svg class="map-drawing" width="100%" height="100%" aria-hidden="true">
    ${mapOutlines(frame, boundaries)}
    ${namesWithoutOverlap(
      [...placeNames(frame, boundaries), ...pointNames(marks)],
      frame,
      marks.map((mark) => ({ position: mark.position, radius: radiusOfMark(mark) })),
    )}
    ${here === null ? null : hereMark(frame, here)}
    ${largestFirst.map((mark) => {
      const { position, count, label, href, listed } = mark;
      const { x, y } = placeIn(frame, position);
      const number = count === 1 ? listed : shortNumber(count, language);
      const text =
        number === undefined ? null : html`<text x="${x}%" y="${y}%" dy="4">${number}</text>`;
      const look = count > 1 ? 'cluster' : listed === undefined ? 'point' : 'point listed';
      return html`<a href="${href}" tabindex="-1" rel="nofollow"
        ><circle class="${look}" cx="${x}%" cy="${y}%" r="${radiusOfMark(mark)}" />${text}
        <title>${label}${count === 1 ? '' : ` ${fullNumber(count)}`}</title></a
      >`;
    })}
  </svg>`;
}

/** Names of single records, below or above their circles. */
function pointNames(marks: readonly Mark[]) {
  return marks
    .filter(({ name }) => name !== null)
    .sort((a, b) => (a.listed ?? Infinity) - (b.listed ?? Infinity) || 0)
    .slice(0, pointNamesMax)
    .map(({ name, position, href }) => ({
      name: shortName(name!),
      position,
      href,
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

/** Radius in pixels; a number of the list needs more room than a point. */
function radiusOfMark({ count, listed }: Mark): number {
  return listed === undefined ? radiusOf(count) : listedRadius;
}

const listedRadius = 10;

/** Radius in pixels of the circle of a number of records. */
export function radiusOf(count: number): number {
  return count === 1 ? 6 : Math.round(10 + 4 * Math.log10(count));
}

function hereMark(frame: Frame, here: Position): Html {
  const { x, y } = placeIn(frame, here);
  return html`<circle class="here" cx="${x}%" cy="${y}%" r="9" />`;
}
