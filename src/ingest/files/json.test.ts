import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { JsonLines } from './json-scan.ts';
import { readWhole } from '../../../test/read-whole.ts';

async function read(name: string, text: string) {
  using folder = temporaryFolder();
  const path = join(folder.path, name);
  writeFileSync(path, text);
  const { tables, findings } = await readWhole(path);
  const found = findings.map(({ kind, row, detail }) => [kind, row, detail]);
  return { columns: tables[0]?.columns, rows: tables[0]?.rows, found };
}

test('a broken line loses its own record only', async () => {
  const lines = [
    '{"a":1}',
    '{"a":2',
    '{"a":"he wrote "x""}',
    'none',
    '[1,2]',
    '',
    '{"a":4,"b":"끝"}',
  ];
  assert.deepEqual(await read('a.ndjson', `${lines.join('\r\n')}\n{"a":5}`), {
    columns: ['a', 'b'],
    rows: [
      [1, null],
      ['he wrote "x"', null],
      [4, '끝'],
      [5, null],
    ],
    found: [
      ['row_unreadable', 2, 'it is not JSON: {"a":2'],
      ['quote_broken', 3, 'Quotes inside a string were not escaped.'],
      ['row_unreadable', 4, 'none is not a JSON value: none'],
      ['row_unreadable', 5, 'it is not an object: [1,2]'],
    ],
  });
});

test('a record with one member is not a footnote; a record with empty members may be one', async () => {
  const { rows, found } = await read('a.ndjson', '{"a":"1","b":2}\n{"a":"2","b":3}\n{"a":"끝"}\n');
  assert.deepEqual(rows?.at(-1), ['끝', null]);
  assert.deepEqual(found, []);
  const spelled = await read('b.json', '[{"a":"1","b":2},{"a":"끝","b":null}]');
  assert.deepEqual(spelled.found, [['row_note', 2, 'A footnote: 끝']]);
});

test('a file whose last line breaks off is refused as truncated', async () => {
  await assert.rejects(read('a.ndjson', '{"a":1}\n{"a":2}\n{"a":'), { code: 'truncated' });
});

test('objects that are printed over several lines are read as records', async () => {
  const text = [{ a: [{ b: 1 }, { b: 2 }] }, { a: 3 }].map((one) => JSON.stringify(one, null, 1));
  const { rows } = await read('a.json', text.join('\n'));
  assert.deepEqual(rows, [['[{"b":1},{"b":2}]'], [3]]);
});

test('items of an array that are not objects are reported', async () => {
  const { rows, found } = await read('a.json', '[{"a":1},"text",null,[7],{"a":2}]');
  assert.deepEqual(rows, [[1], [2]]);
  assert.deepEqual(
    found.map(([kind, row]) => [kind, row]),
    [
      ['row_unreadable', 2],
      ['row_unreadable', 3],
      ['row_unreadable', 4],
    ],
  );
});

test('JSON without a list of objects is not refused as a response without records', async () => {
  const texts = [
    '[[127.1,37.1],[127.2,37.2]]',
    '{"서울":{"인구":1}}',
    '[1,2]',
    '{"data":{"a":[[1]]}}',
  ];
  for (const text of texts) {
    await assert.rejects(read('a.json', text), { code: 'not_a_table' }, text);
  }
  const empty = '{"currentCount":0,"data":[],"totalCount":0}';
  await assert.rejects(read('a.json', empty), { code: 'no_records' });
});

test('a single record of a response is read whatever its name and letter case', async () => {
  const one = { id: 1, name: '가람' };
  const header = { resultCode: 0, resultMessage: '정상' };
  for (const answer of [
    { response: { msgHeader: header, msgBody: { busRouteInfoItem: one } } },
    { Response: { Header: header, Body: { Items: { Item: one }, totalCount: 1 } } },
  ]) {
    const { columns, rows } = await read('a.json', JSON.stringify(answer));
    assert.deepEqual([columns, rows], [['id', 'name'], [[1, '가람']]]);
  }
  const empty = { response: { msgHeader: header, msgBody: {} } };
  await assert.rejects(read('a.json', JSON.stringify(empty)), { code: 'no_records' });
});

test('a line at the bound is read, one character more is refused', () => {
  const records: string[] = [];
  const visitor = { record: (_: string, text: string) => void records.push(text) };
  const lines = new JsonLines({ recordUnitsMax: 9 }, visitor);
  lines.write('{"a"');
  lines.write(':123}\n{"a":1}');
  assert.deepEqual(records, ['{"a":123}']);
  assert.throws(() => lines.write('   '), { code: 'too_large' });
});

test('a GeoJSON text sequence with record separators has a record for each feature', async () => {
  const point = { type: 'Point', coordinates: [127.5, 37.5] };
  const features = ['가람', '나루', '다온'].map(
    (이름) =>
      `\u001e${JSON.stringify({ type: 'Feature', properties: { 이름 }, geometry: point })}\n`,
  );
  const { columns, rows, found } = await read('a.geojsons', features.join(''));
  assert.deepEqual(
    [columns, rows?.at(-1), found],
    [['lon', 'lat', '이름'], [127.5, 37.5, '다온'], []],
  );
  assert.equal(rows?.length, 3);
});
