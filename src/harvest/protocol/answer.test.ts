import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { isFault } from '../../data/portal/fault.ts';
import { readAnswer, type PortalAnswer } from './answer.ts';
import type { Fault } from '../../data/portal/fault.ts';
import { realData, realDataTest } from '../../../test/long-form.ts';
import { anyText } from '../../../test/any-text.ts';

const fixtures = join(import.meta.dirname, '../../../test/fixtures/portal');

function read(file: string, status = 200, folder = fixtures): PortalAnswer | Fault {
  return readAnswer(readFileSync(join(folder, file)), status);
}

function readRows(file: string, folder = fixtures): PortalAnswer {
  const answer = read(file, 200, folder);
  assert.ok(!isFault(answer), `${file}: ${JSON.stringify(answer)}`);
  return answer;
}

function faultIn(file: string, status = 200, folder = fixtures): string {
  const fault = read(file, status, folder);
  assert.ok(isFault(fault), file);
  return `${fault.class} ${fault.code}`;
}

function outcomeOf(text: string, status = 200): string {
  const fault = readAnswer(Buffer.from(text), status);
  return isFault(fault) ? `${fault.class} ${fault.code}` : `${fault.rows.length} rows`;
}

test('a repeated name of a JSON record becomes a field of its own, also if it has escapes', () => {
  const row =
    '{"nm":"가 \\"nm\\":","addr":"가람로 1","addr":"나루로 2","a\\u0064dr":null,"addr_2":1}';
  const text = `{"response":{"header":{"resultCode":"00"},"body":{"items":{"item":[${row}]},"totalCount":1}}}`;
  const answer = readAnswer(Buffer.from(text), 200);
  assert.ok(!isFault(answer));
  const [record] = answer.rows;
  assert.deepEqual(record, {
    nm: '가 "nm":',
    addr: '가람로 1',
    addr_3: '나루로 2',
    addr_4: null,
    addr_2: 1,
  });
});

function withItems(items: unknown): string {
  const body = { items, totalCount: 2 };
  return JSON.stringify({ response: { header: { resultCode: '00' }, body } });
}

test('rows are found in JSONP, in a list of one answer, in wrappers and under numeric names', () => {
  const row = { a: '1' };
  const plain = withItems({ item: [row, row] });
  for (const text of [
    `callback(${plain});`,
    `[${plain}]`,
    withItems([{ item: row }, { item: row }]),
    withItems({ 0: row, 2: row }),
    withItems({ item: [row, {}, row, null] }),
  ]) {
    const answer = readAnswer(Buffer.from(text), 200);
    assert.ok(!isFault(answer), text);
    assert.deepEqual(answer.rows, [row, row], text);
  }
  assert.equal(outcomeOf(withItems({})), '0 rows');
});

test('a list that is written as a JSON string inside the answer is read, in linear time', () => {
  const rows = Array.from({ length: 5000 }, (_, at) => ({ nm: `가람 "${at}"`, size: '1.50' }));
  const answer = readAnswer(
    Buffer.from(
      JSON.stringify({
        response: {
          header: { resultCode: '00' },
          body: { items: JSON.stringify({ item: rows }), totalCount: rows.length },
        },
      }),
    ),
    200,
  );
  assert.ok(!isFault(answer));
  assert.deepEqual(answer.rows, rows);
});

test('an undocumented result code means success with rows, and a fault without', () => {
  for (const code of ['SUCCESS', '200', null]) {
    assert.equal(outcomeWith(code, [{ a: '1' }]), '1 rows');
    assert.match(outcomeWith(code, []), /^retry /);
  }
  assert.equal(outcomeWith('30', [{ a: '1' }]), 'service 30');
  assert.match(outcomeWith('E7', [{ a: '1' }], 'DB_ERROR'), /^retry 02/);
});

test('JSON that is followed by the comment of a proxy is read, and cut JSON is not', () => {
  const json =
    '{"response":{"header":{"resultCode":"00"},"body":{"items":[{"a":"x}<!-- y -->"}]}}}';
  assert.equal(outcomeOf(`${json}\n<!-- was02 12ms -->\n`), '1 rows');
  assert.equal(outcomeOf(`${json.slice(0, -2)}<!-- was02 -->`), 'retry json_broken');
});

test('the fault of a binary body has the words “binary data” instead of a quotation', () => {
  const fault = readAnswer(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0xfe, 0, 1]), 200);
  assert.ok(isFault(fault) && fault.message.includes('“binary data”'), JSON.stringify(fault));
});

function outcomeWith(resultCode: unknown, item: unknown, resultMsg = 'OK'): string {
  const response = { header: { resultCode, resultMsg }, body: { items: { item } } };
  return outcomeOf(JSON.stringify({ response }));
}

test('rows are found in every envelope', () => {
  const rowsAndTotals = [
    ['items-item.json', 2, 2],
    ['items-item.xml', 2, 2],
    ['items-array.json', 2, 2],
    ['body-data.json', 2, 2],
    ['no-response-wrapper.json', 1, 1],
    ['operation-root.json', 1, null],
    ['head-row.json', 2, 2],
    ['head-row.xml', 2, 2],
    ['odcloud.json', 1, 1],
    ['odcloud.xml', 1, 1],
    ['standard.json', 1, 1],
  ] as const;
  for (const [file, rows, total] of rowsAndTotals) {
    const answer = readRows(file);
    assert.deepEqual([answer.rows.length, answer.total], [rows, total], file);
  }
});

test('a single row that is an object is read as one row', () => {
  for (const file of ['one-item.json', 'one-item.xml']) {
    const { rows, total } = readRows(file);
    assert.equal(rows[0]!['nodenm'], '느티나무앞', file);
    assert.deepEqual([rows.length, total], [1, 1]);
  }
});

test('an answer without rows is not a fault, in any of its forms', () => {
  const files = ['items-empty-string.json', 'items-empty.xml', 'items-missing.json'];
  for (const file of [...files, 'body-missing.json', 'no-data-03.json', 'bare-result.json']) {
    const { rows, total } = readRows(file);
    assert.deepEqual([rows.length, total], [0, 0], file);
  }
  const empty = '<response><header><resultCode>03</resultCode><resultMsg>x</resultMsg></header>';
  assert.equal(
    outcomeOf(`${empty}<body><items><item><a>1</a></item></items></body></response>`),
    '0 rows',
  );
});

function textsOf(file: string): string[][] {
  return readRows(file).rows.map((row) =>
    Object.entries(row).map(([name, value]) => `${name}=${String(value)}`),
  );
}

test('XML and JSON of one answer have the same names and, as text, the same values', () => {
  for (const name of ['items-item', 'head-row', 'odcloud']) {
    assert.deepEqual(textsOf(`${name}.xml`), textsOf(`${name}.json`));
  }
});

test('numbers beyond 2^53 keep their digits, and strings stay strings', () => {
  const items = '{"a":12345678901234567890,"b":"0430","c":2300,"d":9007199254740991,"e":1e400}';
  const answer = readAnswer(
    Buffer.from(`{"header":{"resultCode":"00"},"body":{"items":[${items}],"totalCount":1}}`),
    200,
  );
  assert.ok(!isFault(answer));
  assert.deepEqual(answer.rows[0], {
    a: '12345678901234567890',
    b: '0430',
    c: 2300,
    d: 9_007_199_254_740_991,
    e: '1e400',
  });
});

test('an unescaped ampersand stays, and text between elements is ignored', () => {
  assert.equal(
    readRows('ampersand-in-address.xml').rows[0]!['url'],
    'https://example.test/view?no=1&id=2',
  );
  assert.deepEqual(Object.keys(readRows('items-item.xml').rows[0]!), [
    'nodeid',
    'nodenm',
    'nodeno',
  ]);
});

test('a fault is read from the body, whatever the status', () => {
  const faults = [
    ['gateway-30.xml', 'service 30'],
    ['gateway-30-korean.xml', 'service 30'],
    ['gateway-30.json', 'service 30'],
    ['gateway-22.xml', 'quota 22'],
    ['gateway-nameless-code.xml', 'retry 23'],
    ['header-only-99.json', 'retry 99'],
    ['kto-22.json', 'quota 22'],
    ['flat-10.json', 'request 10'],
    ['kma-10.json', 'request 10'],
    ['odcloud-4.json', 'service odcloud_-4'],
    ['odcloud-10.json', 'quota odcloud_-10'],
    ['maintenance.html', 'retry html'],
  ] as const;
  for (const [file, fault] of faults) {
    for (const status of [200, 403, 500]) assert.equal(faultIn(file, status), fault, file);
  }
});

function outcomeOfCode(code: string): string {
  return outcomeOf(JSON.stringify({ response: { header: { resultCode: code, resultMsg: 'x' } } }));
}

test('every documented code has its class', () => {
  const classes: Readonly<Record<string, string>> = {
    retry: '01 02 04 05 21 23 99 ERROR-500 ERROR-600',
    quota: '22 ERROR-337',
    request: '10 11 12 ERROR-300 ERROR-310',
    service: '20 29 30 31 32 33 INFO-100 ERROR-290',
  };
  for (const [faultClass, codes] of Object.entries(classes)) {
    for (const code of codes.split(' ')) assert.equal(outcomeOfCode(code), `${faultClass} ${code}`);
  }
  for (const code of ['00', '0', '000', '0000', 'INFO-00', 'INFO-0', 'INFO-000', 'NORMAL_CODE']) {
    assert.equal(outcomeOfCode(code), '0 rows', code);
  }
  for (const code of ['3', '03', 'NODATA_ERROR', 'INFO-03', 'INFO-200', 'ERROR-03']) {
    assert.equal(outcomeOfCode(code), '0 rows', code);
  }
  assert.equal(outcomeOfCode('0010'), 'request 10');
  assert.equal(outcomeOfCode('77'), 'retry 77');
  assert.equal(outcomeOfCode('SERVICE_ACCESS_DENIED_ERROR'), 'service 20');
});

test('a gateway envelope can report that there are no records', () => {
  const header = { errMsg: 'NODATA_ERROR', returnAuthMsg: '데이터없음', returnReasonCode: '03' };
  const body = JSON.stringify({ OpenAPI_ServiceResponse: { cmmMsgHeader: header } });
  assert.equal(outcomeOf(body, 200), '0 rows');
  assert.equal(outcomeOf(body, 403), 'service http_403');
});

test('a refusal of the weather agency’s hub is classified by the status in its body', () => {
  assert.equal(outcomeOf('{"result":{"status":403,"message":"x"}}', 200), 'service http_403');
  assert.equal(outcomeOf('{"result":{"status":403,"message":"x"}}', 403), 'service http_403');
  assert.equal(outcomeOf('{"result":{"status":500,"message":"x"}}', 200), 'retry http_500');
  assert.equal(outcomeOf('{"result":{"status":200,"message":"x"}}', 200), 'retry unknown_envelope');
});

test('a known text of the gateway decides the fault; for other texts the status does', () => {
  assert.equal(outcomeOf('Unauthorized\n', 401), 'service unauthorized');
  assert.equal(outcomeOf('Forbidden', 403), 'service forbidden');
  assert.equal(outcomeOf('API not found', 404), 'request api_not_found');
  assert.equal(outcomeOf('API rate limit exceeded', 429), 'retry rate_limit');
  assert.equal(outcomeOf('API token quota exceeded', 429), 'quota token_quota');
  assert.equal(outcomeOf('Error forwarding request to backend server', 502), 'retry forwarding');
  assert.equal(outcomeOf('Error receiving response from backend server', 504), 'retry receiving');
  assert.equal(outcomeOf('Unexpected errors', 500), 'retry unexpected');
  assert.equal(outcomeOf('something else', 503), 'retry http_503');
  assert.equal(outcomeOf('something else', 404), 'request http_404');
  assert.equal(outcomeOf('something else'), 'retry not_data');
  assert.equal(outcomeOf('', 429), 'retry http_429');
  assert.equal(outcomeOf('', 403), 'service http_403');
  assert.equal(outcomeOf(' \n'), 'retry empty_body');
});

test('a cut body and an unknown envelope are temporary faults', () => {
  assert.equal(faultIn('truncated-json.txt'), 'retry json_broken');
  assert.equal(faultIn('truncated-xml.txt'), 'retry xml_broken');
  assert.equal(outcomeOf('{}'), 'retry unknown_envelope');
  assert.equal(outcomeOf('[]'), 'retry unknown_envelope');
  assert.equal(outcomeOf('<?xml version="1.0"?>'), 'retry unknown_envelope');
  assert.equal(outcomeOf('{"response":{}}', 500), 'retry http_500');
});

test('a valid envelope with an error status is a fault', () => {
  assert.equal(faultIn('items-item.json', 502), 'retry http_502');
});

function nested(depth: number): string {
  return `${'<a>'.repeat(depth)}${'</a>'.repeat(depth)}`;
}

test('entities do not expand, and elements nest up to a bound', () => {
  const bomb = '<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>';
  const item = `<items><item><t>&b;</t></item></items>`;
  const header = '<header><resultCode>00</resultCode></header>';
  const answer = readAnswer(
    Buffer.from(`${bomb}<response>${header}<body>${item}</body></response>`),
    200,
  );
  assert.ok(!isFault(answer));
  assert.equal(answer.rows[0]!['t'], '&b;');
  assert.equal(outcomeOf(nested(32)), 'retry unknown_envelope');
  assert.equal(outcomeOf(nested(33)), 'retry xml_broken');
});

test('a body in CP949 is read as such, and damaged UTF-8 stays UTF-8', () => {
  const text = '{"header":{"resultCode":"00"},"body":{"items":[{"nodenm":"쀍약국 앞 느티나무"}]}}';
  const cp949 = readAnswer(iconv.encode(text, 'cp949'), 200);
  assert.ok(!isFault(cp949));
  assert.equal(cp949.rows[0]!['nodenm'], '쀍약국 앞 느티나무');
  const damaged = Buffer.from(text);
  damaged[damaged.indexOf('느')] = 0xff;
  const utf8 = readAnswer(damaged, 200);
  assert.ok(!isFault(utf8));
  assert.match(String(utf8.rows[0]!['nodenm']), /^쀍약국 앞 \uFFFD+티나무$/);
});

test('an empty body means no records with status 204, and a fault with any other status', () => {
  assert.equal(outcomeOf('', 204), '0 rows');
  assert.equal(outcomeOf('', 200), 'retry empty_body');
});

test('JSON with missing escapes is mended on request; cut JSON never is', () => {
  const items = String.raw`{"a":"한"글"","b":"C:\길","c":"줄` + '\n\t바꿈"}';
  const text = `{"header":{"resultCode":"00"},"body":{"items":[${items}],"totalCount":1}}`;
  assert.equal(outcomeOf(text), 'retry json_broken');
  const mended = readAnswer(Buffer.from(text), 200, true);
  assert.ok(!isFault(mended) && mended.isMended);
  assert.deepEqual(mended.rows, [{ a: '한"글"', b: String.raw`C:\길`, c: '줄\n\t바꿈' }]);
  for (let cut = 1; cut < text.length; cut++) {
    assert.ok(isFault(readAnswer(Buffer.from(text.slice(0, cut)), 200, true)), text.slice(0, cut));
  }
});

test('JSON with NaN or Infinity is mended on request', () => {
  const items = '{"lat":NaN,"lon":-Infinity,"nm":"NaN: 가람",}';
  const text = `{"header":{"resultCode":"00"},"body":{"items":[${items}],"totalCount":1}}`;
  assert.equal(outcomeOf(text), 'retry json_broken');
  const mended = readAnswer(Buffer.from(text), 200, true);
  assert.ok(!isFault(mended) && mended.isMended);
  assert.deepEqual(mended.rows, [{ lat: null, lon: null, nm: 'NaN: 가람' }]);
});

test('arbitrary bytes are read without an exception', () => {
  const fragments = fc.constantFrom(
    ...'{ } [ ] " : , <a> </a> <header> <response> & ; 00 null "items" "body" "response" <![CDATA['.split(
      ' ',
    ),
  );
  const texts = fc.array(fc.oneof(fragments, anyText()), { maxLength: 12 });
  fc.assert(
    fc.property(texts, fc.integer({ min: 100, max: 599 }), (parts, status) => {
      readAnswer(Buffer.from(parts.join('')), status, true);
    }),
  );
});

function recordedRows(file: string): number {
  return readRows(file, realData).rows.length;
}

function rowsIn(text: string): unknown {
  const answer = readAnswer(Buffer.from(text), 200);
  return isFault(answer) ? answer.code : JSON.stringify([answer.rows, answer.total]);
}

test('answers of SOAP and .NET, records in attributes and totals with commas are read', () => {
  const expected = JSON.stringify([[{ a: '1' }], 3012]);
  const plain = answerOf('<item><a>1</a></item>');
  assert.deepEqual(rowsIn(plain), expected);
  assert.deepEqual(rowsIn(answerOf('<item a="1"/>')), expected);
  assert.deepEqual(
    rowsIn(`<s:Envelope xmlns:s="x"><s:Body>${plain}</s:Body></s:Envelope>`),
    expected,
  );
  const escaped = plain.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  assert.deepEqual(rowsIn(`<string xmlns="x">${escaped}</string>`), expected);
  assert.equal(rowsIn(`<string>${escaped.slice(0, -20)}</string>`), 'unknown_envelope');
});

function answerOf(items: string): string {
  return `<response><header><resultCode>00</resultCode></header><body><items>${items}</items><totalCount>3,012</totalCount></body></response>`;
}

realDataTest('recorded answers of the portal are read as expected', () => {
  assert.equal(recordedRows('api-tago/tago_arrivals_gumi.json'), 3);
  assert.equal(recordedRows('api-kma/kma_mid_land_0600.json'), 1);
  assert.equal(recordedRows('api-gildongmu/air-measure.json'), 1);
  assert.equal(recordedRows('api-kto/kto_ldongCode2_sido_2026.json'), 16);
  assert.equal(recordedRows('api-errors/tourapi_empty_items_string.json'), 0);
  for (const file of readdirSync(join(realData, 'api-kasi'))) {
    assert.ok(recordedRows(`api-kasi/${file}`) > 0, file);
  }
  const faults = [
    ['err_403_key_not_registered_2026.xml', 'service 30'],
    ['err_classic_key_not_registered_30.xml', 'service 30'],
    ['err_classic_limit_exceeded_22.xml', 'quota 22'],
    ['err_plain_unauthorized.txt', 'service unauthorized'],
    ['err_tago_99_unknown.json', 'retry 99'],
    ['err_tourapi_22.json', 'quota 22'],
  ] as const;
  for (const [file, fault] of faults) {
    assert.equal(faultIn(`api-errors/${file}`, 200, realData), fault, file);
  }
});
