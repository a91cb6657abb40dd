import type { Position } from '../../data/columns/distance.ts';
import type { Boundaries } from '../../data/regions/boundaries.ts';
import { regionAround } from '../../data/regions/coordinates.ts';
import { currentSidoCode } from '../../data/regions/coverage.ts';
import { regionByCode, type Region } from '../../data/regions/region-table.ts';
import { html, type Html } from '../html.ts';
import { koreaFrame, mapHeightPx, mapWidthPx, placeIn, type Frame } from './frame.ts';

/** A name on a map. */
interface PlaceName {
  readonly name: string;
  readonly position: Position;
  /** Other places of the name, tried in their order. */
  readonly others?: readonly Position[];
  /** Steps in pixels that it may be moved from its place; none by default. */
  readonly steps?: readonly (readonly [right: number, down: number])[];
  /** Class of its text beside `place`. */
  readonly look?: string;
  /** Address that the name leads to. */
  readonly href?: string;
}

/** A rectangle around a place on a map, in pixels. */
interface NameBox {
  readonly x: number;
  readonly y: number;
  readonly halfWidth: number;
  readonly halfHeight: number;
}

/** A circle that no name covers. */
interface Circle {
  readonly position: Position;
  /** In pixels. */
  readonly radius: number;
}

/** Names of the provinces of a frame, or of the districts of a near one, where no circle is. */
export function placeNames(frame: Frame, boundaries: Boundaries): readonly PlaceName[] {
  return frame.span < districtsSpanMax ? districtNames(frame, boundaries) : provinceNames(frame);
}

const districtsSpanMax = koreaFrame.span / 8;

/** Names inside of a frame; each hides those after it that it would touch. */
export function namesWithoutOverlap(
  names: readonly PlaceName[],
  frame: Frame,
  circles: readonly Circle[] = [],
): Html {
  const discs = circles.map(({ position, radius }) => ({ ...pixelsOf(frame, position), radius }));
  const taken: NameBox[] = [];
  const isFree = (place: NameBox): boolean =>
    isInside(place) &&
    !taken.some((other) => doTouch(place, other)) &&
    !discs.some(({ x, y, radius }) => distanceOf(place, x, y) < radius);
  return html`${names.map(({ name, position, others = [], steps = [[0, 0]], look, href }) => {
    const half = { halfWidth: 1 + 6 * name.length, halfHeight: 7 };
    const place = [position, ...others]
      .map((one) => pixelsOf(frame, one))
      .flatMap(({ x, y }) => steps.map(([right, down]) => ({ x: x + right, y: y + down, ...half })))
      .find(isFree);
    if (place === undefined) return null;
    taken.push(place);
    const [x, y] = [percent(place.x, mapWidthPx), percent(place.y, mapHeightPx)];
    const text = html`<text class="place ${look}" x="${x}%" y="${y}%" dy="4">${name}</text>`;
    return href === undefined
      ? text
      : html`<a href="${href}" tabindex="-1" rel="nofollow">${text}</a>`;
  })}`;
}

/** Distance in pixels from a place to a point outside of it; 0 inside. */
function distanceOf(place: NameBox, x: number, y: number): number {
  const right = Math.max(0, Math.abs(place.x - x) - place.halfWidth);
  const down = Math.max(0, Math.abs(place.y - y) - place.halfHeight);
  return Math.hypot(right, down);
}

function pixelsOf(frame: Frame, position: Position): { x: number; y: number } {
  const { x, y } = placeIn(frame, position);
  return { x: (x / 100) * mapWidthPx, y: (y / 100) * mapHeightPx };
}

function percent(pixels: number, all: number): number {
  return Math.round((pixels / all) * 10_000) / 100;
}

function isInside({ x, y, halfWidth, halfHeight }: NameBox): boolean {
  const isAcross = x > halfWidth && x < mapWidthPx - halfWidth;
  return isAcross && y > halfHeight && y < mapHeightPx - halfHeight;
}

function doTouch(one: NameBox, other: NameBox): boolean {
  return (
    Math.abs(one.x - other.x) < one.halfWidth + other.halfWidth &&
    Math.abs(one.y - other.y) < one.halfHeight + other.halfHeight
  );
}

/** The districts of a frame, each named at its middle, or on the part of it that is in sight. */
function districtNames(frame: Frame, boundaries: Boundaries): PlaceName[] {
  const seen = positionsByRegion(frame, 8, (code) => code);
  const codes = new Set([...seen.keys(), ...boundaries.codes]);
  return [...codes].flatMap((code) => {
    const [region, shape] = [regionByCode(code), boundaries.shapeOf(code)];
    if (region === undefined || shape === null) return [];
    return [{ name: mapName(region), position: shape.label, others: seen.get(code) ?? [] }];
  });
}

function provinceNames(frame: Frame): PlaceName[] {
  const seen = positionsByRegion(frame, 24, currentSidoCode);
  return Object.entries(places).map(([code, [lat, lon]]) => ({
    name: regionByCode(code)!.short,
    position: { lat, lon },
    others: seen.get(code) ?? [],
  }));
}

/** Positions in each region of a frame by its code, the middle ones first: those of a grid of so many cells across. */
function positionsByRegion(
  { west, north, span }: Frame,
  cellsAcross: number,
  keyOf: (code: string) => string,
): ReadonlyMap<string, readonly Position[]> {
  const parts = Array.from({ length: cellsAcross }, (_, at) => (at + 0.5) / cellsAcross);
  const positions = parts.flatMap((down) =>
    parts.map((right) => ({ lat: north - span * down, lon: west + span * right })),
  );
  const found = Map.groupBy(positions, ({ lat, lon }) => {
    const code = regionAround(lat, lon);
    return code === null ? '' : keyOf(code);
  });
  return new Map([...found].map(([key, those]) => [key, middleFirst(those)]));
}

/** Positions by their distance from the middle of them all. */
function middleFirst(positions: readonly Position[]): Position[] {
  const mean = (part: keyof Position): number =>
    positions.reduce((sum, one) => sum + one[part], 0) / positions.length;
  const [lat, lon] = [mean('lat'), mean('lon')];
  const distance = (one: Position): number => Math.hypot(one.lat - lat, one.lon - lon);
  return positions.toSorted((a, b) => distance(a) - distance(b));
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
