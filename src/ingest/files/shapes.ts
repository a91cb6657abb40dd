import { findingTexts } from './finding-texts.ts';
import type { Part } from './part.ts';
import { refusalTexts } from './refusal-texts.ts';
import { FileRefused } from './refused.ts';
import { geometryOf, isPointType, nullType } from './shape-geometry.ts';
import { SourceReader } from './source-reader.ts';
import { readHead, type ByteSource } from './source.ts';
import type { Cell } from './table.ts';

/** Geometry of the records of a shapefile, in the order of its table. */
export interface Shapes {
  /** `lon` and `lat` for points in degrees of WGS84; `geometry`, in GeoJSON, for everything else. */
  readonly columns: readonly string[];
  /** Yields as many cells as columns for each record. A shape that is not imported is reported, and null. */
  cells(): AsyncGenerator<readonly Cell[], void>;
}

/**
 * Opens the `.shp` beside a table; null if there is none. Coordinates stay in the system of the `.prj`; one that is not
 * WGS84 is reported with its name. Throws `FileRefused` if the file is not a shapefile.
 *
 * Source of the format: ESRI Shapefile Technical Description, July 1998.
 */
export async function shapesBeside(part: Part): Promise<Shapes | null> {
  const source = part.beside('.shp');
  if (source === null) return null;
  const head = await readHead(source, headBytes);
  if (head.length < headBytes || head.readInt32BE(0) !== fileCode) {
    throw new FileRefused('damaged', refusalTexts.notShapefile(source.name));
  }
  const box = [36, 44, 52, 60].map((at) => head.readDoubleLE(at));
  const { name, isWgs84 } = await systemOf(part.beside('.prj'), box);
  if (!isWgs84) {
    const detail = findingTexts.otherCoordinates(name);
    part.finding({ kind: 'geometry_projected', row: null, detail });
  }
  const hasPoints = isPointType(head.readInt32LE(32)) && isWgs84;
  const scale = box.every((value) => Math.abs(value) <= 360) ? degreeScale : metreScale;
  const read = (content: Buffer): readonly Cell[] | null => {
    const geometry = geometryOf(content, scale);
    if (geometry === null) return null;
    if (!hasPoints) return [JSON.stringify(geometry)];
    return geometry.type === 'Point' ? geometry.coordinates : null;
  };
  const columns = hasPoints ? ['lon', 'lat'] : ['geometry'];
  return {
    columns,
    cells: () =>
      shapeCells(
        part,
        source,
        columns.map(() => null),
        read,
      ),
  };
}

interface CoordinateSystem {
  /** As the `.prj` names it; empty if it does not. */
  readonly name: string;
  /** True for degrees of WGS84, or of a system that differs by centimetres. */
  readonly isWgs84: boolean;
}

async function systemOf(
  source: ByteSource | null,
  [west = 0, south = 0, east = 0, north = 0]: readonly number[],
): Promise<CoordinateSystem> {
  if (source === null) {
    return { name: '', isWgs84: west >= 124 && east <= 132.5 && south >= 32 && north <= 39.5 };
  }
  const text = (await readHead(source, projectionBytesMax)).toString();
  const [, kind = '', name = ''] = /^\s*([A-Z_]+)\s*\[\s*"([^"]{1,100})"/u.exec(text) ?? [];
  return { name, isWgs84: kind.startsWith('GEOG') && wgs84Names.test(name) };
}

async function* shapeCells(
  { limits, finding }: Part,
  source: ByteSource,
  empty: readonly Cell[],
  read: (content: Buffer) => readonly Cell[] | null,
): AsyncGenerator<readonly Cell[], void> {
  const unitsMax = limits.geometryUnitsMax;
  await using reader = new SourceReader(source);
  await reader.skip(headBytes);
  for (let row = 1; ; row++) {
    const head = await reader.take(recordHeadBytes);
    const length = head === null ? 0 : head.readInt32BE(4) * 2;
    if (length < typeBytes) return;
    const isLong = length > unitsMax * bytesPerUnitMax;
    const content = isLong ? null : await reader.take(length);
    if (isLong ? !(await reader.skip(length)) : content === null) return;
    if (content?.readInt32LE(0) === nullType) {
      yield empty;
      continue;
    }
    const cells = content === null ? null : read(content);
    const isImported = cells !== null && String(cells[0]).length <= unitsMax;
    if (!isImported) {
      const isTooLong = isLong || cells !== null;
      const detail = isTooLong
        ? findingTexts.geometryTooLong(unitsMax)
        : findingTexts.geometryUnreadable();
      finding({ kind: 'geometry_not_held', row, detail });
    }
    yield isImported ? cells : empty;
  }
}

/** Decimals that are kept: a centimetre in degrees, a millimetre in metres. */
const degreeScale = 1e7;
const metreScale = 1e3;
/** Bytes of a record for each character of its GeoJSON: a position has 32 bytes at the most, and 6 characters at least. */
const bytesPerUnitMax = 6;
const headBytes = 100;
const recordHeadBytes = 8;
const typeBytes = 4;
const fileCode = 9994;
const projectionBytesMax = 8 * 1024;
/** Names of geographic systems on GRS80 or WGS84; Bessel’s (`Korean_1985`, `Tokyo`) are 300 metres off. */
const wgs84Names = /WGS|KOREA[_ ]?2000|KGD|ITRF/iu;
