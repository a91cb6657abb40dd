import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { mendQuotes, parseRecord } from './json-record.ts';
import { JsonScanner } from './json-scan.ts';

function scan(
  pieces: readonly string[],
  hasRootRecords = false,
): { records: string[]; scalars: string[] } {
  const records: string[] = [];
  const scalars: string[] = [];
  const scanner = new JsonScanner(
    { hasRootRecords, recordUnitsMax: 100_000, depthMax: 20 },
    {
      record: (path, text) => records.push(`${path} ${text}`),
      scalar: (path, raw) => scalars.push(`${path} ${raw}`),
      secondRoot: () => undefined,
    },
  );
  for (const piece of pieces) scanner.write(piece);
  scanner.end();
  return { records, scalars };
}

const record = fc.dictionary(fc.string(), fc.oneof(fc.json(), fc.string(), fc.integer()), {
  noNullPrototype: true,
});

test('records are cut as JSON.parse sees them, wherever the text is cut', () => {
  fc.assert(
    fc.property(
      fc.array(record),
      fc.integer({ min: 1, max: 9 }),
      fc.constantFrom(undefined, 2),
      (expected, cut, indent) => {
        const text = JSON.stringify(
          { before: 'x', data: expected, after: [1, null] },
          null,
          indent,
        );
        const pieces = text.match(new RegExp(`[^]{1,${cut}}`, 'gu')) ?? [];
        const { records, scalars } = scan(pieces);
        assert.deepEqual(
          records.map((cutOut): unknown => JSON.parse(cutOut.replace(/^data /u, ''))),
          expected.map((one): unknown => JSON.parse(JSON.stringify(one))),
        );
        assert.deepEqual(scalars, ['before "x"', 'after 1', 'after null']);
      },
    ),
  );
});

test('each line with an object is a record', () => {
  const { records } = scan(['{"a":1}\n{"a', '":{"b":[2]}}\n\n{"a":3}'], true);
  assert.deepEqual(records, [' {"a":1}', ' {"a":{"b":[2]}}', ' {"a":3}']);
});

test('an object with unescaped quotes ends at its own brace', () => {
  const text = '{"records":[{"a":""2,4주 {월요일""},{"a":"5" 담장"},{"a":"x"}]}';
  for (let cut = 0; cut < text.length; cut++) {
    const { records } = scan([text.slice(0, cut), text.slice(cut)]);
    assert.equal(records.length, 3);
  }
});

test('mending does not change the value of valid JSON', () => {
  fc.assert(
    fc.property(record, (expected) => {
      const text = JSON.stringify(expected);
      // A string in quotes of its own is what mending is for.
      fc.pre(!/"\\"[^]*\\""/u.test(text));
      assert.deepEqual(JSON.parse(mendQuotes(text)), JSON.parse(text));
    }),
  );
});

test('unescaped quotes, line breaks and backslashes are mended', () => {
  const mended = parseRecord(
    '{"a":""2,4주"","b":"5" 담장","c":"두\n줄","d":"C:\\폴더","e":["x"y",1]}',
    null,
  );
  assert.deepEqual(mended?.members, {
    a: '2,4주',
    b: '5" 담장',
    c: '두\n줄',
    d: 'C:\\폴더',
    e: ['x"y', 1],
  });
  assert.equal(mended?.mended, 'quotes');
});

test('a record that cannot be mended is null', () => {
  assert.equal(parseRecord('{"a":oops}', null), null);
});

test('a text that ends inside a record or is nested too deeply is refused', () => {
  assert.throws(() => scan(['{"data":[{"a":1']), { code: 'truncated' });
  assert.throws(() => scan(['['.repeat(21)]), { code: 'not_a_table' });
  assert.equal(scan(['['.repeat(20) + ']'.repeat(20)]).records.length, 0);
});

test('a record longer than the bound is refused', () => {
  assert.throws(() => scan([`{"data":[{"a":"${'가'.repeat(100_000)}`, '"}]}']), {
    code: 'too_large',
  });
});
