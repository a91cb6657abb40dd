import { unitedBox, type Box, type Position } from '../columns/distance.ts';
import { readBorderLines, unitsPerDegree, type BorderLine } from './border-lines.ts';
import { currentCodes } from './coverage.ts';
import { joinLines, outlineOf, reversedLine, type Outline } from './outlines.ts';
import { regionByCode } from './region-table.ts';

/** Lines of a map, by kind. */
interface MapLines {
  /** Coasts of the mainland and of islands, each closed. */
  readonly coasts: readonly Outline[];
  readonly sidoBorders: readonly Outline[];
  readonly sigunguBorders: readonly Outline[];
}

/** Area of a region. */
export interface Shape {
  /** Closed outlines of the region's parts; outlines of holes run in the opposite direction. */
  readonly rings: readonly Outline[];
  readonly box: Box;
  /** Place of the region's name: the middle of its widest section. */
  readonly label: Position;
}

let builtIn: Boundaries | undefined;

/** The borders of 2018 between current regions, read with the first map. */
export function builtInBoundaries(): Boundaries {
  return (builtIn ??= new Boundaries(readBorderLines()));
}

/** Areas and neighbours of the current regions, from the lines between them. */
export class Boundaries {
  readonly #lines: readonly SidedLine[];
  readonly #byRegion: ReadonlyMap<string, readonly SidedLine[]>;
  readonly #sidoBoundaries: Boundaries | null;
  readonly #shapes = new Map<string, Shape | null>();
  #mapLines: MapLines | undefined;

  /** Takes the lines between sigungu; `sidoBoundaries` has shapes of sidos that replace those from the lines. */
  constructor(lines: Iterable<BorderLine>, sidoBoundaries: Boundaries | null = null) {
    this.#sidoBoundaries = sidoBoundaries;
    const sided: SidedLine[] = [];
    const byRegion = new Map<string, SidedLine[]>();
    for (const { sides, positions } of lines) {
      const [left, right] = sides.map((side) => side.split(' ')[0]!) as [string, string];
      // There is no border between parts of one region.
      if (left === right) continue;
      const line = { left, right, positions };
      sided.push(line);
      for (const side of [left, right]) {
        const list = byRegion.get(side);
        if (list === undefined) byRegion.set(side, [line]);
        else list.push(line);
      }
    }
    this.#lines = sided;
    this.#byRegion = byRegion;
  }

  get mapLines(): MapLines {
    return (this.#mapLines ??= mapLinesOf(this.#lines));
  }

  /** Smallest regions that have borders, by code: sigungu, and 36 for 세종. */
  get codes(): readonly string[] {
    return [...this.#byRegion.keys()].filter((code) => code !== '');
  }

  /** Area of a region, or of the successors of a former region; null without borders. */
  shapeOf(code: string): Shape | null {
    let shape = this.#shapes.get(code);
    if (shape === undefined) this.#shapes.set(code, (shape = this.#readShape(code)));
    return shape;
  }

  /** Computes the lines of maps and all shapes, a region at a time. */
  *prepare(): Generator<void, void> {
    this.#mapLines ??= mapLinesOf(this.#lines);
    const sidos = new Set(this.codes.map((code) => code.slice(0, 2)));
    for (const code of [...sidos, ...this.codes]) {
      yield;
      this.shapeOf(code);
    }
  }

  /** Codes of the smallest regions that share a border with a region. */
  neighboursOf(code: string): ReadonlySet<string> {
    const within = this.#partsOf(code);
    const beyond = this.#linesAround(within).map(({ left, right }) =>
      within.has(left) ? right : left,
    );
    return new Set(beyond.filter((one) => one !== ''));
  }

  #readShape(code: string): Shape | null {
    const sidoShape = code.length === 2 ? (this.#sidoBoundaries?.shapeOf(code) ?? null) : null;
    if (sidoShape !== null) return sidoShape;
    const within = this.#partsOf(code);
    const lines = this.#linesAround(within).map(({ left, positions }) =>
      within.has(left) ? positions : reversedLine(positions),
    );
    if (lines.length === 0) return null;
    const rings = joinLines(lines);
    return { rings, box: unitedBox(rings.map(degreesOf)), label: labelOf(rings) };
  }

  #partsOf(code: string): ReadonlySet<string> {
    const region = regionByCode(code);
    const codes = region === undefined ? [code] : currentCodes(region);
    return new Set(codes.filter((one) => this.#byRegion.has(one)));
  }

  /** Lines between regions of a set and others. */
  #linesAround(within: ReadonlySet<string>): SidedLine[] {
    return [...within]
      .flatMap((code) => this.#byRegion.get(code) ?? [])
      .filter(({ left, right }) => within.has(left) !== within.has(right));
  }
}

/** A line with the codes of the regions on both sides; empty for the sea. */
interface SidedLine {
  readonly left: string;
  readonly right: string;
  readonly positions: Int32Array;
}

function mapLinesOf(lines: readonly SidedLine[]): MapLines {
  const coasts: Int32Array[] = [];
  const sidoBorders: Int32Array[] = [];
  const sigunguBorders: Int32Array[] = [];
  for (const { left, right, positions } of lines) {
    if (left === '') coasts.push(positions);
    else if (right === '') coasts.push(reversedLine(positions));
    else if (left.slice(0, 2) !== right.slice(0, 2)) sidoBorders.push(positions);
    else sigunguBorders.push(positions);
  }
  return {
    coasts: joinLines(coasts),
    sidoBorders: sidoBorders.map(outlineOf),
    sigunguBorders: sigunguBorders.map(outlineOf),
  };
}

/** The box around a line in degrees. */
function degreesOf({ box: { south, west, north, east } }: Outline): Box {
  return {
    minLon: west / unitsPerDegree,
    minLat: south / unitsPerDegree,
    maxLon: east / unitsPerDegree,
    maxLat: north / unitsPerDegree,
  };
}

/** Position of a region's name: of the sections of a few parallels, the middle of the one with the most room. */
function labelOf(rings: readonly Outline[]): Position {
  const largest = rings.reduce((a, b) => (sizeOf(b) > sizeOf(a) ? b : a));
  const { south, west, north, east } = largest.box;
  let best = { lat: (south + north) / 2, lon: (west + east) / 2, room: 0 };
  for (let part = 1; part < sections; part++) {
    const lat = south + ((north - south) * part) / sections + 0.5;
    for (const [from, to] of insideAlong(rings, 0, lat)) {
      const lon = (from + to) / 2;
      if (to - from <= best.room) continue;
      const upright = insideAlong(rings, 1, lon + 0.5).find(([a, b]) => a <= lat && lat <= b);
      const height = upright === undefined ? 0 : Math.min(upright[1] - lat, lat - upright[0]);
      const room = Math.min(to - from, height * 4);
      if (room > best.room) best = { lat, lon, room };
    }
  }
  return { lat: best.lat / unitsPerDegree, lon: best.lon / unitsPerDegree };
}

const sections = 10;

function sizeOf({ box }: Outline): number {
  return (box.north - box.south) * (box.east - box.west);
}

/** Stretches inside of closed lines along a parallel (`across` 0) or a meridian (1). */
function insideAlong(rings: readonly Outline[], across: 0 | 1, at: number): [number, number][] {
  const along = 1 - across;
  const crossings: number[] = [];
  for (const { positions } of rings) {
    for (let point = 0; point + 3 < positions.length; point += 2) {
      const [one, other] = [positions[point + across]!, positions[point + 2 + across]!];
      if (at < one === at < other) continue;
      const start = positions[point + along]!;
      const share = (at - one) / (other - one);
      crossings.push(start + (positions[point + 2 + along]! - start) * share);
    }
  }
  crossings.sort((a, b) => a - b);
  return Array.from({ length: crossings.length >> 1 }, (_, pair) => [
    crossings[pair * 2]!,
    crossings[pair * 2 + 1]!,
  ]);
}
