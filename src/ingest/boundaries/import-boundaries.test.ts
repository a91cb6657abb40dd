import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { builtInBoundaries } from '../../data/regions/boundaries.ts';
import { boundariesWith } from '../../data/regions/merge-boundaries.ts';
import { SnapshotBuilder } from '../../data/snapshot/builder.ts';
import { OpenedSnapshot } from '../../data/snapshot/opened.ts';
import { FileRefused } from '../files/refused.ts';
import { importBoundaries, MissingTerms } from './import-boundaries.ts';

const terms = { license: 'KOGL-1', credit: '통계청 2018' } as const;

test('boundaries of a GeoJSON file are published with their terms and replace the previous ones', () => {
  using temporary = temporaryFolder();
  const folder = temporary.path;
  const path = join(folder, 'borders.geojson');
  write(path, [
    square('강남구', [127, 37.5]),
    square('서울특별시 서초구', [127.1, 37.5], { SIG_CD: '11650' }),
    square('나라', [127.2, 37.5]),
  ]);
  const report = importBoundaries(folder, path, terms);
  assert.deepEqual([report.level, report.features, report.regions], ['sigungu', 3, 2]);
  assert.deepEqual(report.unmatched, [{ name: '나라', code: null, reason: 'unknown' }]);
  assert.ok(report.missing.some(({ code }) => code === '11710'));
  const [stored] = storedIn(folder);
  assert.deepEqual(stored!.regions, ['11650', '11680']);
  assert.deepEqual(
    [stored!.license, stored!.credit, stored!.file],
    ['KOGL-1', '통계청 2018', 'borders.geojson'],
  );
  const boundaries = boundariesWith(storedIn(folder));
  assert.deepEqual(boundaries.shapeOf('11680')!.box, {
    minLon: 127,
    minLat: 37.5,
    maxLon: 127.1,
    maxLat: 37.6,
  });
  assert.ok(boundaries.neighboursOf('11680').has('11650'));
  assert.deepEqual(boundaries.shapeOf('26110'), builtInBoundaries().shapeOf('26110'));
  importBoundaries(folder, path, { ...terms, credit: '다른 곳' });
  assert.deepEqual(
    storedIn(folder).map(({ credit }) => credit),
    ['다른 곳'],
  );
});

test('loaded boundaries stay in later snapshots until they are removed', () => {
  using temporary = temporaryFolder();
  const folder = temporary.path;
  const path = join(folder, 'borders.geojson');
  write(path, [square('강남구', [127, 37.5])]);
  importBoundaries(folder, path, terms);
  publish(folder, () => {});
  assert.equal(storedIn(folder).length, 1);
  publish(folder, (builder) => builder.dropBoundaries());
  assert.deepEqual(storedIn(folder), []);
});

test('regions of one name are distinguished by position, and a code of another region is ignored', () => {
  using temporary = temporaryFolder();
  const folder = temporary.path;
  const path = join(folder, 'names.geojson');
  const busan = builtInBoundaries().shapeOf('26110')!.label;
  const seoul = builtInBoundaries().shapeOf('11140')!.label;
  write(path, [
    // For the statistics office 11020 is 서울 중구, and 31140 is 오산시. In our table 11020 is unknown, and 31140 is 울산 남구.
    square('중구', [busan.lon - 0.001, busan.lat - 0.001], { code: '11020', size: 0.002 }),
    square('중구', [seoul.lon - 0.001, seoul.lat - 0.001], { code: '31110', size: 0.002 }),
    square('Seocho-gu', [127, 37.48], { code: '11650', size: 0.01 }),
    square('Osan-si', [127.05, 37.15], { code: '31140', size: 0.01 }),
    square('화성시', [126.8, 37.1]),
    square('종로구', [12.69, 3.75]),
    square('제물포구', [126.6, 37.4], {}, { type: 'Point', coordinates: [126.6, 37.4] }),
  ]);
  const report = importBoundaries(folder, path, terms);
  assert.deepEqual(storedIn(folder)[0]!.regions, ['11140', '11650', '26110']);
  assert.deepEqual(
    report.unmatched.map(({ reason }) => reason),
    ['unknown', 'divided', 'elsewhere', 'no_area'],
  );
});

test('areas of provinces that merged since become one', () => {
  using temporary = temporaryFolder();
  const folder = temporary.path;
  const path = join(folder, 'provinces.geojson');
  write(path, [
    square('광주광역시', [126.8, 35.1], { code: '24', attribution: 'x' }),
    square('전라남도', [126.9, 35.1], { code: '36' }),
  ]);
  const report = importBoundaries(folder, path, terms);
  assert.deepEqual([report.level, report.regions], ['sido', 1]);
  const shape = boundariesWith(storedIn(folder)).shapeOf('12')!;
  assert.equal(shape.rings.length, 1, 'The border between them is gone.');
  assert.equal(shape.box.maxLon, 127);
  assert.deepEqual(
    boundariesWith(storedIn(folder)).shapeOf('12110'),
    builtInBoundaries().shapeOf('12110'),
  );
});

test('a topology is read by its arcs, forwards and backwards, with its own terms', () => {
  using temporary = temporaryFolder();
  const folder = temporary.path;
  const path = join(folder, 'topo.json');
  const topology = {
    type: 'Topology',
    license: 'CC BY 4.0',
    attribution: '지도 모임',
    transform: { scale: [0.1, 0.1], translate: [127, 37] },
    objects: {
      a: {
        type: 'GeometryCollection',
        geometries: [
          { type: 'Polygon', arcs: [[0, 1]], properties: { sggnm: '강남구' } },
          { type: 'MultiPolygon', arcs: [[[2, -1]]], properties: { sggnm: '서초구' } },
        ],
      },
    },
    arcs: [
      [
        [1, 0],
        [0, 1],
      ],
      [
        [1, 1],
        [-1, 0],
        [0, -1],
        [1, 0],
      ],
      [
        [1, 0],
        [1, 0],
        [0, 1],
        [-1, 0],
      ],
    ],
  };
  writeFileSync(path, JSON.stringify(topology));
  const { license, credit, regions } = importBoundaries(folder, path, {});
  assert.deepEqual([license, credit, regions], ['CC-BY-4.0', '지도 모임', 2]);
  const boundaries = boundariesWith(storedIn(folder));
  assert.equal(boundaries.shapeOf('11680')!.rings.length, 1);
  assert.ok(boundaries.neighboursOf('11680').has('11650'));
});

test('a file that is not a map of regions is refused with advice; nothing is published', () => {
  using temporary = temporaryFolder();
  const folder = temporary.path;
  const path = join(folder, 'bad.json');
  for (const [content, code, remedy] of [
    ['{"type":', 'damaged', /no JSON/],
    ['[]', 'unsupported', /neither TopoJSON nor GeoJSON/],
    [{ type: 'Topology', objects: {} }, 'unsupported', /neither/],
    [collection([feature([[[200_000, 550_000]]])]), 'unsupported', /ogr2ogr -t_srs EPSG:4326/],
    [collection([feature([[['127', '37']]])]), 'damaged', /no pair of numbers/],
    [collection([feature('x')]), 'damaged', /no rings/],
    [topology([[7]]), 'damaged', /no arc 7/],
    [collection([]), 'no_records', /시도 or 시군구/],
    [collection([square('사직동', [127, 37])]), 'no_records', /such as 사직동/],
    [collection(Array.from({ length: 10_000 }, () => ({}))), 'no_records', /시도 or 시군구/],
    [collection(Array.from({ length: 10_001 }, () => ({}))), 'too_large', /mapshaper/],
    [topology([Array.from({ length: 250_001 }, () => 0)]), 'too_large', /1000000 positions/],
  ] as const) {
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    assert.throws(
      () => importBoundaries(folder, path, terms),
      (error) => error instanceof FileRefused && error.code === code && remedy.test(error.message),
      JSON.stringify(content).slice(0, 100),
    );
  }
  writeFileSync(path, Buffer.from([0x7b, 0xb0, 0xa1]));
  assert.throws(() => importBoundaries(folder, path, terms), { code: 'binary' });
  assert.throws(() => importBoundaries(folder, join(folder, 'absent'), terms), /ENOENT/);
  write(path, [square('강남구', [127, 37.5])]);
  assert.throws(() => importBoundaries(folder, path, { credit: 'x' }), MissingTerms);
  assert.throws(() => importBoundaries(folder, path, { license: 'KOGL-1' }), MissingTerms);
  const long = { ...terms, credit: 'x'.repeat(201) };
  assert.throws(() => importBoundaries(folder, path, long), MissingTerms);
  assert.equal(OpenedSnapshot.current(folder), null);
});

function feature(coordinates: unknown): object {
  const geometry = { type: 'Polygon', coordinates };
  return { type: 'Feature', properties: { name: '강남구' }, geometry };
}

function topology(arcs: unknown): object {
  const triangle = [
    [127, 37],
    [127.1, 37],
    [127, 37.1],
    [127, 37],
  ];
  const properties = { name: '강남구' };
  return {
    type: 'Topology',
    arcs: [triangle],
    objects: { a: { type: 'Polygon', arcs, properties } },
  };
}

function write(path: string, features: readonly object[]): void {
  writeFileSync(path, JSON.stringify(collection(features)));
}

function collection(features: readonly object[]): object {
  return { type: 'FeatureCollection', features };
}

/** A square from its south-west corner, by default a tenth of a degree wide, drawn clockwise as many files are. */
function square(
  name: string,
  [west, south]: readonly [number, number],
  { size = 0.1, ...properties }: { readonly size?: number; readonly [name: string]: unknown } = {},
  geometry?: object,
): object {
  const [east, north] = [west + size, south + size];
  const ring = [
    [west, south],
    [west, north],
    [east, north],
    [east, south],
    [west, south],
  ];
  return {
    type: 'Feature',
    properties: { name, ...properties },
    geometry: geometry ?? { type: 'Polygon', coordinates: [ring] },
  };
}

function publish(folder: string, change: (builder: SnapshotBuilder) => void): void {
  using builder = new SnapshotBuilder(folder);
  change(builder);
  builder.publish('A test.');
}

function storedIn(folder: string) {
  using opened = OpenedSnapshot.current(folder);
  return opened!.boundaries();
}
