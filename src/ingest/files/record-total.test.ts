import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readWhole } from '../../../test/read-whole.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';

async function totalOf(text: string) {
  using folder = temporaryFolder();
  const path = join(folder.path, 'a.txt');
  writeFileSync(path, text);
  const { tables } = await readWhole(path);
  return tables[0]?.total;
}

const items = [{ name: '가람' }, { name: '나루' }];

function twoOf(declared: number) {
  return { records: 2, declared };
}

test('a page of a response has the number of records that it declares, in every envelope', async () => {
  const body = { items: { item: items }, numOfRows: 2, pageNo: 1, totalCount: 174_794 };
  assert.deepEqual(await totalOf(JSON.stringify({ response: { body } })), twoOf(174_794));
  const seoul = {
    bikeList: { list_total_count: 19_477, RESULT: { CODE: 'INFO-000' }, row: items },
  };
  assert.deepEqual(await totalOf(JSON.stringify(seoul)), twoOf(19_477));
  const head = [{ list_total_count: 31 }, { RESULT: { CODE: 'INFO-000' } }];
  const gyeonggi = { Parking: [{ head }, { row: items }] };
  assert.deepEqual(await totalOf(JSON.stringify(gyeonggi)), twoOf(31));
  const rows = items.map(({ name }) => `<item><name>${name}</name></item>`).join('');
  const xml = `<response><body><items>${rows}</items><totalCount>3,012</totalCount></body></response>`;
  assert.deepEqual(await totalOf(xml), twoOf(3012));
});

test('the total of a portal table is the number of matches, not the size of the table', async () => {
  const page = { currentCount: 2, data: items, page: 1, perPage: 2, totalCount: 900 };
  const expected = { records: 2, declared: 12 };
  assert.deepEqual(await totalOf(JSON.stringify({ ...page, matchCount: 12 })), expected);
  assert.deepEqual(await totalOf(JSON.stringify({ matchCount: 2, ...page })), undefined);
});

test('a single record in an envelope counts as one', async () => {
  const body = { items: { item: items[0] }, totalCount: 5 };
  const expected = { records: 1, declared: 5 };
  assert.deepEqual(await totalOf(JSON.stringify({ response: { body } })), expected);
});

test('a whole response, and a field with the name of a total, have no larger total', async () => {
  const body = { items: { item: items }, totalCount: 2 };
  assert.equal(await totalOf(JSON.stringify({ response: { body } })), undefined);
  assert.equal(await totalOf('{"totalCount":500,"name":"가람"}'), undefined);
  const fields = '<item><name>가람</name><totalCount>500</totalCount></item>'.repeat(2);
  assert.equal(
    await totalOf(`<response><body><items>${fields}</items></body></response>`),
    undefined,
  );
});
