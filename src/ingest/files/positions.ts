import { regionByCoordinates } from '../../data/regions/coordinates.ts';
import { findingTexts } from './finding-texts.ts';
import { findGeometryColumn, withGeometry } from './geometry-column.ts';
import type { FileLimits } from './limits.ts';
import { peekBatch } from './peek-batch.ts';
import type { Batch, Cell, FindingSink, Table } from './table.ts';
import { degreesIn, isInKorea, readPoint, utmK, type Point } from './point.ts';

/**
 * Adds `lon` and `lat` to a table whose positions are geometries or points in one column (WKT, WKB, GML, a pair of
 * degrees), or plane coordinates in a Korean system that is certain. Other plane coordinates are reported. `finding`
 * receives what is found in rows.
 */
export async function withPositions(
  table: Table,
  finding: FindingSink,
  limits: Pick<FileLimits, 'geometryUnitsMax'>,
): Promise<Table> {
  const { columns, layout } = table;
  if (hasShapes(table)) return table;
  const { first, batches: rest } = await peekBatch(table.batches);
  const sample = first.slice(0, sampleMax);
  const hasDegrees = columns.some(isDegreeName);
  const geometry = findGeometryColumn(columns, sample);
  if (geometry !== null && (geometry.hasShapes || !hasDegrees)) {
    return withGeometry({ ...table, batches: rest }, geometry, finding, limits);
  }
  if (hasDegrees || !columns.some((name) => positionName.test(name))) {
    return { ...table, batches: rest };
  }
  const reader = pointColumn(columns, sample) ?? planeColumns(columns, sample);
  if (reader === null) return { ...table, batches: rest };
  if (reader.detail !== null) finding({ ...reader.detail, row: null });
  const { read } = reader;
  if (read === null) return { ...table, batches: rest };
  return {
    ...table,
    columns: [...columns, freeName('lon', columns), freeName('lat', columns)],
    layout: { ...layout, units: [...layout.units, null, null] },
    batches: positionedBatches(rest, read),
  };
}

type ReadPosition = (cells: readonly Cell[]) => Point | null;

interface PositionReader {
  /** Null if the system is not certain. */
  readonly read: ReadPosition | null;
  readonly detail: Pick<Parameters<FindingSink>[0], 'kind' | 'detail'> | null;
}

const sampleMax = 500;
/** Minimum share of the sampled values that must be positions in Korea. */
const shareMin = 0.9;
/** Names of columns that may have positions; others are not looked at. */
const positionName =
  /좌표|위치|경위도|위경도|지점|point|geom|wkt|gml|coord|loc|(?<![a-z])[xy](?![a-z])/i;

function isDegreeName(name: string): boolean {
  return /^(?:위도|경도|lat|latitude|lon|lng|longitude)(?:$|[^가-힣a-z])/i.test(name);
}

/** True if the reader of the file has already added columns of positions, and reported their system. */
function hasShapes({ columns, format }: Table): boolean {
  if (format !== 'json' && format !== 'dbf' && format !== 'xml') return false;
  return columns.includes('geometry') || (columns.includes('x') && columns.includes('y'));
}

function freeName(name: string, columns: readonly string[]): string {
  return columns.includes(name) ? `${name}_2` : name;
}

/** Finds a column of points in degrees. */
function pointColumn(
  columns: readonly string[],
  sample: readonly (readonly Cell[])[],
): PositionReader | null {
  const at = columns.findIndex((name, index) => {
    if (!positionName.test(name)) return false;
    return isMostly(
      sample.flatMap((cells) => cells[index] ?? []),
      (cell) => pointOf(cell) !== null,
    );
  });
  return at < 0 ? null : { read: (cells) => pointOf(cells[at] ?? null), detail: null };
}

function pointOf(cell: Cell): Point | null {
  const point = typeof cell === 'string' ? readPoint(cell) : null;
  if (point === null) return null;
  if (isInKorea(point)) return point;
  const swapped = { lon: point.lat, lat: point.lon };
  return isInKorea(swapped) ? swapped : (degreesIn(utmK, point.lon, point.lat) ?? null);
}

/** Finds two columns of plane coordinates: `좌표정보(X)` and `좌표정보(Y)`. */
function planeColumns(
  columns: readonly string[],
  sample: readonly (readonly Cell[])[],
): PositionReader | null {
  for (const [x, name] of columns.entries()) {
    const y = columns.indexOf(name.replace(isolatedX, (letter) => (letter === 'x' ? 'y' : 'Y')));
    if (y < 0 || y === x) continue;
    const planes = sample.flatMap((cells) => {
      const plane = planeOf(cells, x, y);
      return plane === null ? [] : [plane];
    });
    if (planes.length === 0 || !isMostly(planes, isPlane)) continue;
    const system = systemNamed(name) ?? systemOfRange(planes);
    if (system === null) return { read: null, detail: unclear(name, columns[y]!) };
    for (const isSwapped of [false, true]) {
      const read: ReadPosition = (cells) => {
        const plane = isSwapped ? planeOf(cells, y, x) : planeOf(cells, x, y);
        return plane === null ? null : degreesIn(system, ...plane);
      };
      if (!isMostly(planes, ([a, b]) => isOnLand(isSwapped ? [b, a] : [a, b], system))) continue;
      const detail = findingTexts.positionComputed(name, columns[y]!, system);
      return { read, detail: { kind: 'position_computed', detail } };
    }
    return { read: null, detail: unclear(name, columns[y]!) };
  }
  return null;
}

function unclear(x: string, y: string): PositionReader['detail'] {
  return { kind: 'geometry_projected', detail: findingTexts.planeUnclear(x, y) };
}

const isolatedX = /(?<![a-z])x(?![a-z])/i;

/** Coordinate system that a column name states. Licences of local governments (LOCALDATA) are in EPSG:5174. */
function systemNamed(name: string): number | null {
  const [, number] = /(?:epsg|srid)\D{0,2}(\d{4})/i.exec(name) ?? [];
  if (number !== undefined) return Number(number);
  if (/utm[-_ ]?k/i.test(name)) return utmK;
  return /^좌표정보 ?\(?x\)?$/i.test(name) ? licenceSystem : null;
}

const licenceSystem = 5174;
function systemOfRange(planes: readonly (readonly [number, number])[]): number | null {
  const isUtmK = isMostly(planes, isInUtmK) || isMostly(planes, ([x, y]) => isInUtmK([y, x]));
  return isUtmK ? utmK : null;
}

function isInUtmK([east, north]: readonly [number, number]): boolean {
  return east > 700_000 && east < 1_400_000 && north > 1_400_000 && north < 2_150_000;
}

function planeOf(cells: readonly Cell[], x: number, y: number): [number, number] | null {
  const [a, b] = [numberOf(cells[x]), numberOf(cells[y])];
  return a === null || b === null || (a === 0 && b === 0) ? null : [a, b];
}

function numberOf(cell: Cell | undefined): number | null {
  const text = typeof cell === 'string' ? cell.replaceAll(',', '').trim() : cell;
  if (text === '' || text === null || text === undefined || typeof text === 'boolean') return null;
  const number = Number(text);
  return Number.isFinite(number) ? number : null;
}

/** True for metres: degrees and pixels are smaller. One of the two may be near the centre of its system. */
function isPlane([x, y]: readonly [number, number]): boolean {
  const larger = Math.max(Math.abs(x), Math.abs(y));
  return larger > 10_000 && larger < 3_000_000;
}

function isOnLand([x, y]: readonly [number, number], system: number): boolean {
  const point = degreesIn(system, x, y);
  return point !== null && regionByCoordinates(point.lat, point.lon)?.distanceKm === 0;
}

function isMostly<Item>(items: readonly Item[], test: (item: Item) => boolean): boolean {
  return items.length > 0 && items.filter(test).length >= items.length * shareMin;
}

async function* positionedBatches(
  batches: AsyncIterable<Batch>,
  read: ReadPosition,
): AsyncGenerator<Batch, void> {
  for await (const batch of batches) {
    const rows = batch.rows.map((cells) => {
      const point = read(cells);
      return [...cells, point?.lon ?? null, point?.lat ?? null];
    });
    yield { ...batch, rows };
  }
}
