import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  requestAddress,
  requestOperation,
  requestPage,
  testMoment,
  usualQuery,
} from '../test/fixtures/portal-caller.ts';
import { families } from './family.ts';
import { sampleKey } from './keys.ts';
import { operationOf, operations } from './operation.ts';
import { startSamplePortal, type SamplePortalOptions } from './portal.ts';

const clock = (): number => testMoment;
const start = (options: SamplePortalOptions = {}) => startSamplePortal({ clock, ...options });

test('the portal has the operations of 69 axes, each at its own path', () => {
  assert.equal(operations.filter(({ isAuxiliary }) => !isAuxiliary).length, 69);
  assert.equal(new Set(operations.map(({ path }) => path)).size, operations.length);
});

test('every operation answers all of its pages and an empty one past the end', async () => {
  await using portal = await start();
  for (const { code } of operations) {
    const first = await requestPage(portal, code, 1, 1);
    assert.equal(first.rows.length, 1, code);
    const size = Math.max(1, Math.min(100, Math.ceil(first.total / 3)));
    const pages = Math.ceil(first.total / size);
    let rows = 0;
    for (let page = 1; page <= pages; page++) {
      const answer = await requestPage(portal, code, page, size);
      assert.equal(answer.total, first.total, code);
      if (page === 1) assert.deepEqual(answer.rows[0], first.rows[0], code);
      rows += answer.rows.length;
    }
    assert.equal(rows, first.total, code);
    const beyond = await requestPage(portal, code, pages + 1, size);
    assert.deepEqual([beyond.rows, beyond.total], [[], first.total], code);
  }
});

test('rows have only fields of their operation, equal in XML and JSON', async () => {
  await using portal = await start();
  for (const { code, fields } of operations) {
    const names = new Set(fields.map(({ name }) => name));
    const json = await requestPage(portal, code, 1, 5, 'json');
    const xml = await requestPage(portal, code, 1, 5, 'xml');
    assert.deepEqual(
      json.rows.flatMap((row) => Object.keys(row)).filter((name) => !names.has(name)),
      [],
      code,
    );
    if (families[operationOf(code).family].values === 'converted') continue;
    const asText = json.rows.map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value)])),
    );
    assert.deepEqual(xml.rows, asText, code);
  }
});

test('equal seeds give equal bytes at one time, and another seed gives other bytes', async () => {
  await using one = await start();
  await using same = await start();
  await using other = await start({ seed: 7 });
  let different = 0;
  for (const operation of operations) {
    const query = usualQuery(operation.code);
    const [a, b, c] = await Promise.all(
      [one, same, other].map((portal) => requestOperation(portal, operation, query)),
    );
    assert.equal(a?.text, b?.text, operation.code);
    if (a?.text !== c?.text) different++;
  }
  assert.ok(different > 30, `${different} operations differ between seeds`);
});

test('a request without a required parameter is refused', async () => {
  await using portal = await start();
  for (const operation of operations) {
    for (const name of operation.required) {
      const { [name]: _left, ...query } = usualQuery(operation.code);
      const { text } = await requestOperation(portal, operation, query);
      assert.match(
        text,
        /"resultCode":"11"|<returnReasonCode>11<|<resultCode>11<|"returnReasonCode":"11"/,
        `${operation.code} ${name}`,
      );
    }
  }
});

test('page numbers and sizes that are invalid or too large are refused with code 10', async () => {
  await using portal = await start();
  const operation = operationOf('tago_busstops');
  for (const wrong of [
    { pageNo: 'x' },
    { pageNo: '0' },
    { numOfRows: '-1' },
    { numOfRows: '99999' },
  ]) {
    const answer = await requestOperation(portal, operation, { cityCode: '31010', ...wrong });
    assert.match(answer.text, /"returnReasonCode":"10"/);
  }
});

test('the election commission cuts a page to 100 rows and reports that size', async () => {
  await using portal = await start();
  const { text } = await requestOperation(portal, operationOf('nec_code'), { numOfRows: '1000' });
  const { response } = JSON.parse(text) as {
    response: { body: { numOfRows: string; items: { item: unknown[] } } };
  };
  assert.equal(response.body.numOfRows, '100');
  assert.equal(response.body.items.item.length, 100);
});

test('in JSON converted from XML, one row is an object, and an empty list is an empty text', async () => {
  await using portal = await start();
  const one = await requestOperation(portal, operationOf('gen_anniversaryinfo'), {
    solYear: '2026',
    solMonth: '01',
  });
  assert.match(one.text, /"items":"",/);
  const two = await requestOperation(portal, operationOf('gen_restdeinfo'), {
    solYear: '2026',
    solMonth: '01',
  });
  assert.match(two.text, /"items":\{"item":\{"dateKind":"01"/);
});

test('values that begin with zero stay texts, and other numeric values become numbers', async () => {
  await using portal = await start();
  const { rows } = await requestPage(portal, 'tago_busstops', 1, 100);
  assert.deepEqual([...new Set(rows.map(({ nodeno }) => typeof nodeno))].sort(), [
    'number',
    'string',
  ]);
  assert.ok(rows.every(({ nodeno }) => typeof nodeno === 'number' || nodeno?.startsWith('0')));
});

test('the shop list has Korean columns in its header and no `response` around it', async () => {
  await using portal = await start();
  const query = usualQuery('gen_storelist');
  const { text } = await requestOperation(portal, operationOf('gen_storelist'), query);
  const { header } = JSON.parse(text) as { header: { columns: string[]; stdrYm: string } };
  assert.deepEqual(
    header.columns,
    operationOf('gen_storelist').fields.map(({ label }) => label),
  );
});

test('culture answers XML for any request and escapes its text twice', async () => {
  await using portal = await start();
  const { text } = await requestOperation(portal, operationOf('gen_period2'), { _type: 'json' });
  assert.match(text, /<title>&amp;lt;[가-힣]+&amp;gt;/);
});

test('regions are those of 2026: 12 for 전남광주통합특별시, 36110 for 세종 among the sido', async () => {
  await using portal = await start();
  const { rows } = await requestPage(portal, 'gen_ldongcode2', 1, 100);
  assert.equal(rows.length, 16);
  assert.ok(rows.some(({ code, name }) => code === '12' && name === '전남광주통합특별시'));
  assert.ok(rows.some(({ code, name }) => code === '36110' && name === '세종특별자치시'));
});

test('a record that refers to a record of another operation has the id of an existing one', async () => {
  await using portal = await start();
  const all = async (code: string): Promise<Set<unknown>> => {
    const name = code.startsWith('gen_e') ? 'hpid' : 'contentid';
    const { rows } = await requestPage(portal, code, 1, 10_000);
    return new Set(rows.map((row) => row[name]));
  };
  const [places, pets] = [await all('gen_areabasedlist2'), await all('gen_detailpettour2')];
  assert.ok(pets.size > 100 && pets.isSubsetOf(places));
  const [hospitals, beds] = [
    await all('gen_egytlistinfoinqire'),
    await all('gen_emrrmrltmusefulsckbdinfoinqire'),
  ];
  assert.ok(beds.size < hospitals.size && beds.isSubsetOf(hospitals));
});

test('the key is valid in both spellings, and no other key is', async () => {
  await using portal = await start();
  const address = operationOf('tago_stop_cities').path;
  const encoded = encodeURIComponent(sampleKey);
  const known = await requestAddress(portal, `${address}?serviceKey=${encoded}`);
  assert.match(known.text, /<resultCode>00</);
  const upper = await requestAddress(portal, `${address}?ServiceKey=${encoded}`);
  assert.match(upper.text, /<resultCode>00</);
  for (const wrong of [sampleKey, encodeURIComponent(encoded), 'unknown', '']) {
    const answer = await requestAddress(portal, `${address}?_type=json&serviceKey=${wrong}`);
    assert.deepEqual([answer.status, code30(answer.text)], [403, true], wrong);
  }
  const old = await requestAddress(portal, `${operationOf('gen_restdeinfo').path}?_type=json`);
  assert.equal(old.status, 200);
  assert.match(old.text, /^<OpenAPI_ServiceResponse>.*<errMsg>SERVICE ERROR<.*Code>30</);
});

function code30(text: string): boolean {
  return text.includes('"returnReasonCode":"30"');
}

test('a quota is per operation and day and ends at midnight in Seoul', async () => {
  let now = testMoment;
  await using portal = await start({ clock: () => now, keys: { perDay: 2 } });
  const requestCities = (code: string) => requestOperation(portal, operationOf(code), {});
  await requestCities('tago_stop_cities');
  await requestCities('tago_stop_cities');
  const over = await requestCities('tago_stop_cities');
  assert.equal(over.status, 429);
  assert.match(over.text, /"returnReasonCode":"22"/);
  assert.match((await requestCities('tago_route_cities')).text, /"resultCode":"00"/);
  now += 12 * 3_600_000;
  assert.match((await requestCities('tago_stop_cities')).text, /"resultCode":"00"/);
});

test('requests above the limit of a second are refused with code 23', async () => {
  await using portal = await start({ keys: { perSecond: 1 } });
  const operation = operationOf('tago_stop_cities');
  await requestOperation(portal, operation, {});
  const over = await requestOperation(portal, operation, {});
  assert.match(over.text, /"returnReasonCode":"23"/);
});

test('the scale sets how many records there are, and an unknown code is refused', async () => {
  await using portal = await start({ scale: { gen_storelist: 100_000 } });
  const { total } = await requestPage(portal, 'sbiz_stores_by_trade', 1, 1, 'json', {
    divId: 'indsLclsCd',
    key: 'I2',
  });
  assert.ok(total > 15_000, String(total));
  await assert.rejects(start({ scale: { gen_storelst: 5 } }), /Cannot scale gen_storelst/);
});

test('requests are logged without their keys, and a path without a host is refused', async () => {
  await using portal = await start();
  await requestPage(portal, 'tago_stop_cities', 1, 1);
  const [first] = portal.requests;
  assert.equal(first?.code, 'tago_stop_cities');
  assert.doesNotMatch(JSON.stringify([...(first?.query ?? [])]), /Sample/);
  assert.equal((await requestAddress(portal, 'nothing')).status, 404);
  assert.equal((await requestAddress(portal, 'apis.data.go.kr/nothing')).text, 'API not found');
});
