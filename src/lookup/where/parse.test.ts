import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../../test/any-text.ts';
import { Problem } from '../../kernel/problem.ts';
import { comparisonsMax, depthMax, parseWhere } from './parse.ts';
import { printWhere } from './print.ts';
import { relationOperators, type Expression } from './syntax.ts';

const names = ['주차구획수', '주차장구분', '운영요일', '총공사금액(억원)', '주차장 이름'];

for (const [given, printed] of [
  ['주차구획수 > 100', '주차구획수 > 100'],
  ['주차구획수>=15,293', "주차구획수 >= '15,293'"],
  ['a = 1 and b = 2 or not c = 3', 'a = 1 and b = 2 or not c = 3'],
  ['(a = 1 OR b = 2) AND c = 3', '(a = 1 or b = 2) and c = 3'],
  [
    '주차장구분 = 공영 and "운영요일" like \'%공휴일%\'',
    '주차장구분 = 공영 and 운영요일 like %공휴일%',
  ],
  ["이름 = 'O''Brien'", "이름 = 'O''Brien'"],
  ["이름 = it's", "이름 = 'it''s'"],
  ['"총공사금액(억원)" != 3', '"총공사금액(억원)" <> 3'],
  ['"a""b" == x', '"a""b" = x'],
  ['a in (1, 2,3)', 'a in (1, 2, 3)'],
  ["a not in ('15,293')", "a not in ('15,293')"],
  ['a not between 2024-06 and 2024-08', 'a not between 2024-06 and 2024-08'],
  ["a >= DATE('2024-06-01')", 'a >= 2024-06-01'],
  ['a is null and b is not null', 'a is null and b is not null'],
  ["a = ''", "a = ''"],
  ["a = 'null'", "a = 'null'"],
  ['a = -5', 'a = -5'],
] as const) {
  test(`the condition ${given} is read as ${printed}`, () => {
    assert.equal(printWhere(parsed(given)), printed);
  });
}

for (const [given, position, expected, suggestion] of [
  ['', 0, 'field', undefined],
  ['주차구획수', 5, '=', undefined],
  ['주차구획수 >', 7, 'value', undefined],
  ['주차구획수 =< 5', 7, 'value', undefined],
  ['주차장 이름 = 강남', 4, '=', '"주차장 이름"'],
  ['총공사금액(억원) > 3', 5, '=', '"총공사금액(억원)"'],
  ['a = 강남 공영 주차장 and b = 1', 7, 'and', "'강남 공영 주차장'"],
  ['a = 강남(점)', 6, 'and', "'강남(점)'"],
  ['a = "공영"', 4, 'value', "'공영'"],
  ['a = null', 4, 'value', 'is null'],
  ["a = '공영", 4, "'", undefined],
  ['(a = 1', 6, ')', undefined],
  ['a = 1)', 5, 'end', undefined],
  ['a in 1', 5, '(', undefined],
  ['a in (1 2)', 8, ',', "'1 2'"],
  ['a between 1 or 2', 12, 'and', undefined],
  ['and = 1', 0, 'field', '"and"'],
  ['😀 = ', 5, 'value', undefined],
] as const) {
  test(`the condition ${given} is refused at ${position}`, () => {
    const { errors } = refusalOf(given);
    const error = errors[0] as unknown as {
      position: number;
      expected: string[];
      suggestions: string[];
    };
    assert.equal(error.position, position);
    assert.ok(error.expected.includes(expected), String(error.expected));
    assert.equal(error.suggestions[0], suggestion);
  });
}

test('a condition has up to 16 comparisons and 16 nested brackets, and not one more', () => {
  parsed(many(comparisonsMax));
  parsed(deep(depthMax));
  for (const text of [
    many(comparisonsMax + 1),
    deep(depthMax + 1),
    'not '.repeat(depthMax + 1) + 'a = 1',
  ]) {
    assert.match(refusalOf(text).message, /16/);
  }
});

function many(count: number): string {
  return Array.from({ length: count }, () => 'a = 1').join(' or ');
}

function deep(depth: number): string {
  return `${'('.repeat(depth)}a = 1${')'.repeat(depth)}`;
}

test('a printed condition is read as the same condition', () => {
  fc.assert(
    fc.property(anyExpression, (expression) => {
      assert.deepEqual(
        withoutPositions(parsed(printWhere(expression))),
        withoutPositions(expression),
      );
    }),
    { numRuns: 400 },
  );
});

test('any text is a condition or is refused with its place in the text', () => {
  const pieces = fc.constantFrom(
    ...`a|(|)|,|'|"|=|<|>|!| |and|not|in|is|null|between|like|1|''|""|date|%|\\|강`.split('|'),
  );
  const anyCondition = fc.oneof(
    anyText({ maxLength: 60 }),
    fc.array(pieces, { maxLength: 24 }).map((parts) => parts.join('')),
    fc.array(pieces, { maxLength: 24 }).map((parts) => parts.join(' ')),
  );
  fc.assert(
    fc.property(anyCondition, (text) => {
      try {
        parsed(text);
      } catch (error) {
        assert.ok(error instanceof Problem && error.code === 'invalid_where', String(error));
        const { position } = error.errors[0] as unknown as { position: number };
        assert.ok(position >= 0 && position <= text.length);
      }
    }),
    { numRuns: 1_000 },
  );
});

test('reading takes time linear in the length of the condition', () => {
  const units = ["a = '", 'a"', "''", '((', 'not ', 'a in (', '강 ', ' ', 'date(', '"a'];
  for (const unit of units) {
    // In quadratic time this would not end.
    const text = unit.repeat(1_000_000 / unit.length);
    assert.throws(() => parsed(text), Problem, unit);
  }
});

test('a function without an end is refused though its doubled quotes can be split in many ways', () => {
  const text = `sum("${'"'.repeat(400)} > 1`;
  assert.throws(
    () => parseWhere(text, { parameter: 'having', names, functions: ['sum'] }),
    Problem,
  );
});

function parsed(text: string): Expression {
  return parseWhere(text, { parameter: 'where', names });
}

function refusalOf(text: string): Problem {
  let refusal: unknown = null;
  try {
    parsed(text);
  } catch (error) {
    refusal = error;
  }
  assert.ok(refusal instanceof Problem, `${text} is not refused.`);
  return refusal;
}

const anyWord = fc
  .oneof(
    anyText({ minLength: 1, maxLength: 6 }),
    fc.constantFrom('null', 'and', '15,293', '%', '주차 구획'),
  )
  .map((text) => ({ text, position: 0 }));
const anyComparison = fc.oneof(
  fc.record({
    kind: fc.constant('compare' as const),
    name: anyWord,
    operator: fc.constantFrom(...relationOperators),
    value: anyWord,
  }),
  fc.record({
    kind: fc.constant('between' as const),
    name: anyWord,
    from: anyWord,
    to: anyWord,
    isNegated: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('in' as const),
    name: anyWord,
    values: fc.array(anyWord, { minLength: 1, maxLength: 4 }),
    isNegated: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('like' as const),
    name: anyWord,
    pattern: anyWord,
    isNegated: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('null' as const), name: anyWord, isNegated: fc.boolean() }),
);
const { anyExpression } = fc.letrec<{ anyExpression: Expression }>((tie) => ({
  anyExpression: fc.oneof(
    { maxDepth: 2, depthIdentifier: 'where' },
    anyComparison,
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      parts: fc.array(tie('anyExpression'), { minLength: 2, maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant('not' as const), part: tie('anyExpression') }),
  ),
}));

function withoutPositions(expression: Expression): unknown {
  return JSON.parse(
    JSON.stringify(expression, (key, value: unknown) => (key === 'position' ? undefined : value)),
  );
}
