import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { axisDefinition } from '../operations/definitions.ts';
import { isFault } from '../../data/portal/fault.ts';
import { readAnswer } from './answer.ts';
import { unescapeHtml } from '../../ingest/files/html-escapes.ts';
import { portalLimits } from '../client/limits.ts';
import { listRowsOf, rowsOf } from './rows.ts';

const fixtures = join(import.meta.dirname, '../../../test/fixtures/portal');

function answerOf(file: string) {
  const answer = readAnswer(readFileSync(join(fixtures, file)), 200);
  assert.ok(!isFault(answer));
  return answer;
}

const busStops = axisDefinition('tago_busstops')!;

function recordsOf(...given: Parameters<typeof rowsOf>) {
  const { columns, rows, ...drift } = rowsOf(...given);
  const records = rows.map((cells) =>
    Object.fromEntries(columns.map((name, at) => [name, cells[at]])),
  );
  return { rows: records, drift };
}

test('a row has all fields of its axis in their order, even if the answer lacks some', () => {
  const { rows, drift } = recordsOf(answerOf('items-item.json'), busStops);
  assert.deepEqual(rows[0], {
    nodeid: 'MRB1001',
    nodenm: '느티나무앞',
    nodeno: '2300',
    gpslati: null,
    gpslong: null,
    citycode: null,
    cityname: null,
  });
  assert.deepEqual(
    Object.keys(rows[1]!),
    busStops.fields.map(({ name }) => name),
  );
  assert.deepEqual(drift, { unknownFields: [], missingFields: ['gpslati', 'gpslong'] });
});

test('stamps fill fields that the answer lacks, and no others', () => {
  const rows = [{ nodeid: 'A' }, { nodeid: 'B', cityname: '구미시', citycode: '' }];
  const stamped = recordsOf({ rows }, busStops, { citycode: '37050', cityname: '경상북도 구미시' });
  assert.deepEqual(
    stamped.rows.map(({ citycode, cityname }) => [citycode, cityname]),
    [
      ['37050', '경상북도 구미시'],
      ['37050', '구미시'],
    ],
  );
  assert.deepEqual(stamped.drift.missingFields, ['nodenm', 'nodeno', 'gpslati', 'gpslong']);
});

test('fields are recognised in any case, by former names and by Korean headings', () => {
  const election = recordsOf(answerOf('operation-root.json'), axisDefinition('nec_code')!);
  assert.deepEqual(election.drift, { unknownFields: [], missingFields: [] });
  assert.equal(election.rows[0]!['sgVotedate'], '20220601');

  const beds = axisDefinition('gen_emrrmrltmusefulsckbdinfoinqire')!;
  const bed = recordsOf({ rows: [{ HVS01: '4', dutyname: '마루병원', hvec: -1 }] }, beds);
  assert.deepEqual(bed.drift.unknownFields, []);
  assert.equal(bed.rows[0]!['hvs01'], '4');
  assert.equal(bed.rows[0]!['dutyName'], '마루병원');
  assert.equal(bed.rows[0]!['hvec'], '-1');

  const library = axisDefinition('std_library')!;
  const [former] = recordsOf(answerOf('standard.json'), library).rows;
  assert.equal(former!['ctprvnNm'], '강원특별자치도');
  assert.equal(former!['insttCode'], '4200000');
  assert.equal(former!['latitude'], null);
  const [headed] = recordsOf(
    { rows: [{ 도서관명: '마루도서관', '자료수(도서)': '10' }] },
    library,
  ).rows;
  assert.deepEqual([headed!['lbrryNm'], headed!['bookCo']], ['마루도서관', '10']);
});

test('if a row has two spellings of a field, the one with a value is used', () => {
  const library = axisDefinition('std_library')!;
  for (const raw of [
    { ctprvnNm: '', ctpvNm: '경기도' },
    { ctpvNm: '경기도', ctprvnNm: '' },
  ]) {
    assert.equal(recordsOf({ rows: [raw] }, library).rows[0]!['ctprvnNm'], '경기도');
  }
});

test('unknown fields are reported, and come last in every row', () => {
  const { rows, drift } = recordsOf(
    { rows: [{ nodeid: 'A' }, { nodeid: 'B', shelter: 'Y' }] },
    busStops,
  );
  assert.deepEqual(drift.unknownFields, ['shelter']);
  assert.deepEqual(
    rows.map(({ shelter }) => shelter),
    [null, 'Y'],
  );
  assert.equal(Object.keys(rows[0]!).at(-1), 'shelter');
});

function wideRow(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`new${at}`, '1']));
}

test('more unknown fields than the bound are refused', () => {
  const most = portalLimits.unknownFieldsMax;
  assert.equal(recordsOf({ rows: [wideRow(most)] }, busStops).drift.unknownFields.length, most);
  assert.throws(
    () => recordsOf({ rows: [wideRow(most + 1)] }, busStops),
    /tago_busstops has more than 200/,
  );
});

test('an unknown field with a longer name than the bound is refused', () => {
  const longest = 'x'.repeat(portalLimits.unknownFieldLengthMax);
  const { drift } = recordsOf({ rows: [{ [longest]: '1' }] }, busStops);
  assert.deepEqual(drift.unknownFields, [longest]);
  assert.throws(
    () => recordsOf({ rows: [{ [`${longest}x`]: '1' }] }, busStops),
    /tago_busstops has a field with a name of 201 characters/,
  );
});

test('a field called __proto__ changes no object', () => {
  const rows = [JSON.parse('{"nodeid":"A","__proto__":{"nodenm":"x"}}') as Record<string, unknown>];
  const [row] = recordsOf({ rows }, busStops).rows;
  assert.equal(row!['nodenm'], null);
  assert.deepEqual(listRowsOf({ rows }).columns, ['nodeid']);
});

test('a NUL is removed from a text', () => {
  const [row] = recordsOf({ rows: [{ nodenm: '시\0청', nodeid: '\0' }] }, busStops).rows;
  assert.deepEqual([row!['nodenm'], row!['nodeid']], ['시청', null]);
});

test('a blank value is null, blanks around a value go, and nested values become JSON', () => {
  const rows = [
    { nodeid: ' \u3000', nodenm: 'Y ', nodeno: { a: [1] }, gpslati: true, citycode: '' },
  ];
  const [row] = recordsOf({ rows }, busStops).rows;
  assert.deepEqual(Object.values(row!), [null, 'Y', '{"a":[1]}', 'true', null, null, null]);
});

test('the word None is a missing value on the airport axis, and text on all others', () => {
  const bus = axisDefinition('airport_bus')!;
  const rows = [{ busnumber: '6707A (T1)', cpname: 'None' }];
  assert.equal(recordsOf({ rows }, bus).rows[0]!['cpname'], null);
  assert.equal(recordsOf({ rows: [{ nodenm: 'None' }] }, busStops).rows[0]!['nodenm'], 'None');
});

test('text that is escaped twice is unescaped twice', () => {
  const [row] = recordsOf(answerOf('text-escaped-twice.xml'), axisDefinition('gen_period2')!).rows;
  assert.equal(row!['title'], "봄 <달빛> & 노래 '하나'");
});

test('white space and zero-width characters around a value are removed', () => {
  const rows = [{ nodenm: '\u3000서울 역\u00a0\u200b', nodeid: '\u00a0', nodeno: 'A&amp;B' }];
  const [row] = recordsOf({ rows }, busStops).rows;
  assert.deepEqual([row!['nodenm'], row!['nodeid'], row!['nodeno']], ['서울 역', null, 'A&B']);
});

test('unescapeHtml removes one layer of known escapes', () => {
  const cases = [
    ['&lt;b&gt;', '<b>'],
    ['&amp;lt;', '&lt;'],
    ['&#44032;&#xAC01;', '가각'],
    ['&#0;&#55296;&#1114112;', '&#0;&#55296;&#1114112;'],
    ['A&B; &unknown; R&D', 'A&B; &unknown; R&D'],
  ] as const;
  for (const [escaped, text] of cases) assert.equal(unescapeHtml(escaped), text);
});

test('a value has the same text from JSON numbers, JSON strings and XML', () => {
  const written = [
    '0430',
    '127.10',
    '-0',
    '1e5',
    '12345678901234567890',
    '36.123456789012345',
    '0.0000001',
  ];
  for (const text of written.filter((each) => !each.startsWith('0430'))) {
    const json = `{"response":{"header":{"resultCode":"00"},"body":{"items":{"item":[{"nodeno":${text}}]}}}}`;
    assert.equal(nodenoOf(json), text);
  }
  for (const text of written) {
    const quoted = `{"response":{"header":{"resultCode":"00"},"body":{"items":{"item":{"nodeno":"${text}"}}}}}`;
    const xml = `<response><header><resultCode>00</resultCode></header><body><items><item><nodeno>${text}</nodeno></item></items></body></response>`;
    assert.equal(nodenoOf(quoted), text);
    assert.equal(nodenoOf(xml), text);
  }
});

function nodenoOf(body: string) {
  const answer = readAnswer(Buffer.from(body), 200);
  assert.ok(!isFault(answer));
  return recordsOf(answer, busStops).rows[0]!['nodeno'];
}

test('an empty element and the word null are read as a missing value in JSON', () => {
  for (const text of ['{}', '[]', '"null"', '""', 'null']) {
    const json = `{"response":{"header":{"resultCode":"00"},"body":{"items":{"item":[{"nodeno":${text}}]}}}}`;
    assert.equal(nodenoOf(json), null, text);
  }
});

test('an object with the text of an XML element is read as that text', () => {
  const texts = ['{"#text":" 가람 "}', '{"@type":"string","#text":"가람"}', '{"$t":"가람"}'];
  for (const text of [...texts, '{"#text":null}', '{"#text":"가람","b":1}']) {
    const answer = readAnswer(
      Buffer.from(`{"header":{"resultCode":"00"},"body":{"items":[{"nodenm":${text}}]}}`),
      200,
    );
    assert.ok(!isFault(answer));
    const { rows } = recordsOf(answer, busStops);
    const expected = text.includes('"b"') ? text : text.includes('null') ? null : '가람';
    assert.equal(rows[0]?.['nodenm'], expected, text);
  }
});

test('rows of a list keep their own names', () => {
  const { columns, rows } = listRowsOf({ rows: [{ citycode: 25, cityname: '' }, { other: 1 }] });
  assert.deepEqual(columns, ['citycode', 'cityname', 'other']);
  assert.deepEqual(rows, [
    ['25', null, null],
    [null, null, '1'],
  ]);
});
