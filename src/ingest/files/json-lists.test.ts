import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { readWhole } from '../../../test/read-whole.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { OpenOptions } from './open.ts';

async function read(text: string, options: OpenOptions = {}) {
  using folder = temporaryFolder();
  const path = join(folder.path, 'a.json');
  writeFileSync(path, text);
  return await readWhole(path, options);
}

const station = { 역명: '가람', 호선: 1 };
const lines = [
  { 호선: 1, 색: '청' },
  { 호선: 2, 색: '녹' },
];

test('several lists of a JSON text are tables of their own, the longest first', async () => {
  const text = JSON.stringify({ 기준일: '2024-03-01', stations: [station], lines });
  const { tables, findings } = await read(text);
  assert.deepEqual(
    tables.map(({ section, columns, rows, isMain }) => [section, columns, rows.length, isMain]),
    [
      ['lines', ['호선', '색'], 2, true],
      ['stations', ['역명', '호선'], 1, undefined],
    ],
  );
  assert.deepEqual(findings, []);
  const chosen = await read(text, { sheet: 'stations' });
  assert.deepEqual(
    chosen.tables.map(({ section, rows }) => [section, rows.length]),
    [[undefined, 1]],
  );
  await assert.rejects(read(text, { sheet: '없는 목록' }), { code: 'not_a_table' });
});

test('rows as arrays are the main table where a list of objects names their columns', async () => {
  const document = {
    meta: { columns: [{ name: '역명' }, { name: '호선' }] },
    rows: [
      ['가람', 1],
      ['나루', 2],
    ],
  };
  const { tables } = await read(JSON.stringify(document));
  assert.deepEqual(
    tables.map(({ columns, rows }) => [columns, rows]),
    [[['역명', '호선'], document.rows]],
  );
  const more = await read(JSON.stringify({ ...document, stations: [station, station, station] }));
  assert.deepEqual(
    more.tables.map(({ section, rows, isMain }) => [section, rows.length, isMain]),
    [
      [undefined, 2, true],
      ['stations', 3, undefined],
    ],
  );
});

test('a list with a usual name is the main table, even if another is longer', async () => {
  const { tables } = await read(JSON.stringify({ codes: lines, data: [station] }));
  assert.deepEqual(
    tables.map(({ section, isMain }) => [section, isMain]),
    [
      ['data', true],
      ['codes', undefined],
    ],
  );
});

test('lists with similar members are one table with a column of their names', async () => {
  const text = JSON.stringify({
    구: { 가람: [station], 나루: [station, { ...station, 비고: '-' }] },
  });
  const { tables } = await read(text);
  assert.deepEqual(tables[0]?.columns, ['역명', '호선', '비고', '목록']);
  assert.deepEqual(
    tables.flatMap(({ rows }) => rows.map((row) => row.at(-1))),
    ['가람', '나루', '나루'],
  );
});

test('the records of any lists are all read, each in one table', async () => {
  const members = fc.uniqueArray(fc.constantFrom('가', '나', '다', '라', '마'), { minLength: 1 });
  const list = fc.record({ members, count: fc.integer({ min: 1, max: 5 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(list, { minLength: 1, maxLength: 6 }), async (lists) => {
      let value = 0;
      const document = Object.fromEntries(
        lists.map(({ members: keys, count }, index) => [
          `목록${index}`,
          Array.from({ length: count }, () =>
            Object.fromEntries(keys.map((key) => [key, value++])),
          ),
        ]),
      );
      const { tables } = await read(JSON.stringify(document));
      const numbers = tables.flatMap(({ rows }) =>
        rows.flatMap((row) => row.filter((cell) => typeof cell === 'number')),
      );
      assert.deepEqual(
        numbers.sort((a, b) => a - b),
        Array.from({ length: value }, (_, index) => index),
      );
    }),
    { numRuns: 60 },
  );
});

test('a list in a script is read: an assignment or a callback', async () => {
  for (const text of [
    'var lines = [{"호선":1}];\n',
    'callback({"lines":[{"호선":1}]});',
    'x.y([{"호선":1}])',
  ]) {
    const { tables } = await read(text);
    assert.deepEqual([tables[0]?.columns, tables[0]?.rows], [['호선'], [[1]]], text);
  }
});

test('a description of the members gives their labels, in any letter case', async () => {
  const text = '{"DESCRIPTION":{"NM":"시설명","QY":"수용인원"},"DATA":[{"nm":"가람","qy":1}]}';
  const { tables } = await read(text);
  assert.deepEqual(tables[0]?.columns, ['nm', 'qy']);
  assert.deepEqual(
    [...(tables[0]?.labels ?? [])],
    [
      ['nm', '시설명'],
      ['qy', '수용인원'],
    ],
  );
});

test('features of ArcGIS are their attributes and positions', async () => {
  const text = JSON.stringify({
    spatialReference: { wkid: 4326 },
    fieldAliases: { NAME: '시설명' },
    features: [{ attributes: { NAME: '가람' }, geometry: { x: 127.5, y: 37.5 } }],
  });
  const { tables, findings } = await read(text);
  assert.deepEqual(tables[0]?.columns, ['lon', 'lat', 'NAME']);
  assert.deepEqual(tables[0]?.rows, [[127.5, 37.5, '가람']]);
  assert.deepEqual([...(tables[0]?.labels ?? [])], [['NAME', '시설명']]);
  assert.deepEqual(findings, []);
});

test('points that are not degrees are x and y, with a finding', async () => {
  const text = JSON.stringify({
    type: 'FeatureCollection',
    crs: { type: 'name', properties: { name: 'urn:ogc:def:crs:EPSG::5179' } },
    features: [
      {
        type: 'Feature',
        properties: { 이름: '가람' },
        geometry: { type: 'Point', coordinates: [953900, 1952000] },
      },
    ],
  });
  const { tables, findings } = await read(text);
  assert.deepEqual(tables[0]?.columns, ['x', 'y', '이름']);
  assert.deepEqual(
    findings.map(({ kind, detail }) => [kind, detail.includes('EPSG::5179')]),
    [['geometry_projected', true]],
  );
});
