import type { BilingualText } from '../../contract/language.ts';
import { degreesOf } from '../../data/projection.ts';
import { findingTexts } from './finding-texts.ts';
import type { FileLimits } from './limits.ts';
import { degreesIn, isInKorea, utmK } from './point.ts';
import type { Position } from './shape-geometry.ts';
import type { Batch, Cell, FindingSink, Table } from './table.ts';
import { readWellKnown, type WellKnownGeometry } from './well-known-geometry.ts';

/** A column of geometries as text (WKT) or in hexadecimal (WKB), with facts from a sample of its cells. */
interface GeometryColumn {
  readonly index: number;
  readonly hasPoints: boolean;
  readonly hasShapes: boolean;
  /** True if the table keeps the column beside the new ones: all its geometries are points as text. */
  readonly isKept: boolean;
  /** True if the points are degrees or can be converted to them. */
  readonly isConverted: boolean;
  /** Number of the system in EPSG; null for degrees of WGS84, 0 for an unknown one. */
  readonly system: number | null;
}

/** Finds the first column of geometries by a sample of its cells; null if there is none. */
export function findGeometryColumn(
  columns: readonly string[],
  sample: readonly (readonly Cell[])[],
): GeometryColumn | null {
  for (const index of columns.keys()) {
    const first = sample.find((row) => isFilled(row[index] ?? null));
    if (readCell(first?.[index] ?? null) === null) continue;
    const cells = sample.map((row) => row[index] ?? null).filter(isFilled);
    const geometries = cells.flatMap((cell) => readCell(cell) ?? []);
    if (geometries.length < cells.length * shareMin) continue;
    const hasShapes = !geometries.every(isPoint);
    const system = systemOf(geometries);
    return {
      index,
      hasPoints: geometries.some(isPoint),
      hasShapes,
      isKept: !hasShapes && !geometries.some(({ isBinary }) => isBinary),
      isConverted: system === null || degreesOf(system, 0, 0) !== null,
      system,
    };
  }
  return null;
}

/** Minimum share of the sampled cells that must be geometries. */
const shareMin = 0.9;

/** True for a cell with a geometry; false for an empty cell and for `POINT EMPTY`. */
function isFilled(cell: Cell): boolean {
  return cell !== null && !/\bEMPTY$/iu.test(String(cell));
}

function readCell(cell: Cell): WellKnownGeometry | null {
  return typeof cell === 'string' ? readWellKnown(cell) : null;
}

function isPoint({ geometry }: WellKnownGeometry): boolean {
  return geometry.type === 'Point';
}

/** The system that the geometries state or, if they state none, the one that their first positions suggest. */
function systemOf(geometries: readonly WellKnownGeometry[]): number | null {
  const stated = geometries.find(({ system }) => system !== null)?.system ?? null;
  if (stated !== null) return degreeSystems.has(stated) ? null : stated;
  const positions = geometries
    .map(({ geometry }) => positionIn(geometry))
    .filter((position) => !isZero(position));
  const isMostly = (test: (position: Position) => boolean): boolean =>
    positions.filter(test).length >= positions.length * shareMin;
  if (isMostly(([x = 0, y = 0]) => isInKorea({ lon: x, lat: y }) || isInKorea({ lon: y, lat: x })))
    return null;
  return isMostly(([x = 0, y = 0]) => degreesIn(utmK, x, y) !== null) ? utmK : 0;
}

/** WGS84, as EPSG and Oracle number it, and Korea 2000, which differs by centimetres. */
const degreeSystems: ReadonlySet<number> = new Set([4326, 8307, 4737]);

/** True for 0, 0, by which databases mean an unknown position. */
function isZero([x, y]: Position): boolean {
  return x === 0 && y === 0;
}

function positionIn(geometry: WellKnownGeometry['geometry']): Position {
  return geometry.type === 'GeometryCollection'
    ? positionIn(geometry.geometries[0]!)
    : firstPosition(geometry.coordinates);
}

function firstPosition(coordinates: unknown): Position {
  const [first] = coordinates as readonly unknown[];
  return Array.isArray(first) ? firstPosition(first) : (coordinates as Position);
}

/**
 * Adds the columns that a table from a shapefile or GeoJSON has: `lon` and `lat` for points, or `x` and `y` in a system
 * that cannot be converted, and `geometry` for all other shapes. The source column is dropped unless `isKept`.
 */
export function withGeometry(
  table: Table,
  geometryColumn: GeometryColumn,
  finding: FindingSink,
  { geometryUnitsMax: unitsMax }: Pick<FileLimits, 'geometryUnitsMax'>,
): Table {
  const { columns, layout, batches } = table;
  const { index, hasPoints, hasShapes, isKept, isConverted, system } = geometryColumn;
  const pointNames = hasPoints ? (isConverted ? ['lon', 'lat'] : ['x', 'y']) : [];
  const remaining = <Item>(items: readonly Item[]): Item[] =>
    isKept ? [...items] : items.filter((_, at) => at !== index);
  const names = remaining(columns);
  const added = [...pointNames, ...(hasShapes ? ['geometry'] : [])].map((name) =>
    names.includes(name) ? `${name}_2` : name,
  );
  if (system !== null && isConverted && hasPoints) {
    const detail = findingTexts.pointsComputed(columns[index]!, system);
    finding({ kind: 'position_computed', row: null, detail });
  }
  if (system !== null && (!isConverted || hasShapes)) {
    const unconverted = isConverted ? added.slice(pointNames.length) : added;
    const detail = findingTexts.geometryLeft(columns[index]!, system, unconverted);
    finding({ kind: 'geometry_projected', row: null, detail });
  }
  return {
    ...table,
    columns: [...names, ...added],
    layout: {
      ...layout,
      units: [...remaining(layout.units), ...added.map(() => null)],
      renamedColumns: layout.renamedColumns.filter((name) => names.includes(name)),
    },
    batches: mapRows(batches, (cells, row) => {
      const { point, shape, fault } = geometryCells(cells[index] ?? null, geometryColumn, unitsMax);
      if (fault !== null) finding({ kind: 'geometry_not_held', row, detail: fault });
      return [...remaining(cells), ...(hasPoints ? point : []), ...(hasShapes ? [shape] : [])];
    }),
  };
}

/** The cells of a geometry in the added columns; `fault` is the reason if the geometry is in none of them. */
function geometryCells(
  cell: Cell,
  { hasPoints, hasShapes, isKept, isConverted, system }: GeometryColumn,
  unitsMax: number,
): { readonly point: readonly Cell[]; readonly shape: Cell; readonly fault: BilingualText | null } {
  const none = { point: [null, null], shape: null, fault: null };
  const geometry = readCell(cell);
  if (geometry?.geometry.type === 'Point' && hasPoints) {
    const [x = 0, y = 0] = geometry.geometry.coordinates;
    if (isZero([x, y])) return none;
    const point = isConverted ? positionOf(x, y, system) : [x, y];
    if (point !== null) return { ...none, point };
  } else if (geometry !== null && hasShapes) {
    const shape = JSON.stringify(geometry.geometry, roundedNumber);
    if (shape.length <= unitsMax) return { ...none, shape };
    return { ...none, fault: findingTexts.geometryTooLong(unitsMax) };
  }
  return !isKept && isFilled(cell) ? { ...none, fault: findingTexts.geometryUnreadable() } : none;
}

/** `lon` and `lat` of degrees in either order, or of a point in a plane system; null if that point is not in Korea. */
function positionOf(x: number, y: number, system: number | null): Position | null {
  const isSwapped = !isInKorea({ lon: x, lat: y }) && isInKorea({ lon: y, lat: x });
  if (system === null) return isSwapped ? [y, x] : [x, y];
  const point = degreesIn(system, x, y);
  return point === null ? null : [point.lon, point.lat];
}

/** Rounds degrees to a centimetre, and metres to a millimetre. */
function roundedNumber(_: string, value: unknown): unknown {
  if (typeof value !== 'number') return value;
  const scale = Math.abs(value) <= 360 ? 1e7 : 1e3;
  return Math.round(value * scale) / scale;
}

async function* mapRows(
  batches: AsyncIterable<Batch>,
  read: (cells: readonly Cell[], row: number | null) => readonly Cell[],
): AsyncGenerator<Batch, void> {
  for await (const batch of batches) {
    const rows = batch.rows.map((cells, at) => read(cells, batch.sourceRows[at] ?? null));
    yield { ...batch, rows };
  }
}
