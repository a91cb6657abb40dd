import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Geometry, Position } from './shape-geometry.ts';
import { readWellKnown } from './well-known-geometry.ts';

const range = { min: -2e6, max: 2e6, noNaN: true };
const position = fc
  .tuple(fc.double(range), fc.double(range))
  // Text has no minus zero.
  .map(([x, y]): Position => [x === 0 ? 0 : x, y === 0 ? 0 : y]);
const line = fc.array(position, { minLength: 1, maxLength: 5 });
const lines = fc.array(line, { minLength: 1, maxLength: 3 });
const anyGeometry: fc.Arbitrary<Geometry> = fc.oneof(
  position.map((coordinates): Geometry => ({ type: 'Point', coordinates })),
  fc.record({ type: fc.constantFrom('LineString', 'MultiPoint'), coordinates: line }),
  fc.record({ type: fc.constantFrom('Polygon', 'MultiLineString'), coordinates: lines }),
  fc.record({
    type: fc.constant('MultiPolygon' as const),
    coordinates: fc.array(lines, { minLength: 1, maxLength: 3 }),
  }),
);
const geometry = anyGeometry.map((each): Geometry => ({ ...each }));
const system = fc.constantFrom(null, 4326, 5179, 5186);

function wktOf({ type, coordinates }: Geometry): string {
  const list = (each: unknown): string => {
    const items = each as readonly unknown[];
    return typeof items[0] === 'number' ? items.join(' ') : `(${items.map(list).join(', ')})`;
  };
  return `${type.toUpperCase()}${type === 'Point' ? `(${list(coordinates)})` : list(coordinates)}`;
}

test('any geometry is read from text as it was, with its system', () => {
  fc.assert(
    fc.property(geometry, system, (each, number) => {
      const text = (number === null ? '' : `SRID=${number};`) + wktOf(each);
      assert.deepEqual(readWellKnown(text), { geometry: each, system: number, isBinary: false });
    }),
  );
});

const types = ['Point', 'LineString', 'Polygon', 'MultiPoint', 'MultiLineString', 'MultiPolygon'];

/** Bytes of a geometry; those inside another have no system. `extra` has the flags of heights and measures. */
function wkbOf(
  { type, coordinates }: Geometry,
  isLittle: boolean,
  number: number | null,
  extra: 0 | 1 | 2 = 0,
): Buffer {
  const integer = (value: number): Buffer => {
    const bytes = Buffer.alloc(4);
    return isLittle ? (bytes.writeUInt32LE(value), bytes) : (bytes.writeUInt32BE(value), bytes);
  };
  const double = (value: number): Buffer => {
    const bytes = Buffer.alloc(8);
    return isLittle ? (bytes.writeDoubleLE(value), bytes) : (bytes.writeDoubleBE(value), bytes);
  };
  const list = (items: readonly unknown[], one: (item: never) => Buffer): Buffer =>
    Buffer.concat([integer(items.length), ...(items as never[]).map(one)]);
  const place = (each: Position): Buffer =>
    Buffer.concat([...each, ...Array<number>(extra).fill(7)].map(double));
  const part = (inner: string) => (each: unknown) =>
    wkbOf({ type: inner, coordinates: each } as Geometry, isLittle, null, extra);
  const bodies: Readonly<Record<string, () => Buffer>> = {
    Point: () => place(coordinates as Position),
    LineString: () => list(coordinates, place),
    Polygon: () => list(coordinates, (ring: Position[]) => list(ring, place)),
    MultiPoint: () => list(coordinates, part('Point')),
    MultiLineString: () => list(coordinates, part('LineString')),
    MultiPolygon: () => list(coordinates, part('Polygon')),
  };
  const flags = (number === null ? 0 : 0x2000_0000) + [0, 0x8000_0000, 0xc000_0000][extra]!;
  return Buffer.concat([
    Buffer.from([isLittle ? 1 : 0]),
    integer(types.indexOf(type) + 1 + flags),
    ...(number === null ? [] : [integer(number)]),
    bodies[type]!(),
  ]);
}

test('any geometry is read from bytes of either order, without heights and measures', () => {
  const extra = fc.constantFrom(0 as const, 1 as const, 2 as const);
  const prefix = fc.constantFrom('', '0x', '\\x');
  fc.assert(
    fc.property(
      geometry,
      system,
      fc.boolean(),
      extra,
      prefix,
      (each, number, little, more, sign) => {
        const hex = sign + wkbOf(each, little, number, more).toString('hex').toUpperCase();
        const expected = { geometry: each, system: number, isBinary: true };
        assert.deepEqual(readWellKnown(hex), expected);
      },
    ),
  );
});

interface Collection {
  readonly type: 'GeometryCollection';
  readonly geometries: readonly (Geometry | Collection)[];
}

const collection = fc
  .tuple(fc.array(geometry, { minLength: 1, maxLength: 3 }), fc.boolean())
  .map(([geometries, isNested]): Collection => {
    const inner: Collection = { type: 'GeometryCollection', geometries };
    return isNested ? { ...inner, geometries: [inner, ...geometries] } : inner;
  });

function textOf(each: Geometry | Collection): string {
  if (each.type !== 'GeometryCollection') return wktOf(each);
  return `GEOMETRYCOLLECTION (${each.geometries.map(textOf).join(', ')})`;
}

function bytesOf(each: Geometry | Collection): Buffer {
  if (each.type !== 'GeometryCollection') return wkbOf(each, false, null);
  const count = [0, 0, 0, each.geometries.length];
  return Buffer.concat([Buffer.from([0, 0, 0, 0, 7, ...count]), ...each.geometries.map(bytesOf)]);
}

test('any collection of geometries is read from text and from bytes as it was', () => {
  fc.assert(
    fc.property(collection, (each) => {
      const [written, binary] = [textOf(each), bytesOf(each).toString('hex')].map(readWellKnown);
      assert.deepEqual(written, { geometry: each, system: null, isBinary: false });
      assert.deepEqual(binary, { geometry: each, system: null, isBinary: true });
    }),
  );
});

test('bytes of MySQL have the number of the system in front', () => {
  const point: Geometry = { type: 'Point', coordinates: [127, 37] };
  for (const [front, number] of [
    ['e6100000', 4326],
    ['00000000', null],
  ] as const) {
    const found = readWellKnown(front + wkbOf(point, true, null).toString('hex'));
    assert.deepEqual(found, { geometry: point, system: number, isBinary: true });
  }
});

test('a point of Oracle is read with its system', () => {
  const text =
    'MDSYS.SDO_GEOMETRY(2001, 8307, MDSYS.SDO_POINT_TYPE(127.1, 37.5, NULL), NULL, NULL)';
  assert.deepEqual(readWellKnown(text), {
    geometry: { type: 'Point', coordinates: [127.1, 37.5] },
    system: 8307,
    isBinary: false,
  });
});

test('truncated, surplus or other bytes are not read as geometries, nor are other texts', () => {
  const whole = wkbOf(
    {
      type: 'LineString',
      coordinates: [
        [1, 2],
        [3, 4],
      ],
    },
    true,
    4326,
  );
  for (let end = 0; end < whole.length; end++) {
    assert.equal(readWellKnown(whole.subarray(0, end).toString('hex')), null);
  }
  const nested = '0104000000ffffffff'.repeat(10_000);
  const others = [
    `${whole.toString('hex')}00`,
    nested,
    'POINT EMPTY',
    'POINT(1 2',
    'POINT(1 x)',
    'POINT(1 2 3 4 5)',
    'POLYGON((1 2),3)',
    'POLYGON(1 2, 3 4)',
    'GEOMETRYCOLLECTION EMPTY',
    'GEOMETRYCOLLECTION()',
    'GEOMETRYCOLLECTION(POINT(1 2)',
    'GEOMETRYCOLLECTION(POINT(1 2),)',
    `${'GEOMETRYCOLLECTION('.repeat(9)}POINT(1 2)${')'.repeat(9)}`,
    `${'010700000001000000'.repeat(9)}0101000000${'00'.repeat(16)}`,
    '0101234567',
    '가람',
  ];
  for (const text of others) assert.equal(readWellKnown(text), null, text.slice(0, 60));
});
