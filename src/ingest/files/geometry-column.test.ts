import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readWhole } from '../../../test/read-whole.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { OpenOptions } from './open.ts';

/** Reads a table with a column of geometries between a name and a number. */
async function read(name: string, cells: readonly string[], options: OpenOptions = {}) {
  using folder = temporaryFolder();
  const path = join(folder.path, 'a.csv');
  const rows = cells.map((cell, at) => `가람${at},"${cell}",${at}\n`);
  writeFileSync(path, `이름,${name},면적\n${rows.join('')}`);
  const { tables, findings } = await readWhole(path, options);
  const { columns, layout, rows: found } = tables[0]!;
  assert.equal(layout.units.length, columns.length);
  return {
    columns: columns.slice(1),
    rows: found.map((row) => row.slice(1)),
    findings: findings.map(({ kind, row, detail }) => [kind, row, detail] as const),
  };
}

/** A point in hexadecimal, in the order of bytes of PCs. */
function pointBytes(system: number | null, x: number, y: number): string {
  const bytes = Buffer.alloc(system === null ? 21 : 25);
  bytes.writeUInt8(1);
  bytes.writeUInt32LE(system === null ? 1 : 0x2000_0001, 1);
  if (system !== null) bytes.writeUInt32LE(system, 5);
  bytes.writeDoubleLE(x, bytes.length - 16);
  bytes.writeDoubleLE(y, bytes.length - 8);
  return bytes.toString('hex').toUpperCase();
}

test('points in hexadecimal become lon and lat, whatever their column is called', async () => {
  for (const system of [null, 4326]) {
    const cells = [pointBytes(system, 127.5, 37.25), '', pointBytes(system, 0, 0)];
    const { columns, rows, findings } = await read('구역', cells);
    assert.deepEqual(columns, ['면적', 'lon', 'lat']);
    assert.deepEqual(rows, [
      ['0', 127.5, 37.25],
      ['1', null, null],
      ['2', null, null],
    ]);
    assert.deepEqual(findings, []);
  }
});

const planes = [
  [5179, 953898.467, 1952035.979],
  [5181, 198053.647, 451888.916],
  [5186, 198053.647, 551888.916],
] as const;

for (const [system, x, y] of planes) {
  test(`points of EPSG:${system} become degrees, as bytes and as text`, async () => {
    const degrees = [126.977969, 37.566535];
    const bytes = await read('geom', [pointBytes(system, x, y)]);
    assert.deepEqual([bytes.columns, bytes.rows], [['면적', 'lon', 'lat'], [['0', ...degrees]]]);
    const point = `SRID=${system};POINT(${x} ${y})`;
    const text = await read('geom', [point]);
    assert.deepEqual(text.rows, [[point, '0', ...degrees]]);
    for (const { findings } of [bytes, text]) {
      assert.deepEqual([findings.length, findings[0]![0]], [1, 'position_computed']);
      assert.match(findings[0]![2], new RegExp(`EPSG:${system}; lon and lat have`, 'u'));
    }
  });
}

test('points of an unknown system keep their numbers and are reported with it', async () => {
  for (const [system, name] of [
    [102080, 'EPSG:102080'],
    [null, 'an unknown system'],
  ] as const) {
    const { columns, rows, findings } = await read('geom', [pointBytes(system, 198053.5, 451888)]);
    assert.deepEqual(columns, ['면적', 'x', 'y']);
    assert.deepEqual(rows, [['0', 198053.5, 451888]]);
    assert.deepEqual([findings.length, findings[0]![0]], [1, 'geometry_projected']);
    assert.ok(findings[0]![2].includes(name));
  }
});

test('other shapes are GeoJSON in the column geometry, beside the points among them', async () => {
  const { columns, rows, findings } = await read('geom', [
    'LINESTRING(127 37, 127.123456789 37.5)',
    'POINT(127 37)',
    'POLYGON EMPTY',
  ]);
  assert.deepEqual(columns, ['면적', 'lon', 'lat', 'geometry']);
  assert.deepEqual(rows, [
    ['0', null, null, '{"type":"LineString","coordinates":[[127,37],[127.1234568,37.5]]}'],
    ['1', 127, 37, null],
    ['2', null, null, null],
  ]);
  assert.deepEqual(findings, []);
});

test('shapes of a plane stay in it and are reported with their system', async () => {
  const { rows, findings } = await read('geom', ['SRID=5186;LINESTRING(1000.5 2000, 1001 2001)']);
  assert.equal(rows[0]![1], '{"type":"LineString","coordinates":[[1000.5,2000],[1001,2001]]}');
  assert.deepEqual([findings.length, findings[0]![0]], [1, 'geometry_projected']);
  assert.match(findings[0]![2], /EPSG:5186; .*: geometry\.$/u);
});

test('a shape past the limit, and one that cannot be read, are reported with their rows', async () => {
  const good = 'LINESTRING(127 37, 127 38)';
  const long = `LINESTRING(${'127 37, '.repeat(20)}127 38)`;
  const cells = [...Array<string>(30).fill(good), long, 'LINESTRING(x)'];
  const { rows, findings } = await read('geom', cells, { limits: { geometryUnitsMax: 100 } });
  assert.deepEqual(rows.slice(-2), [
    ['30', null],
    ['31', null],
  ]);
  assert.deepEqual(
    findings.map(([kind, row]) => [kind, row]),
    [
      ['geometry_not_held', 32],
      ['geometry_not_held', 33],
    ],
  );
});

test('texts and numbers in hexadecimal are not read as geometries', async () => {
  for (const cell of ['0101', 'POINT OF SALE', '0A0B0C0D0E0F', 'polygon']) {
    const { columns, findings } = await read('geom', [cell]);
    assert.deepEqual([columns, findings], [['geom', '면적'], []]);
  }
});

test('collections of geometries are shapes beside points', async () => {
  const { columns, rows, findings } = await read('geom', [
    'GEOMETRYCOLLECTION(POINT(127 37), LINESTRING(127 37,127.5 37.25))',
    'POINT(127 37)',
  ]);
  assert.deepEqual(columns, ['면적', 'lon', 'lat', 'geometry']);
  const geometries = [
    { type: 'Point', coordinates: [127, 37] },
    {
      type: 'LineString',
      coordinates: [
        [127, 37],
        [127.5, 37.25],
      ],
    },
  ];
  const shape = JSON.stringify({ type: 'GeometryCollection', geometries });
  assert.deepEqual(rows, [
    ['0', null, null, shape],
    ['1', 127, 37, null],
  ]);
  assert.deepEqual(findings, []);
});
