import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { dbfOf } from '../../../test/dbf-of.ts';
import { readWhole } from '../../../test/read-whole.ts';
import { shpOf } from '../../../test/shp-of.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { zipOf } from '../../../test/zip-of.ts';
import type { OpenOptions } from './open.ts';

type Whole = Awaited<ReturnType<typeof readWhole>>;
type Members = Readonly<Record<string, Buffer | string>>;

const wgs84 = 'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137,298.25]]]';
const tm = 'PROJCS["Korea_2000_Korea_Central_Belt_2010",GEOGCS["GCS_Korea_2000"]]';
const bessel = 'GEOGCS["GCS_Korean_Datum_1985",DATUM["D_Korean_Datum_1985"]]';

async function readZip(members: Members, options: OpenOptions = {}): Promise<Whole> {
  using folder = temporaryFolder();
  const path = join(folder.path, 'a.zip');
  const files = Object.entries(members).map(([name, content]) => ({ name, content }));
  writeFileSync(path, zipOf(files));
  return await readWhole(path, options);
}

/** A table of names in CP949, one for each shape. */
function namesOf(...names: readonly string[]): Buffer {
  const column = { name: iconv.encode('시설명', 'cp949'), type: 'C', width: 10 };
  return dbfOf(
    [column],
    names.map((name) => ({ cells: [iconv.encode(name, 'cp949')] })),
  );
}

function kindsOf({ findings }: Whole): readonly (readonly [kind: string, row: number | null])[] {
  return findings.map(({ kind, row }) => [kind, row]);
}

test('a shapefile of points in WGS84 is one table with its attributes and positions', async () => {
  const points = [[[[126.9784147, 37.566681]]], null, [[[129.0756, 35.1795]]]] as const;
  const files = { 'b/점.shp': shpOf(1, points), 'b/점.dbf': namesOf('가람', '나루', '다솜') };
  for (const more of [
    { 'b/점.prj': wgs84, 'b/점.shx': 'x', 'b/점.shp.xml': '<a><b>1</b></a>' },
    {},
  ]) {
    const whole = await readZip({ ...files, ...more });
    assert.equal(whole.tables.length, 1);
    assert.deepEqual(whole.tables[0]!.columns, ['시설명', 'lon', 'lat']);
    assert.deepEqual(whole.tables[0]!.rows, [
      ['가람', 126.9784147, 37.566681],
      ['나루', null, null],
      ['다솜', 129.0756, 35.1795],
    ]);
    assert.deepEqual(whole.findings, []);
  }
});

test('shapes in other coordinates are kept as they are, and the system is named', async () => {
  const files = { 'a.shp': shpOf(1, [[[[198_056.371, 451_885.0624]]]]), 'a.dbf': namesOf('가람') };
  const whole = await readZip({ ...files, 'a.prj': tm });
  assert.deepEqual(whole.tables[0]!.rows, [
    ['가람', '{"type":"Point","coordinates":[198056.371,451885.062]}'],
  ]);
  assert.deepEqual(kindsOf(whole), [['geometry_projected', null]]);
  assert.match(whole.findings[0]!.detail, /Korea_2000_Korea_Central_Belt_2010/u);
  assert.match((await readZip(files)).findings[0]!.detail, /unknown system/u);
  const onBessel = await readZip({
    'a.shp': shpOf(1, [[[[127, 37]]]]),
    'a.dbf': namesOf('가람'),
    'a.prj': bessel,
  });
  assert.deepEqual(onBessel.tables[0]!.columns, ['시설명', 'geometry']);
  assert.match(onBessel.findings[0]!.detail, /GCS_Korean_Datum_1985/u);
});

const square = [
  [0, 0],
  [0, 8],
  [8, 8],
  [8, 0],
  [0, 0],
] as const;
const hole = [
  [2, 2],
  [4, 2],
  [4, 4],
  [2, 4],
  [2, 2],
] as const;

/** The same ring in another place. */
function moved(ring: typeof square | typeof hole, by: number): [number, number][] {
  return ring.map(([x, y]) => [x + by, y]);
}

async function geometryOf(
  type: number,
  parts: readonly (readonly (readonly [number, number])[])[],
): Promise<unknown> {
  const shifted = parts.map((part) => part.map(([x, y]) => [x + 126, y + 36] as const));
  const files = { 'a.shp': shpOf(type, [shifted]), 'a.dbf': namesOf('가람'), 'a.prj': wgs84 };
  const { tables, findings } = await readZip(files);
  assert.deepEqual(findings, []);
  const geometry = JSON.parse(String(tables[0]!.rows[0]![1])) as { coordinates: unknown };
  const back = (value: unknown): unknown =>
    Array.isArray(value) && typeof value[0] === 'number'
      ? [value[0] - 126, (value as number[])[1]! - 36]
      : (value as unknown[]).map(back);
  return { ...geometry, coordinates: back(geometry.coordinates) };
}

test('lines and polygons are kept as GeoJSON, with holes in the ring around them', async () => {
  const line = square.slice(0, 3);
  assert.deepEqual(await geometryOf(3, [line]), { type: 'LineString', coordinates: line });
  assert.deepEqual(await geometryOf(3, [line, hole]), {
    type: 'MultiLineString',
    coordinates: [line, hole],
  });
  assert.deepEqual(await geometryOf(5, [square, hole]), {
    type: 'Polygon',
    coordinates: [square.toReversed(), hole.toReversed()],
  });
  const far = moved(square, 20);
  const farHole = moved(hole, 20);
  assert.deepEqual(await geometryOf(5, [square, far, farHole, hole]), {
    type: 'MultiPolygon',
    coordinates: [
      [square.toReversed(), hole.toReversed()],
      [far.toReversed(), farHole.toReversed()],
    ],
  });
  assert.deepEqual(await geometryOf(5, [hole]), { type: 'Polygon', coordinates: [hole] });
});

test('a shape is imported up to the limit of its text; past it the record has no shape', async () => {
  const line = [
    [
      [126, 36],
      [127, 37],
    ],
  ] as const;
  const files = { 'a.shp': shpOf(3, [line, line]), 'a.dbf': namesOf('가람', '나루') };
  const text = '{"type":"LineString","coordinates":[[126,36],[127,37]]}';
  const held = await readZip(files, { limits: { geometryUnitsMax: text.length } });
  assert.deepEqual(held.tables[0]!.rows, [
    ['가람', text],
    ['나루', text],
  ]);
  for (const geometryUnitsMax of [text.length - 1, 1]) {
    const cut = await readZip(files, { limits: { geometryUnitsMax } });
    assert.deepEqual(cut.tables[0]!.rows, [
      ['가람', null],
      ['나루', null],
    ]);
    assert.deepEqual(kindsOf(cut), [
      ['geometry_not_held', 1],
      ['geometry_not_held', 2],
    ]);
  }
});

test('a cut .shp is reported, a false one refused, and its records keep their attributes', async () => {
  const shp = shpOf(1, [[[[127, 37]]], [[[128, 36]]]]);
  const dbf = namesOf('가람', '나루');
  const whole = await readZip({ 'a.shp': shp.subarray(0, -10), 'a.dbf': dbf });
  assert.deepEqual(whole.tables[0]!.rows, [
    ['가람', 127, 37],
    ['나루', null, null],
  ]);
  assert.deepEqual(kindsOf(whole), [['geometry_not_held', 2]]);
  await assert.rejects(readZip({ 'a.shp': 'false', 'a.dbf': dbf }), { code: 'damaged' });
});

test('a .prj without its .dbf, and a .shp alone, are not read as tables', async () => {
  const lone = { 'a.prj': wgs84, 'a.shp': shpOf(1, [[[[127, 37]]]]) };
  await assert.rejects(readZip(lone), { code: 'not_a_table', message: /add the \.dbf/u });
  const whole = await readZip({ ...lone, 'b.csv': '이름,값\n가람,1\n' });
  assert.equal(whole.tables.length, 1);
  assert.equal(whole.findings.length, 2);
});

test('random bytes in a .shp never stop the table, and give as many rows', async () => {
  const shp = shpOf(5, [[square], [square, hole], null]);
  const dbf = namesOf('가람', '나루', '다솜');
  const change = fc.tuple(fc.integer({ min: 100, max: shp.length - 1 }), fc.nat(255));
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 6 }), async (changes) => {
      const bytes = Buffer.from(shp);
      for (const [at, byte] of changes) bytes[at] = byte;
      const { tables } = await readZip({ 'a.shp': bytes, 'a.dbf': dbf });
      assert.equal(tables[0]!.rows.length, 3);
    }),
    { numRuns: 100 },
  );
});
