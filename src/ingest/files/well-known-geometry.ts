import type { Geometry, Position } from './shape-geometry.ts';

/** A geometry without heights and measures, and the number of its system in EPSG; null if it states none. */
export interface WellKnownGeometry {
  readonly geometry: Geometry | GeometryCollection;
  readonly system: number | null;
  readonly isBinary: boolean;
}

/** Geometries of several kinds that are one shape (RFC 7946). */
interface GeometryCollection {
  readonly type: 'GeometryCollection';
  readonly geometries: readonly (Geometry | GeometryCollection)[];
}

/**
 * Reads a geometry as text (WKT) or as bytes in hexadecimal (WKB), also as PostGIS, MySQL and Oracle extend them. Null for
 * any other text, and for an empty geometry.
 *
 * Sources: OGC 06-103r4 (Simple Feature Access), chapters 7 and 8; PostGIS manual, "EWKB and EWKT".
 */
export function readWellKnown(text: string): WellKnownGeometry | null {
  if (binary.test(text)) return readBinary(Buffer.from(text.replace(/^0x|^\\x/iu, ''), 'hex'));
  return wordStart.test(text) ? readText(text) : null;
}

/** A byte order and a type, after the number of the system in MySQL. */
const binary = /^(?:0x|\\x)?(?:[\da-f]{8})?0[01][\da-f]{40,}$/iu;
const wordStart =
  /^(?:SRID=|GEOMETRYCOLLECTION|(?:MULTI)?(?:POINT|LINESTRING|POLYGON)|(?:MDSYS\.)?SDO_GEOMETRY)/iu;

type GeometryType = Geometry['type'];
/** Types by their number, from 1 on. */
const types: readonly GeometryType[] = [
  'Point',
  'LineString',
  'Polygon',
  'MultiPoint',
  'MultiLineString',
  'MultiPolygon',
];

function readText(text: string, depth = 0): WellKnownGeometry | null {
  const oracle = oraclePoint.exec(text);
  if (oracle !== null) {
    const [, system, x, y] = oracle;
    return checkedGeometry(
      uncheckedGeometry('Point', [Number(x), Number(y)]),
      Number(system) || null,
      false,
    );
  }
  const [, system, word = '', body = ''] = taggedText.exec(text) ?? [];
  if (word.toUpperCase() === 'GEOMETRYCOLLECTION' && depth < depthMax) {
    const parts = partsOf(body).map((part) => readText(part, depth + 1)?.geometry ?? null);
    return parts.includes(null)
      ? null
      : checkedGeometry(
          collection(parts as GeometryCollection['geometries']),
          Number(system) || null,
          false,
        );
  }
  const type = types.find((each) => each.toUpperCase() === word.toUpperCase());
  if (type === undefined) return null;
  const json = body.replace(position, '[$1,$2]').replaceAll('(', '[').replaceAll(')', ']');
  if (!/^[-+\d.eE,[\]\s]+$/u.test(json)) return null;
  try {
    const parsed = JSON.parse(json) as unknown[];
    const isNestedPoint = type === 'MultiPoint' && Array.isArray((parsed[0] as unknown[])[0]);
    const coordinates =
      type === 'Point' ? parsed[0] : isNestedPoint ? (parsed as unknown[][]).flat() : parsed;
    return checkedGeometry(uncheckedGeometry(type, coordinates), Number(system) || null, false);
  } catch {
    return null;
  }
}

/** The geometries between the outer brackets of a collection. */
function partsOf(body: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 1;
  for (let at = 0; at < body.length; at++) {
    const character = body[at];
    if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    const isEnd = at === body.length - 1 || (character === ',' && depth === 1);
    if (!isEnd) continue;
    parts.push(body.slice(start, at).trim());
    start = at + 1;
  }
  return parts;
}

const taggedText = /^(?:SRID=(\d{1,7}) ?; ?)?([A-Z]+) ?(?:Z|M|ZM)? ?(\([^]*\))$/iu;
const number = String.raw`[-+]?\d{1,15}(?:\.\d{0,30})?(?:[eE][-+]?\d{1,3})?`;
/** Two coordinates, then height and measure if the geometry has them. */
const position = new RegExp(`(${number}) +(${number})(?: +${number}){0,2}`, 'gu');
const oraclePoint = new RegExp(
  String.raw`^(?:MDSYS\.)?SDO_GEOMETRY\( ?[23]001 ?, ?(\d+|NULL) ?, ?(?:MDSYS\.)?SDO_POINT(?:_TYPE)?\( ?(${number}) ?, ?(${number}) ?,`,
  'iu',
);

/** Reads WKB. MySQL writes the number of the system in front, with the lowest byte first. */
function readBinary(bytes: Buffer): WellKnownGeometry | null {
  const whole = readBytes(bytes);
  if (whole !== null) return checkedGeometry(whole.geometry, whole.system || null, true);
  const inner = readBytes(bytes.subarray(4));
  return inner === null
    ? null
    : checkedGeometry(inner.geometry, bytes.readUInt32LE(0) || null, true);
}

function readBytes(bytes: Buffer): Pick<WellKnownGeometry, 'geometry' | 'system'> | null {
  const reader = new BinaryReader(bytes);
  try {
    const geometry = reader.geometry();
    return reader.isAtEnd ? { geometry, system: reader.system } : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Reads geometries from bytes; throws `RangeError` for bytes that are not a geometry. */
class BinaryReader {
  system = 0;
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  geometry(depth = 0): Geometry | GeometryCollection {
    const order = this.#bytes.readUInt8(this.#at);
    const isLittle = order === 1;
    this.#at += 1;
    const flags = this.#count(isLittle);
    const code = flags & 0x0fff_ffff;
    if ((flags & 0x2000_0000) !== 0) this.system = this.#count(isLittle);
    const dimension = Math.floor(code / 1000);
    const extra = (flags >>> 31) + ((flags >>> 30) & 1) + [0, 1, 1, 2][dimension]!;
    if (order > 1 || dimension > 3 || depth > depthMax) throw new RangeError('no geometry');
    if (code % 1000 === collectionCode) {
      return collection(this.#many(isLittle, () => this.geometry(depth + 1)));
    }
    const type = types[(code % 1000) - 1];
    if (type === undefined) throw new RangeError('no geometry');
    const positions = (): Position[] => this.#many(isLittle, () => this.#position(isLittle, extra));
    switch (type) {
      case 'Point':
        return uncheckedGeometry(type, this.#position(isLittle, extra));
      case 'LineString':
        return uncheckedGeometry(type, positions());
      case 'Polygon':
        return uncheckedGeometry(type, this.#many(isLittle, positions));
      default: {
        const part = (): unknown => {
          const each = this.geometry(depth + 1);
          if (type !== `Multi${each.type}`) throw new RangeError('another kind of geometry');
          return 'coordinates' in each ? each.coordinates : null;
        };
        return uncheckedGeometry(type, this.#many(isLittle, part));
      }
    }
  }

  #count(isLittle: boolean): number {
    const count = isLittle
      ? this.#bytes.readUInt32LE(this.#at)
      : this.#bytes.readUInt32BE(this.#at);
    this.#at += 4;
    return count;
  }

  /** As many items as the number in front of them; each has four bytes at least. */
  #many<Item>(isLittle: boolean, read: () => Item): Item[] {
    const count = this.#count(isLittle);
    if (count > (this.#bytes.length - this.#at) / 4) throw new RangeError('too many');
    return Array.from({ length: count }, read);
  }

  #position(isLittle: boolean, extra: number): Position {
    const [x, y] = [0, 8].map((offset) =>
      isLittle
        ? this.#bytes.readDoubleLE(this.#at + offset)
        : this.#bytes.readDoubleBE(this.#at + offset),
    );
    this.#at += 16 + extra * 8;
    return [x!, y!];
  }
}

const depths: Readonly<Record<GeometryType, number>> = {
  Point: 0,
  LineString: 1,
  MultiPoint: 1,
  Polygon: 2,
  MultiLineString: 2,
  MultiPolygon: 3,
};

/** Number of the type of a collection. */
const collectionCode = 7;
/** Deepest nesting of collections that is read. */
const depthMax = 8;

/** A geometry whose coordinates `checkedGeometry` has yet to check. */
function uncheckedGeometry(type: GeometryType, coordinates: unknown): Geometry {
  return { type, coordinates } as Geometry;
}

function collection(geometries: GeometryCollection['geometries']): GeometryCollection {
  return { type: 'GeometryCollection', geometries };
}

/** Returns the geometry if its coordinates are numbers in lists of the right depth; else null. */
function checkedGeometry(
  geometry: Geometry | GeometryCollection,
  system: number | null,
  isBinary: boolean,
): WellKnownGeometry | null {
  return isWhole(geometry) ? { geometry, system, isBinary } : null;
}

function isWhole(geometry: Geometry | GeometryCollection): boolean {
  return geometry.type === 'GeometryCollection'
    ? geometry.geometries.length > 0 && geometry.geometries.every(isWhole)
    : hasDepth(geometry.coordinates, depths[geometry.type]);
}

function hasDepth(coordinates: unknown, depth: number): boolean {
  if (!Array.isArray(coordinates) || coordinates.length === 0) return false;
  if (depth === 0) return coordinates.length === 2 && coordinates.every(Number.isFinite);
  return coordinates.every((each) => hasDepth(each, depth - 1));
}
