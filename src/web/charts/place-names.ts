import type { Position } from '../../data/columns/distance.ts';
import type { Boundaries } from '../../data/regions/boundaries.ts';
import { regionByCode, type Region } from '../../data/regions/region-table.ts';
import { html, type Html } from '../html.ts';
import { koreaFrame, placeIn, type Frame } from './frame.ts';

/** A name on a map. */
interface PlaceName {
  readonly name: string;
  readonly position: Position;
  /** Class of its text beside `place`. */
  readonly look?: string;
}

/** Names of the provinces of a frame, or of the districts of a near one, where no mark is. */
export function placeNames(frame: Frame, boundaries: Boundaries, marks: readonly Position[]): Html {
  const names = frame.span < districtsSpanMax ? districtNames(boundaries) : provinceNames;
  return namesWithoutOverlap(names, frame, marks);
}

const districtsSpanMax = koreaFrame.span / 8;

/** Names inside of a frame; each hides those after it that it would touch. */
export function namesWithoutOverlap(
  names: readonly PlaceName[],
  frame: Frame,
  marks: readonly Position[] = [],
): Html {
  const taken = marks.map((mark) => ({ ...placeIn(frame, mark), width: 7, height: 5 }));
  return html`${names.map(({ name, position, look }) => {
    const { x, y } = placeIn(frame, position);
    const side = 1 + 1.5 * name.length;
    const isInside = x > side && x < 100 - side && y > 2 && y < 98;
    const isHidden = taken.some(
      (other) => Math.abs(other.x - x) < other.width && Math.abs(other.y - y) < other.height,
    );
    if (!isInside || isHidden) return null;
    taken.push({ x, y, width: 2 * side, height: 3.5 });
    return html`<text class="place ${look}" x="${x}%" y="${y}%" dy="4">${name}</text>`;
  })}`;
}

function districtNames(boundaries: Boundaries): PlaceName[] {
  return boundaries.codes.flatMap((code) => {
    const [region, shape] = [regionByCode(code), boundaries.shapeOf(code)];
    return region === undefined || shape === null
      ? []
      : [{ name: mapName(region), position: shape.label }];
  });
}

/** The name of a region on a map, where its city need not stand before it. */
export function mapName({ level, name, short }: Region): string {
  return level === 'sido' ? short : name.split(' ').at(-1)!;
}

/** Latitude and longitude of the name of each province. */
const places: Readonly<Record<string, readonly [lat: number, lon: number]>> = {
  '11': [37.56, 126.99],
  '12': [34.93, 126.9],
  '26': [35.2, 129.06],
  '27': [35.88, 128.58],
  '28': [37.47, 126.42],
  '30': [36.34, 127.4],
  '31': [35.55, 129.24],
  '36': [36.58, 127.26],
  '41': [37.2, 127.35],
  '43': [36.85, 127.78],
  '44': [36.45, 126.75],
  '47': [36.4, 128.75],
  '48': [35.35, 128.2],
  '50': [33.38, 126.55],
  '51': [37.75, 128.35],
  '52': [35.72, 127.1],
};

const provinceNames: readonly PlaceName[] = Object.entries(places).map(([code, [lat, lon]]) => ({
  name: regionByCode(code)!.short,
  position: { lat, lon },
}));
