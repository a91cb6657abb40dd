import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../../test/any-text.ts';
import { formComparisons } from '../../contract/pages.ts';
import { parseWhere } from '../../lookup/where/parse.ts';
import { printWhere } from '../../lookup/where/print.ts';
import { expressionOf, needsValue, simpleConditionOf } from './simple-condition.ts';

test('a simple condition that is written and read again is the same, whatever its texts', () => {
  const text = anyText({ minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(text, fc.constantFrom(...formComparisons), text, (column, kind, value) => {
      const given = { column, test: kind, value: needsValue(kind) ? value : '' };
      const where = printWhere(expressionOf(given));
      const read = parseWhere(where, { parameter: 'where', names: [] });
      assert.deepEqual(simpleConditionOf(read), given);
    }),
  );
});

test('a condition with more than a single plain test is not a simple condition', () => {
  for (const where of [
    'a = 1 or b = 2',
    'not a = 1',
    'a in (1, 2)',
    'a between 1 and 2',
    "a like '%b%c%'",
    "a like '_b%'",
    "a like '%b'",
    "a not like 'b%'",
  ]) {
    assert.equal(simpleConditionOf(parseWhere(where, { parameter: 'where', names: [] })), null);
  }
});
