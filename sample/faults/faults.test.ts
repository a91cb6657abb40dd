import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  requestOperation,
  requestPage,
  testMoment,
  usualQuery,
  type Answer,
} from '../../test/fixtures/portal-caller.ts';
import { operationOf } from '../operation.ts';
import { startSamplePortal, type SamplePortal } from '../portal.ts';
import { durationOf, faultsAt, faultTable, type FaultName, type FaultSetting } from './schedule.ts';

const pace = { dripMs: 1, hangMs: 20 };
const stops = operationOf('tago_busstops');

function start(...faults: FaultSetting[]): Promise<SamplePortal> {
  return startSamplePortal({ clock: () => testMoment, faults, pace });
}

/** Requests a page of the bus stops of 수원; page 2 is neither the first nor the last. */
function requestStops(portal: SamplePortal, page = 2): Promise<Answer> {
  return requestOperation(portal, stops, {
    cityCode: '31010',
    pageNo: String(page),
    numOfRows: '7',
  });
}

const expectedAnswer = await (async (): Promise<Answer> => {
  await using portal = await start();
  return await requestStops(portal);
})();

const isExpected = (answer: Answer | null): boolean => answer?.text === expectedAnswer.text;
const answersWith =
  (pattern: RegExp, status = 200) =>
  (answer: Answer | null): boolean =>
    answer?.status === status && pattern.test(answer.text);

/** Recognises the effect of each fault on a request for bus stops; the answer is null if the connection breaks. */
const effectChecks: Readonly<Partial<Record<FaultName, (answer: Answer | null) => boolean>>> = {
  error_xml_200: (answer) => answer?.status === 200 && /^<Open.*Code>05</s.test(answer.text),
  error_xml_403: (answer) => answer?.status === 403 && /^<\?xml.*Code>04</s.test(answer.text),
  error_json_403: (answer) => answer?.status === 403 && /^\{"Open.*"01"/.test(answer.text),
  no_data: answersWith(/"NODATA_ERROR".*"03"/),
  db_error: answersWith(/"DB_ERROR".*"02"/, 403),
  routing_error: answersWith(/"HTTP_ROUTING_ERROR".*"04"/, 403),
  key_paused: answersWith(/"TEMPORARILY_DISABLE.*"21"/, 403),
  unknown_error: answersWith(/"UNKNOWN_ERROR".*"99"/, 403),
  per_second: (answer) => answer?.status === 429 && answer.text.includes('"23"'),
  text_rate_limit: (answer) => answer?.status === 429 && answer.text === 'API rate limit exceeded',
  text_forwarding: (answer) => answer?.status === 502 && answer.type.startsWith('text/plain'),
  text_receiving: (answer) => answer?.status === 504 && answer.type.startsWith('text/plain'),
  text_unexpected: (answer) => answer?.status === 500 && answer.text === 'Unexpected errors',
  header_error: (answer) => answer?.text.startsWith('{"header":{"resultCode":"99"') === true,
  html_page: (answer) => answer?.status === 200 && answer.text.startsWith('<!DOCTYPE html>'),
  empty_body: (answer) => answer?.status === 200 && answer.text === '',
  redirect: (answer) => answer?.status === 301,
  reset: (answer) => answer === null,
  hang: (answer) => answer === null,
  bad_parameter: answersWith(/"INVALID_REQ.*"10"/, 403),
  missing_parameter: answersWith(/"NO_MANDATORY.*"11"/, 403),
  access_denied: answersWith(/"SERVICE_ACCESS_DENIED_ERROR".*"20"/, 403),
  key_missing: answersWith(/"SERVICE_KEY_IS_NULL".*"20"/, 403),
  permission_denied: answersWith(/"PERMISSION_DENIED".*"20"/, 403),
  address_blocked: answersWith(/"BLACKLIST.*"29"/, 403),
  address_unregistered: answersWith(/"UNREGISTERED_IP.*"32"/, 403),
  unsigned: answersWith(/"UNSIGNED.*"33"/, 403),
  hub_forbidden: answersWith(/^\{"result":\{"status":403/, 403),
  business_refusal: answersWith(/"10","resultMsg":"최근 1일/),
  redirect_away: (answer) => answer?.status === 301,
  down: (answer) => answer === null,
  expired_key: (answer) => answer?.text.includes('"31"') === true,
  unregistered_key: (answer) => answer?.text.includes('"30"') === true,
  retired: (answer) => answer?.text.includes('"12"') === true,
  quota: (answer) => answer?.status === 429 && answer.text.includes('"22"'),
  text_quota: (answer) => answer?.status === 429 && answer.text === 'API token quota exceeded',
  text_unauthorized: (answer) => answer?.status === 401 && answer.text === 'Unauthorized',
  text_forbidden: (answer) => answer?.status === 403 && answer.text === 'Forbidden',
  text_not_found: (answer) => answer?.status === 404 && answer.text === 'API not found',
  busy_until: (answer) => answer?.status === 503 && answer.text === 'busy',
  agency_error: (answer) => answer?.text.includes('"01"') === true,
  server_error: (answer) => answer?.status === 500 && answer.text.includes('오류'),
  maintenance: (answer) => answer?.status === 200 && answer.text.includes('점검'),
  total_zero: (answer) => /"items":"".*"totalCount":0\}/.test(answer?.text ?? ''),
  total_growing: (answer) => totalOf(answer) === (totalOf(expectedAnswer) ?? 0) + 2,
  total_shrinking: (answer) => totalOf(answer) === (totalOf(expectedAnswer) ?? 0) - 2,
  page_repeated: (answer) => numbersOf(answer)[0] === 1,
  page_first: (answer) => numbersOf(answer)[0] === 1 && /"pageNo":1\b/.test(answer?.text ?? ''),
  page_ignored: (answer) => numbersOf(answer)[0] === 1,
  page_short: (answer) => numbersOf(answer).length === 4,
  page_echoed: (answer) => numbersOf(answer)[0] === 8 && /"pageNo":1\b/.test(answer?.text ?? ''),
  ties_swapped: (answer) => numbersOf(answer)[5] === 16,
  order_unstable: (answer) => numbersOf(answer).length === 7 && numbersOf(answer)[0] !== 8,
  rows_doubled: (answer) => numbersOf(answer)[0] === 4 && numbersOf(answer)[1] === 5,
  total_missing: (answer) => totalOf(answer) === undefined && numbersOf(answer)[0] === 8,
  page_shifted: (answer) => numbersOf(answer)[0] === 9,
  page_empty: (answer) => /"items":""/.test(answer?.text ?? '') && (totalOf(answer) ?? 0) > 0,
  rows_repeated: (answer) => numbersOf(answer).length === 8 && numbersOf(answer)[7] === 8,
  nul_text: (answer) => answer?.text.includes(String.raw`\u0000`) === true,
  field_renamed: (answer) => /"nodenmRenamed"/.test(answer?.text ?? ''),
  field_added: (answer) => /"sampleNewField"/.test(answer?.text ?? ''),
  records_none: (answer) => totalOf(answer) === 0,
  records_lost: (answer) => totalOf(answer) === Math.floor((totalOf(expectedAnswer) ?? 0) / 2),
  coordinates_swapped: (answer) => /"gpslati":12\d\./.test(answer?.text ?? ''),
  coordinates_abroad: (answer) => /"gpslati":0,"gpslong":0/.test(answer?.text ?? ''),
  region_unknown: (answer) => /"citycode":99999/.test(answer?.text ?? ''),
  records_deleted: (answer) => totalOf(answer) === Math.floor((totalOf(expectedAnswer) ?? 0) * 0.9),
  xml_instead: answersWith(/^<\?xml.*<items><item>/s),
  rows_direct: answersWith(/"items":\[\{"/),
  rows_data: answersWith(/"data":\[\{"|"data":\{"item"/),
  response_missing: answersWith(/^\{"header":\{"resultCode":"00"/),
  success_word: answersWith(/"resultCode":"NORMAL_CODE"/),
  success_zeros: answersWith(/"resultCode":"000"/),
  ids_as_numbers: answersWith(/"citycode":"31010".*"citycode":31010/),
  names_other_case: answersWith(/"NODENM"/),
  text_cp949: (answer) =>
    answer?.type.endsWith('EUC-KR') === true && answer.text.includes('\uFFFD'),
  json_control: answersWith(/"[가-힣]\n\t[가-힣]/),
  json_backslash: answersWith(/"[가-힣]\\[가-힣]/),
  json_quote: answersWith(/"[가-힣]"예시"[가-힣]/),
  // These change other responses, which the test of formats below requests.
  cdata: isExpected,
  one_row_object: isExpected,
  items_empty_text: isExpected,
  items_missing: isExpected,
  item_missing: isExpected,
  body_missing: isExpected,
  no_data_word: isExpected,
  no_data_code: isExpected,
  korean_keys: isExpected,
  old_envelope: isExpected,
  objects_empty: isExpected,
  null_word: isExpected,
  no_content: isExpected,
  total_other_type: (answer) => /"totalCount":"\d+"/.test(answer?.text ?? ''),
  numbers_as_text: (answer) => /"gpslati":"37/.test(answer?.text ?? ''),
  truncated: (answer) =>
    answer !== null &&
    expectedAnswer.text.startsWith(answer.text) &&
    answer.text !== expectedAnswer.text,
  reset_midway: (answer) => answer === null,
  drip: isExpected,
  gzip: isExpected,
  gzip_broken: (answer) => answer === null,
  wrong_type: (answer) =>
    answer?.type.startsWith('text/html') === true && answer.text === expectedAnswer.text,
  // Reading a body as text removes the byte order mark, so another test reads the bytes.
  bom: isExpected,
};

function totalOf(answer: Answer | null): number | undefined {
  const total = /"totalCount":(\d+)/.exec(answer?.text ?? '')?.[1];
  return total === undefined ? undefined : Number(total);
}

/** Numbers of the stops in an answer, counted from 1 in each city. */
function numbersOf(answer: Answer | null): number[] {
  return [...(answer?.text ?? '').matchAll(/"nodeid":"SMB31010(\d+)"/g)].map(([, n]) => Number(n));
}

test('a temporary fault has its effect once, a lasting one at every attempt', async () => {
  const names = [...faultsAt('operations', 'temporary'), ...faultsAt('operations', 'lasting')];
  assert.deepEqual(Object.keys(effectChecks).sort(), names.sort());
  await using portal = await start();
  for (const [name, isAffected] of Object.entries(effectChecks)) {
    // Safe: the keys of the table are names of faults.
    const fault = name as FaultName;
    portal.setFaults([{ fault }]);
    const first = await requestStops(portal).catch(() => null);
    assert.ok(isAffected(first), `${name}: ${first?.status} ${first?.text.slice(0, 200)}`);
    if (fault === 'redirect') await requestStops(portal);
    const again = await requestStops(portal).catch(() => null);
    if (durationOf(faultTable[fault]) === 'temporary')
      assert.deepEqual(again, expectedAnswer, name);
    else assert.ok(isAffected(again), `${name} does not last`);
  }
});

test('a fault of a format changes only the responses that have this format', async () => {
  const oneRow = { numOfRows: '1' };
  const noRow = { divId: 'ctprvnCd', key: '99' };
  const cases = [
    ['one_row_object', 'std_library', oneRow, /"items":\{"lbrryNm"/],
    ['korean_keys', 'std_library', oneRow, /"items":\[\{"도서관명"/],
    ['items_empty_text', 'gen_storelist', noRow, /"resultCode":"00".*"items":""/],
    ['items_missing', 'gen_storelist', noRow, /"resultCode":"00".*"body":\{"numOfRows"/],
    ['item_missing', 'gen_storelist', noRow, /"resultCode":"00".*"items":\{\}/],
    ['body_missing', 'gen_storelist', noRow, /"resultCode":"00"[^{]*\}\}$/],
    ['no_data_word', 'gen_storelist', noRow, /"resultCode":"NODATA_ERROR"/],
    ['no_data_code', 'gen_storelist', noRow, /"resultCode":"INFO-200"/],
    ['no_content', 'gen_storelist', noRow, /^$/],
    ['objects_empty', 'std_library', {}, /"[a-zA-Z]+":\{\}/],
    ['null_word', 'std_library', {}, /"[a-zA-Z]+":"null"/],
    ['cdata', 'gen_area2', oneRow, /<title><!\[CDATA\[/],
    [
      'old_envelope',
      'nec_code',
      oneRow,
      /^\{"getCommonSgCodeList":\{"resultCode":"INFO-00".*"SG_ID"/,
    ],
  ] as const;
  await using portal = await start();
  for (const [fault, code, query, pattern] of cases) {
    portal.setFaults([{ fault }]);
    const { text } = await requestOperation(portal, operationOf(code), {
      ...usualQuery(code),
      ...query,
    });
    assert.match(text, pattern, fault);
    assert.equal(portal.requests.at(-1)?.fault, fault);
  }
});

test('a fault that changes nothing in an answer is not logged', async () => {
  await using portal = await start({ fault: 'page_empty' });
  await requestStops(portal, 1);
  assert.equal(portal.requests.at(-1)?.fault, null);
  await requestStops(portal, 2);
  assert.equal(portal.requests.at(-1)?.fault, 'page_empty');
});

test('a redirect leads to https and back to http', async () => {
  await using portal = await start({ fault: 'redirect' });
  const locations: string[] = [];
  for (let hop = 0; hop < 2; hop++) {
    const response = await fetch(`${portal.url}/${stops.path}?cityCode=31010`, {
      redirect: 'manual',
    });
    locations.push(response.headers.get('location') ?? '');
    await response.body?.cancel();
  }
  assert.deepEqual(
    locations,
    ['https', 'http'].map((scheme) => `${scheme}://${stops.path}?cityCode=31010`),
  );
});

test('the fault bom puts a byte order mark before the body', async () => {
  await using portal = await start({ fault: 'bom' });
  const response = await fetch(`${portal.url}/${stops.path}?cityCode=31010`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
});

test('a quota refuses from page fromPage on, until midnight', async () => {
  let now = testMoment;
  const faults: FaultSetting[] = [{ fault: 'quota', fromPage: 3 }];
  await using portal = await startSamplePortal({ clock: () => now, faults });
  assert.deepEqual((await requestStops(portal, 2)).text, expectedAnswer.text);
  assert.equal((await requestStops(portal, 3)).status, 429);
  assert.equal((await requestStops(portal, 3)).status, 429);
  now += 12 * 3_600_000;
  assert.equal((await requestStops(portal, 3)).status, 200);
});

test('a fault with `only` leaves other operations unchanged', async () => {
  await using portal = await start({ fault: 'retired', only: 'tago_busroute' });
  assert.deepEqual(await requestStops(portal), expectedAnswer);
  const { text } = await requestOperation(portal, operationOf('tago_busroute'), {
    cityCode: '31010',
  });
  assert.match(text, /"12"/);
});

test('a mix of faults affects the same requests in every run, about as many as its rate', async () => {
  await using portal = await start({ fault: 'mix', rate: 0.2 });
  const run = async (): Promise<(string | null)[]> => {
    portal.setFaults([{ fault: 'mix', rate: 0.2 }]);
    const from = portal.requests.length;
    for (let page = 1; page <= 150; page++) await requestStops(portal, page).catch(() => null);
    return portal.requests.slice(from).map(({ fault }) => fault);
  };
  const first = await run();
  assert.deepEqual(await run(), first);
  const injected = first.filter((fault) => fault !== null);
  assert.ok(injected.length > 12 && injected.length < 60, `${injected.length} of 150`);
  assert.ok(new Set(injected).size > 6);
});

test('a client that repeats each request gets the same records as without faults', async () => {
  await using faultless = await start();
  await using faulty = await start({ fault: 'mix', rate: 1 });
  const requestThrice = async (page: number): Promise<Answer> => {
    await requestStops(faulty, page).catch(() => null);
    await requestStops(faulty, page).catch(() => null);
    return requestStops(faulty, page);
  };
  for (let page = 1; page <= 5; page++)
    assert.deepEqual(await requestThrice(page), await requestStops(faultless, page));
});

test('settings that would do nothing are refused', async () => {
  await using portal = await start();
  assert.throws(() => portal.setFaults([{ fault: 'bom', rate: 2 }]), /rate/);
  assert.throws(() => portal.setFaults([{ fault: 'quota', fromPage: 0 }]), /Pages/);
  assert.throws(() => portal.setFaults([{ fault: 'nothing' as FaultName }]), /no fault/);
});

test('the table in the README has every fault, its duration and its summary', () => {
  const readme = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8');
  const written = [...readme.matchAll(/^\| `(\w+)` +\| (temporary|lasting) +\| (.+?) +\|$/gm)].map(
    ([, ...cells]) => cells,
  );
  const table = Object.entries(faultTable).map(([name, fault]) => [
    name,
    durationOf(fault),
    fault.summary,
  ]);
  assert.deepEqual(written, table);
});

test('a fault of later pages leaves page 1 unchanged', async () => {
  await using portal = await start({ fault: 'page_empty' });
  const { rows, total } = await requestPage(portal, 'tago_busstops', 1, 7);
  assert.ok(rows.length === 7 && total > 7);
});
