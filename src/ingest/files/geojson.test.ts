import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readWhole } from '../../../test/read-whole.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { OpenOptions } from './open.ts';

async function readFeatures(
  features: readonly object[],
  options: OpenOptions = {},
): Promise<Awaited<ReturnType<typeof readWhole>>> {
  using folder = temporaryFolder();
  const path = join(folder.path, 'a.geojson');
  writeFileSync(path, JSON.stringify({ type: 'FeatureCollection', features }));
  return await readWhole(path, options);
}

const line = {
  type: 'LineString',
  coordinates: [
    [127, 37],
    [127.5, 37.25],
  ],
};

const point = { type: 'Point', coordinates: [127, 37] };

function feature(geometry: object | null, properties: object): object {
  return { type: 'Feature', properties, geometry };
}

test('shapes of GeoJSON are kept beside the properties, and points as positions', async () => {
  const { tables, findings } = await readFeatures([
    feature(line, { 이름: '가람' }),
    feature({ type: 'Point', coordinates: [127, 37] }, { 이름: '나루' }),
    feature(null, { 이름: '다솜' }),
  ]);
  assert.deepEqual(tables[0]!.columns, ['이름', 'geometry', 'lon', 'lat']);
  assert.deepEqual(tables[0]!.rows, [
    ['가람', JSON.stringify(line), null, null],
    ['나루', null, 127, 37],
    ['다솜', null, null, null],
  ]);
  assert.deepEqual(findings, []);
});

const collection = {
  type: 'GeometryCollection',
  geometries: [{ type: 'Point', coordinates: [127, 37] }, line],
};

test('a collection of geometries is the shape of its feature, also of a single one', async () => {
  const { tables } = await readFeatures([feature(collection, { 이름: '가람' })]);
  using folder = temporaryFolder();
  const path = join(folder.path, 'a.geojson');
  writeFileSync(path, JSON.stringify(feature(collection, { 이름: '가람' })));
  const single = await readWhole(path);
  for (const table of [tables[0]!, single.tables[0]!]) {
    assert.deepEqual(table.columns, ['이름', 'geometry']);
    assert.deepEqual(table.rows, [['가람', JSON.stringify(collection)]]);
  }
});

const roots: readonly (readonly [title: string, text: string])[] = [
  ['a collection', JSON.stringify(collection)],
  ['an array', JSON.stringify(collection.geometries)],
  ['a sequence', collection.geometries.map((each) => JSON.stringify(each)).join('\n')],
];

for (const [title, text] of roots) {
  test(`the bare geometries of ${title} are records with a position or a shape`, async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'a.geojson');
    writeFileSync(path, text);
    const { tables, findings } = await readWhole(path);
    assert.deepEqual(tables[0]!.columns, ['lon', 'lat', 'geometry']);
    assert.deepEqual(tables[0]!.rows, [
      [127, 37, null],
      [null, null, JSON.stringify(line)],
    ]);
    assert.deepEqual(findings, []);
  });
}

test('a bare geometry is a record, and a record that only looks like one stays', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'a.geojson');
  writeFileSync(path, JSON.stringify(line));
  const shape = await readWhole(path);
  assert.deepEqual(shape.tables[0]!.rows, [[JSON.stringify(line)]]);
  writeFileSync(path, JSON.stringify([{ type: 'Point', coordinates: [127, 37], 이름: '가람' }]));
  const record = await readWhole(path);
  assert.deepEqual(record.tables[0]!.columns.slice(0, 3), ['type', 'coordinates', '이름']);
});

test('a feature keeps its id and the altitude of its point, unless they mean nothing', async () => {
  const { tables } = await readFeatures([
    { ...feature({ ...point, coordinates: [127, 37, 52.5] }, { 이름: '가람' }), id: 'a.1' },
    { ...feature({ ...point, coordinates: [127, 37, 0] }, { 이름: '나루' }), id: 'a.fid--5c8b_1' },
  ]);
  assert.deepEqual(tables[0]!.columns, ['lon', 'lat', 'altitude', 'id', '이름']);
  assert.deepEqual(tables[0]!.rows, [
    [127, 37, 52.5, 'a.1', '가람'],
    [127, 37, null, null, '나루'],
  ]);
});

test('a property called geometry stays, and the shape has a name of its own', async () => {
  const { tables } = await readFeatures([feature(line, { geometry: '선' })]);
  assert.deepEqual(tables[0]!.columns, ['geometry', 'geometry_2']);
  assert.deepEqual(tables[0]!.rows, [['선', JSON.stringify(line)]]);
});

test('a shape of GeoJSON is imported up to the limit; past it the record has no shape', async () => {
  const features = [feature(line, { 이름: '가람' })];
  const geometryUnitsMax = JSON.stringify(line).length;
  const held = await readFeatures(features, { limits: { geometryUnitsMax } });
  assert.deepEqual(held.tables[0]!.rows, [['가람', JSON.stringify(line)]]);
  const cut = await readFeatures(features, { limits: { geometryUnitsMax: geometryUnitsMax - 1 } });
  assert.deepEqual(cut.tables[0]!.rows, [['가람', null]]);
  assert.deepEqual(
    cut.findings.map(({ kind, row }) => [kind, row]),
    [['geometry_not_held', 1]],
  );
});
