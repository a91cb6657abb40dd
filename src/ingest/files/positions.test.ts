import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readWhole } from '../../../test/read-whole.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';

async function readCsv(...lines: readonly string[]) {
  using folder = temporaryFolder();
  const path = join(folder.path, 'a.csv');
  writeFileSync(path, lines.join('\n'));
  const { tables, findings } = await readWhole(path);
  const { columns, rows } = tables[0]!;
  return { columns, rows, findings: findings.map(({ kind }) => kind) };
}

test('points in one column become lon and lat, in any notation and order', async () => {
  const points = {
    geom: ['POINT (126.9779 37.5665)', 'SRID=4326;POINT(127 37)', 'POINT Z (127.5 36.5 12.3)'],
    위치: ['"37.5665, 126.9779"', '"37,127"', '"(36.5, 127.5)"'],
    좌표: [
      '<gml:Point><gml:pos>37.5665 126.9779</gml:pos></gml:Point>',
      '"<gml:Point><gml:coordinates>127,37</gml:coordinates></gml:Point>"',
      '<Point><pos srsDimension=2>36.5 127.5</pos></Point>',
    ],
    위경도: ['37.5665/126.9779', '37 127', '36.5;127.5'],
  };
  for (const [name, cells] of Object.entries(points)) {
    const { columns, rows } = await readCsv(
      `이름,${name}`,
      ...cells.map((cell, at) => `${'가나다'[at]!},${cell}`),
      ...Array.from({ length: 30 }, () => `라,${cells[0]}`),
      '마,',
    );
    assert.deepEqual(columns.slice(2), ['lon', 'lat'], name);
    const positions = rows.map((row) => row.slice(2));
    assert.deepEqual(
      positions.slice(0, 3),
      [
        [126.9779, 37.5665],
        [127, 37],
        [127.5, 36.5],
      ],
      name,
    );
    assert.deepEqual(positions.at(-1), [null, null]);
  }
});

test('plane coordinates of a named system become lon and lat', async () => {
  const licences = await readCsv(
    '사업장명,좌표정보(X),좌표정보(Y)',
    '가람,197984.007,451583.779',
    '나루,,',
    '다솜,"156,360.013",453.434',
  );
  assert.deepEqual(licences.rows, [
    ['가람', '197984.007', '451583.779', 126.977969, 37.566535],
    ['나루', null, null, null, null],
    ['다솜', '156,360.013', '453.434', 126.531188, 33.499621],
  ]);
  assert.deepEqual(licences.findings, ['position_computed']);
  const swapped = await readCsv('이름,X(EPSG:5186),Y(EPSG:5186)', '가,551888.916,198053.647');
  assert.deepEqual(swapped.rows[0]!.slice(3), [126.977969, 37.566535]);
});

test('coordinates of UTM-K, the plane of the whole country, are recognised by their range', async () => {
  const { rows } = await readCsv('이름,X좌표,Y좌표', '가,953898.467,1952035.979', '나,0,0');
  assert.deepEqual(
    rows.map((row) => row.slice(3)),
    [
      [126.977969, 37.566535],
      [null, null],
    ],
  );
});

test('plane coordinates of an unknown system stay as they are and are reported', async () => {
  const { columns, findings } = await readCsv('이름,X좌표,Y좌표', '가,198053.6,451888.9');
  assert.deepEqual(columns, ['이름', 'X좌표', 'Y좌표']);
  assert.deepEqual(findings, ['geometry_projected']);
});

test('pixels, degrees in two columns and texts are not read as plane coordinates', async () => {
  for (const lines of [
    ['이름,x,y', '가,120,300'],
    ['이름,X좌표,Y좌표', '가,126.97,37.56'],
    ['이름,위치', '가,시청 앞'],
    ['이름,위도,경도,좌표', '가,37.5,127,"37.5,127"'],
  ] as const) {
    const { columns, findings } = await readCsv(...lines);
    assert.deepEqual([columns.includes('lon'), findings], [false, []], lines[0]);
  }
});
