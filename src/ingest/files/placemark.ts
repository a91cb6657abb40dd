import type { Cell } from './table.ts';
import type { XmlVisitor } from './xml-reader.ts';

/** A placemark of KML (OGC 12-007r2). */
interface Placemark {
  /** Values by name, among them those of the shape: `lon` and `lat`, or a geometry. */
  readonly values: ReadonlyMap<string, Cell>;
  /** Name of the value that is a geometry in GeoJSON; null for a point, and without a shape. */
  readonly geometryName: string | null;
  readonly isShapeBroken: boolean;
  /** Names of the folders around it, as `시설/공원`; null without any. */
  readonly folder: string | null;
}

type Position = readonly number[];
type Shape =
  | { readonly type: 'Point'; readonly coordinates: Position }
  | { readonly type: 'LineString'; readonly coordinates: readonly Position[] }
  | { readonly type: 'Polygon'; readonly coordinates: readonly (readonly Position[])[] };

/** Collects the placemarks of a KML text, one after another. */
export class PlacemarkVisitor implements XmlVisitor {
  readonly #onPlacemark: (placemark: Placemark) => void;
  #root: string | null = null;
  /** Name by the path of each folder that is open. */
  readonly #folders = new Map<string, string>();
  #values = new Map<string, Cell>();
  #dataName = '';
  #positions: Position[] = [];
  #rings: Position[][] = [];
  #shapes: Shape[] = [];
  #isShapeBroken = false;

  constructor(onPlacemark: (placemark: Placemark) => void) {
    this.#onPlacemark = onPlacemark;
  }

  open(path: string, attributes: Readonly<Record<string, string>>): void {
    if (path.endsWith('/Placemark')) {
      this.#root = path;
      this.#values = new Map();
      this.#shapes = [];
      this.#rings = [];
      this.#isShapeBroken = false;
    }
    this.#dataName = attributes['name'] ?? this.#dataName;
  }

  close(path: string, text: string, isLeaf: boolean): void {
    if (this.#root === null) {
      if (path.endsWith('/Folder/name'))
        this.#folders.set(path.slice(0, -'/name'.length), text.trim());
      else if (path.endsWith('/Folder')) this.#folders.delete(path);
      return;
    }
    if (path === this.#root) {
      const geometryName = this.#addShape();
      this.#onPlacemark({
        values: this.#values,
        geometryName,
        isShapeBroken: this.#isShapeBroken,
        folder: [...this.#folders.values()].filter(Boolean).join('/') || null,
      });
      this.#root = null;
      return;
    }
    const inner = path.slice(this.#root.length + 1);
    if (shapePath.test(inner)) this.#closeShape(inner, text);
    else if (isLeaf && !stylePath.test(inner)) this.#addValue(this.#nameOf(inner), text.trim());
  }

  #nameOf(inner: string): string {
    const isData = inner.endsWith('/SimpleData') || inner.endsWith('/Data/value');
    if (isData && this.#dataName.trim() !== '') return this.#dataName.trim();
    return inner.replace(/^ExtendedData\//u, '').replaceAll('/', '_');
  }

  /** Adds a value; returns its name, which gets a number if the placemark has another value of that name. */
  #addValue(name: string, value: Cell): string {
    let unique = name;
    for (let copy = 2; this.#values.has(unique); copy++) unique = `${name}_${copy}`;
    if (value !== '') this.#values.set(unique, value);
    return unique;
  }

  #closeShape(inner: string, text: string): void {
    switch (inner.slice(inner.lastIndexOf('/') + 1)) {
      case 'coordinates':
        this.#positions = positionsOf(text);
        this.#isShapeBroken ||=
          this.#positions.length === 0 || !this.#positions.every((each) => isPosition(each));
        return;
      case 'Point':
        this.#shapes.push({ type: 'Point', coordinates: this.#positions[0] ?? [] });
        return;
      case 'LinearRing':
        if (inner.includes('/innerBoundaryIs/')) this.#rings.push(this.#positions);
        else if (inner.includes('/outerBoundaryIs/')) this.#rings.unshift(this.#positions);
        else this.#shapes.push({ type: 'LineString', coordinates: this.#positions });
        return;
      case 'LineString':
        this.#shapes.push({ type: 'LineString', coordinates: this.#positions });
        return;
      case 'Polygon':
        this.#shapes.push({ type: 'Polygon', coordinates: this.#rings });
        this.#rings = [];
    }
  }

  #addShape(): string | null {
    const [first, ...others] = this.#shapes;
    if (first === undefined || this.#isShapeBroken) return null;
    if (first.type === 'Point' && others.length === 0) {
      this.#addValue('lon', first.coordinates[0]!);
      this.#addValue('lat', first.coordinates[1]!);
      return null;
    }
    return this.#addValue('geometry', JSON.stringify(geometryOf(this.#shapes)));
  }
}

function geometryOf(shapes: readonly Shape[]): object {
  const { type } = shapes[0]!;
  if (shapes.length === 1) return shapes[0]!;
  if (shapes.some((shape) => shape.type !== type)) {
    return { type: 'GeometryCollection', geometries: shapes };
  }
  return { type: `Multi${type}`, coordinates: shapes.map(({ coordinates }) => coordinates) };
}

/** Longitudes and latitudes of a list `lon,lat,height lon,lat,height`; heights are left out. */
function positionsOf(text: string): Position[] {
  const tuples = text.replaceAll(/\s*,\s*/gu, ',').trim();
  if (tuples === '') return [];
  return tuples.split(/\s+/u).map((tuple) => tuple.split(',').slice(0, 2).map(degrees));
}

function degrees(text: string): number {
  return text === '' ? NaN : Number(text);
}

function isPosition(position: Position): boolean {
  return position.length === 2 && position.every((value) => Number.isFinite(value));
}

const shapePath = /(?:^|\/)(?:Point|LineString|LinearRing|Polygon|MultiGeometry)(?:\/|$)/u;
/** Elements about the looks of a placemark. */
const stylePath =
  /^(?:Style|StyleMap|LookAt|Camera|Region|Model|styleUrl|visibility|open)(?:\/|$)|\/displayName$/u;
