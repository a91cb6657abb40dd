import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readWhole } from '../../../test/read-whole.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { zipOf } from '../../../test/zip-of.ts';
import type { OpenOptions } from './open.ts';

async function readKml(
  placemarks: string,
  options: OpenOptions = {},
): Promise<Awaited<ReturnType<typeof readWhole>>> {
  using folder = temporaryFolder();
  const path = join(folder.path, 'a.kml');
  writeFileSync(path, kmlOf(placemarks));
  return await readWhole(path, options);
}

function kmlOf(placemarks: string): string {
  return (
    '<?xml version="1.0" encoding="UTF-8"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document>' +
    `<Style id="a"><LineStyle><width>2</width></LineStyle></Style><Folder><name>목록</name>${placemarks}` +
    '</Folder></Document></kml>'
  );
}

const pointMark =
  '<Placemark><name>가람</name><styleUrl>#a</styleUrl><ExtendedData><Data name="구분"><value>공원</value></Data>' +
  '</ExtendedData><Point><coordinates>127.5,37.25,0</coordinates></Point></Placemark>';
const areaMark =
  '<Placemark><name>나루</name><ExtendedData><SchemaData schemaUrl="#s"><SimpleData name="면적">12.50</SimpleData>' +
  '<SimpleData name="name">나루길</SimpleData></SchemaData></ExtendedData><Polygon><extrude>1</extrude>' +
  '<outerBoundaryIs><LinearRing><coordinates>\n 127,37,0 128,37,0 128,38,0 127,37,0\n</coordinates></LinearRing>' +
  '</outerBoundaryIs><innerBoundaryIs><LinearRing><coordinates>127.6,37.3 127.8,37.3 127.8,37.5 127.6,37.3' +
  '</coordinates></LinearRing></innerBoundaryIs></Polygon></Placemark>';
const area = {
  type: 'Polygon',
  coordinates: [
    [
      [127, 37],
      [128, 37],
      [128, 38],
      [127, 37],
    ],
    [
      [127.6, 37.3],
      [127.8, 37.3],
      [127.8, 37.5],
      [127.6, 37.3],
    ],
  ],
};

test('placemarks of KML are records with their data, positions and shapes', async () => {
  const { tables, findings } = await readKml(pointMark + areaMark);
  assert.equal(tables.length, 1);
  assert.deepEqual(tables[0]!.columns, [
    'name',
    '구분',
    'lon',
    'lat',
    '면적',
    'name_2',
    'geometry',
  ]);
  assert.deepEqual(tables[0]!.rows, [
    ['가람', '공원', 127.5, 37.25, null, null, null],
    ['나루', null, null, null, '12.50', '나루길', JSON.stringify(area)],
  ]);
  assert.deepEqual(findings, []);
});

const track = '<LineString><coordinates>127,37 128,38</coordinates></LineString>';
const positions = [
  [127, 37],
  [128, 38],
];

test('several shapes of a placemark are one, and a KMZ is read like its KML', async () => {
  const marks =
    `<Placemark><name>가람</name><MultiGeometry>${track}${track}</MultiGeometry></Placemark>` +
    `<Placemark><name>나루</name><MultiGeometry>${track}<Point><coordinates>127, 37</coordinates></Point>` +
    '</MultiGeometry></Placemark>';
  const lines = { type: 'MultiLineString', coordinates: [positions, positions] };
  const geometries = [
    { type: 'LineString', coordinates: positions },
    { type: 'Point', coordinates: [127, 37] },
  ];
  const rows = [
    ['가람', JSON.stringify(lines)],
    ['나루', JSON.stringify({ type: 'GeometryCollection', geometries })],
  ];
  assert.deepEqual((await readKml(marks)).tables[0]!.rows, rows);
  using folder = temporaryFolder();
  const path = join(folder.path, 'a.kmz');
  writeFileSync(path, zipOf([{ name: 'doc.kml', content: kmlOf(marks) }]));
  assert.deepEqual((await readWhole(path)).tables[0]!.rows, rows);
});

test('a shape of KML past the limit, or without numbers, is reported and its record kept', async () => {
  const mark = `<Placemark><name>가람</name>${track}</Placemark>`;
  const text = JSON.stringify({ type: 'LineString', coordinates: positions });
  const held = await readKml(mark, { limits: { geometryUnitsMax: text.length } });
  assert.deepEqual(held.tables[0]!.rows, [['가람', text]]);
  const cut = await readKml(mark, { limits: { geometryUnitsMax: text.length - 1 } });
  assert.deepEqual(cut.tables[0]!.rows, [['가람', null]]);
  const broken = await readKml(mark.replace('127,37', '127,x'));
  assert.deepEqual(broken.tables[0]!.rows, [['가람']]);
  for (const { findings } of [cut, broken]) {
    assert.deepEqual(
      findings.map(({ kind, row }) => [kind, row]),
      [['geometry_not_held', 1]],
    );
  }
});

test('a KML without placemarks is refused', async () => {
  await assert.rejects(readKml(''), { code: 'not_a_table', message: /without placemarks/u });
});

test('the names of several folders become a column; a folder around all placemarks does not', async () => {
  const { tables } = await readKml(
    `<Folder><name>강북</name><Folder><name>공원</name>${pointMark}</Folder></Folder>` +
      `<Folder><name>강남</name>${pointMark}</Folder>`,
  );
  assert.equal(tables[0]?.columns.at(-1), '폴더');
  assert.deepEqual(
    tables[0]?.rows.map((row) => row.at(-1)),
    ['목록/강북/공원', '목록/강남'],
  );
  const single = await readKml(pointMark);
  assert.equal(single.tables[0]?.columns.includes('폴더'), false);
});
