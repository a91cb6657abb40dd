import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { parseExactly, spellingOf } from './json-exact.ts';
import { cellOf, parseRecord } from './json-record.ts';
import { readWhole, type WholeTable } from '../../../test/read-whole.ts';
import type { Finding } from '../../data/finding.ts';

async function read(json: string): Promise<{ table: WholeTable; findings: readonly Finding[] }> {
  using folder = temporaryFolder();
  const path = join(folder.path, 'answer.json');
  writeFileSync(path, json);
  const { tables, findings } = await readWhole(path);
  return { table: tables[0]!, findings };
}

test('a column with a number that JavaScript would respell keeps its numbers as digits', async () => {
  const { table } = await read(
    '[{"요율":2.50,"수":1,"큰":1e400,"영":-0,"작은":0.0000001},{"요율":3,"수":2,"큰":7,"영":1,"작은":1}]',
  );
  assert.deepEqual(table.rows, [
    ['2.50', 1, '1e400', '-0', '0.0000001'],
    ['3', 2, '7', '1', '1'],
  ]);
});

test('every number is read as it is written', () => {
  const digits = fc.stringMatching(/^\d{1,20}$/);
  const whole = fc.stringMatching(/^(?:0|[1-9]\d{0,19})$/);
  const exponent = fc.stringMatching(/^[eE][-+]?\d{1,3}$/);
  const number = fc
    .tuple(
      fc.constantFrom('', '-'),
      whole,
      fc.option(digits, { nil: null }),
      fc.option(exponent, { nil: '' }),
    )
    .map(
      ([sign, before, after, power]) =>
        `${sign}${before}${after === null ? '' : `.${after}`}${power}`,
    );
  fc.assert(
    fc.property(fc.array(number, { minLength: 1, maxLength: 4 }), (written) => {
      const text = `{${written.map((each, at) => `"m${at}": ${each}`).join(',')}}`;
      const { members } = parseRecord(text, written.length)!;
      assert.deepEqual(
        written.map((_, at) => cellOf(members[`m${at}`], true)),
        written,
      );
      const list = parseExactly(`[${written.join(',')}]`) as unknown[];
      assert.deepEqual(
        list.map((each) => spellingOf(each) ?? String(each)),
        written,
      );
    }),
    { numRuns: 500 },
  );
});

test('numbers inside a nested value stay as they are written', async () => {
  const { table } = await read('[{"점":[37.50],"면":{"번호":12345678901234567890}}]');
  assert.deepEqual(table.rows, [['[37.50]', '12345678901234567890']]);
});

test('a member that repeats a name gets a name of its own', async () => {
  const { table } = await read('[{"값":1,"값":2,"안":{"값":3,"값":4}},{"값":5}]');
  assert.deepEqual(table.columns, ['값', '값_2', '안.값', '안.값_2']);
  assert.deepEqual(table.rows, [
    [1, 2, 3, 4],
    [5, null, null, null],
  ]);
  assert.deepEqual(table.layout.renamedColumns, ['값_2']);
});

test('the new name of a repeated member is never one that exists', async () => {
  const several = await read(String.raw`[{"a":1,"a_2":2,"\u0061":3}]`);
  assert.deepEqual(several.table.columns, ['a', 'a_2', 'a_3']);
  assert.deepEqual(several.table.rows, [[1, 2, 3]]);
  const single = await read('{"a":"x","a":"y"}');
  assert.deepEqual(single.table.rows, [['x', 'y']]);
});

test('a text without a JSON record is refused with its row and the invalid word', async () => {
  await assert.rejects(read('[{"이름":None}]'), {
    code: 'damaged',
    message: /Record 1: None is not a JSON/,
  });
  await assert.rejects(read('[{"값":[1,oops]}]'), { code: 'damaged', message: /oops/ });
});

test('a record that is not JSON is reported with its row and the invalid word', async () => {
  const { table, findings } = await read('[{"값":1},{"값":None},{"값":3}]');
  assert.deepEqual(table.rows, [[1], [3]]);
  assert.deepEqual(findings, [
    { kind: 'row_unreadable', row: 2, detail: 'None is not a JSON value: {"값":None}' },
  ]);
});

test('NaN, names without quotes and a last comma are read and reported', async () => {
  const { table, findings } = await read(
    '[{"이름":"NaN, a:","값":NaN},{이름:"나루",값:-Infinity,"수":2.50,},{"이름":"다솜","값":1}]',
  );
  assert.deepEqual(table.columns, ['이름', '값', '수']);
  assert.deepEqual(table.rows, [
    ['NaN, a:', null, null],
    ['나루', null, '2.50'],
    ['다솜', 1, null],
  ]);
  assert.deepEqual(
    findings.map(({ kind, row }) => [kind, row]),
    [
      ['json_mended', 1],
      ['json_mended', 2],
    ],
  );
});

test('half a surrogate pair and NUL become U+FFFD, in names too, and are reported', async () => {
  const { table, findings } = await read(
    String.raw`[{"이\ud800름":"가\udc00나","값":"\u0000","웃":"\ud83d\ude00","\ud800":1,"\udc00":2}]`,
  );
  assert.deepEqual(table.columns, ['이\ufffd름', '값', '웃', '\ufffd', '\ufffd_2']);
  assert.deepEqual(table.rows, [['가\ufffd나', '\ufffd', '😀', 1, 2]]);
  assert.deepEqual(
    findings.map(({ kind, row }) => [kind, row]),
    [['character_unreadable', 1]],
  );
});

test('syllables whose parts are escaped are composed', async () => {
  const { table } = await read(String.raw`[{"\u1112\u1161\u11ab":"\u1100\u1161\\u1100\n"}]`);
  assert.deepEqual(table.columns, ['한']);
  assert.deepEqual(table.rows, [[String.raw`가\u1100`]]);
});

test('many repeated names are renamed in linear time', () => {
  const text = `{${'"a":1,'.repeat(100_000)}"b":2}`;
  const record = parseRecord(text, 100_001)!;
  assert.equal(Object.keys(record.members).length, 100_001);
});

test('members of objects in a record are columns of their own, lists and shapes stay texts', async () => {
  const { table } = await read(
    '[{"이름":"가","위치":{"주소":{"도로명":"서울로 1"},"좌표":[1,2]},"빈":{},"모양":{"type":"Point","coordinates":[127,37]}},' +
      '{"이름":"나","위치":{"주소":"없음"},"종류":[{"a":1}]}]',
  );
  assert.deepEqual(
    [table.columns, ...table.rows],
    [
      ['이름', '위치.주소.도로명', '위치.좌표', '빈', '모양', '위치.주소', '종류'],
      ['가', '서울로 1', '[1,2]', '{}', '{"type":"Point","coordinates":[127,37]}', null, null],
      ['나', null, null, null, null, '없음', '[{"a":1}]'],
    ],
  );
});

test('an object stays a text where its members would collide, or their names are values', async () => {
  const collided = await read('[{"a.b":1,"a":{"b":2}}]');
  assert.deepEqual(collided.table.rows, [[1, '{"b":2}']]);
  const days = Array.from({ length: 300 }, (_, day) => `{"id":${day},"수":{"${day}일":1}}`);
  const { table } = await read(`[${days.join(',')}]`);
  assert.deepEqual(table.columns, ['id', '수']);
  assert.deepEqual(table.rows.at(-1), [299, '{"299일":1}']);
});

test('HTML escapes in texts of JSON and XML become their characters, and are reported', async () => {
  const { table, findings } = await read(
    '[{"이름":"가&amp;나&#44;다","표":"[\\"&quot;\\"]"},{"이름":"R&D"}]',
  );
  assert.deepEqual(table.rows, [
    ['가&나,다', '["&quot;"]'],
    ['R&D', null],
  ]);
  assert.deepEqual(
    findings.map(({ kind, row }) => [kind, row]),
    [['escapes_removed', 1]],
  );
});

test('a record of a million letters, quotes or blanks that is not JSON is read in linear time', () => {
  for (const content of ['a'.repeat(1e6), `"${'\\"'.repeat(5e5)}`, `"${'가'.repeat(1e6)}`]) {
    assert.equal(parseRecord(`{${content}`, null), null);
  }
  assert.equal(parseRecord('{a: "b", c: NaN,}', null)!.mended, 'words');
});
