import { readFileSync, statSync } from 'node:fs';
import type { BilingualText } from '../../contract/language.ts';
import { unitsPerDegree } from '../../data/regions/border-lines.ts';
import { reversedLine } from '../../data/regions/outlines.ts';
import { fileErrorText } from '../../kernel/file-error.ts';
import { FileRefused } from '../files/refused.ts';
import { boundaryLimits } from './limits.ts';
import { boundaryReasons, boundaryTexts } from './refusal-texts.ts';

/** An area of a file with its properties. */
export interface AreaFeature {
  readonly properties: Readonly<Record<string, unknown>>;
  /** Closed lines of latitudes and longitudes in ten-thousandths of a degree. Outer rings and holes have the area on their left. */
  readonly rings: readonly Int32Array[];
}

interface AreaFile {
  readonly features: readonly AreaFeature[];
  /** Members of the document beside the features. */
  readonly members: Readonly<Record<string, unknown>>;
}

/** Reads the areas of a TopoJSON or GeoJSON file in degrees of WGS84. Throws `FileRefused`. */
export function readFeatures(path: string): AreaFile {
  const document = readDocument(path);
  const source = isObject(document['objects'])
    ? topologyFeatures(document, path)
    : geoJsonFeatures(document, path);
  const count = positionCounter(path);
  const features = source.map(({ properties, polygons, lines }) => ({
    properties,
    rings: polygons.flatMap((polygon) =>
      polygon.flatMap((ring, at) => {
        if (lines === undefined) count(ring.length);
        const positions = lines === undefined ? ring : joinArcs(ring, lines, { path, count });
        return ringOf(positions, at === 0, path);
      }),
    ),
  }));
  return { features, members: document };
}

/**
 * Creates a counter of positions that throws beyond the limit. A small file can have many positions, because arcs may be
 * used repeatedly.
 */
function positionCounter(path: string): (positions: number) => void {
  let counted = 0;
  return (positions) => {
    counted += positions;
    if (counted > boundaryLimits.positionsMax) {
      throw tooLarge(path, boundaryReasons.positions(boundaryLimits.positionsMax));
    }
  };
}

interface SourceFeature {
  readonly properties: Readonly<Record<string, unknown>>;
  /** Rings of positions or, if there are `lines`, of indexes of lines. */
  readonly polygons: readonly (readonly (readonly unknown[])[])[];
  readonly lines?: readonly (readonly number[][])[];
}

function readDocument(path: string): Readonly<Record<string, unknown>> {
  let text: string;
  try {
    if (statSync(path).size > boundaryLimits.bytesMax) {
      throw tooLarge(path, boundaryReasons.megabytes(boundaryLimits.bytesMax / 1024 ** 2));
    }
    text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    if (error instanceof FileRefused) throw error;
    const cause = { cause: error };
    if (error instanceof TypeError)
      throw new FileRefused('binary', boundaryTexts.notText(path), cause);
    const text = fileErrorText(error, path) ?? boundaryTexts.unreadable(path);
    throw new FileRefused('unreadable', text, cause);
  }
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw new FileRefused('damaged', boundaryTexts.notJson(path), {
      cause: error,
    });
  }
  if (isObject(document)) return document;
  throw notAreas(path);
}

function geoJsonFeatures(
  document: Readonly<Record<string, unknown>>,
  path: string,
): SourceFeature[] {
  if (document['type'] !== 'FeatureCollection' || !Array.isArray(document['features'])) {
    throw notAreas(path);
  }
  const features: readonly unknown[] = document['features'];
  checkCount(features, path);
  return features.map((feature) => {
    const geometry = isObject(feature) && isObject(feature['geometry']) ? feature['geometry'] : {};
    const properties =
      isObject(feature) && isObject(feature['properties']) ? feature['properties'] : {};
    return { properties, polygons: polygonsOf(geometry, 'coordinates', path) };
  });
}

/** The features of the largest object of a topology. */
function topologyFeatures(
  { objects, arcs, transform }: Readonly<Record<string, unknown>>,
  path: string,
): SourceFeature[] {
  if (!Array.isArray(arcs)) throw notAreas(path);
  const lines = arcs.map((arc) => arcPositions(arc, transform, path));
  const [largest = []] = Object.values(objects as object)
    .map(geometriesOf)
    .sort((a, b) => b.length - a.length);
  checkCount(largest, path);
  return largest.map((geometry) => ({
    properties: isObject(geometry['properties']) ? geometry['properties'] : {},
    polygons: polygonsOf(geometry, 'arcs', path),
    lines,
  }));
}

function geometriesOf(object: unknown): Readonly<Record<string, unknown>>[] {
  if (!isObject(object)) return [];
  const { geometries } = object;
  return Array.isArray(geometries) ? geometries.filter(isObject) : [object];
}

/** Positions of an arc. In a topology with a transform, an arc is written as steps from one position to the next. */
function arcPositions(arc: unknown, transform: unknown, path: string): number[][] {
  if (!Array.isArray(arc)) throw damaged(path, boundaryReasons.arcWithoutPositions());
  if (!isObject(transform)) return arc.map((position) => numbersOf(position, path));
  const [scaleX, scaleY] = numbersOf(transform['scale'], path) as [number, number];
  const [left, bottom] = numbersOf(transform['translate'], path) as [number, number];
  let [x, y] = [0, 0];
  return arc.map((step) => {
    const [dx, dy] = numbersOf(step, path) as [number, number];
    [x, y] = [x + dx, y + dy];
    return [x * scaleX + left, y * scaleY + bottom];
  });
}

function joinArcs(
  indexes: readonly unknown[],
  lines: readonly (readonly number[][])[],
  { path, count }: { readonly path: string; readonly count: (positions: number) => void },
): number[][] {
  return indexes.flatMap((index, at) => {
    const line = typeof index === 'number' ? lines[index < 0 ? ~index : index] : undefined;
    if (line === undefined)
      throw damaged(path, boundaryReasons.arcMissing(String(index).slice(0, 20)));
    count(line.length);
    const positions = (index as number) < 0 ? line.toReversed() : line;
    // The last position of an arc is the first of the next one.
    return at === 0 ? positions : positions.slice(1);
  });
}

function polygonsOf(
  geometry: Readonly<Record<string, unknown>>,
  member: 'coordinates' | 'arcs',
  path: string,
): (readonly unknown[])[][] {
  const value = geometry[member];
  const { type } = geometry;
  if (type !== 'Polygon' && type !== 'MultiPolygon') return [];
  const polygons: unknown = type === 'Polygon' ? [value] : value;
  const isNested =
    Array.isArray(polygons) &&
    polygons.every((polygon) => Array.isArray(polygon) && polygon.every(Array.isArray));
  if (!isNested) throw damaged(path, boundaryReasons.withoutRings(type));
  return polygons as (readonly unknown[])[][];
}

/** A ring with its area on the left; an empty list if it has too few positions for an area. */
function ringOf(ring: readonly unknown[], isOuter: boolean, path: string): Int32Array[] {
  const values: number[] = [];
  for (const position of ring) {
    const [lon, lat] = numbersOf(position, path) as [number, number];
    if (Math.abs(lon) > 180 || Math.abs(lat) > 90) throw notDegrees(path);
    const [y, x] = [Math.round(lat * unitsPerDegree), Math.round(lon * unitsPerDegree)];
    if (y !== values.at(-2) || x !== values.at(-1)) values.push(y, x);
  }
  if (values[0] !== values.at(-2) || values[1] !== values.at(-1))
    values.push(values[0]!, values[1]!);
  if (values.length < 8) return [];
  const isCounterClockwise = doubleArea(values) > 0;
  const line = Int32Array.from(values);
  return [isCounterClockwise === isOuter ? line : reversedLine(line)];
}

function doubleArea(values: readonly number[]): number {
  let area = 0;
  for (let at = 0; at + 3 < values.length; at += 2) {
    area += values[at + 1]! * values[at + 2]! - values[at + 3]! * values[at]!;
  }
  return area;
}

function numbersOf(value: unknown, path: string): number[] {
  const isPair = Array.isArray(value) && Number.isFinite(value[0]) && Number.isFinite(value[1]);
  if (!isPair) throw damaged(path, boundaryReasons.notPosition());
  return value as number[];
}

function checkCount(features: readonly unknown[], path: string): void {
  if (features.length > boundaryLimits.featuresMax) {
    throw tooLarge(path, boundaryReasons.features(boundaryLimits.featuresMax));
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function notAreas(path: string): FileRefused {
  return new FileRefused('unsupported', boundaryTexts.notAreas(path));
}

function damaged(path: string, reason: BilingualText): FileRefused {
  return new FileRefused('damaged', boundaryTexts.damaged(path, reason));
}

function tooLarge(path: string, reason: BilingualText): FileRefused {
  return new FileRefused('too_large', boundaryTexts.tooLarge(path, reason));
}

function notDegrees(path: string): FileRefused {
  return new FileRefused('unsupported', boundaryTexts.notDegrees(path));
}
