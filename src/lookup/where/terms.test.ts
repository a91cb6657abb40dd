import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyText } from '../../../test/any-text.ts';
import { Problem } from '../../kernel/problem.ts';
import { parseList, type ListItem } from './terms.ts';

const functions = ['count', 'sum', 'year'];

function read(text: string, isSort = false): ListItem[] {
  const sort = isSort ? { isSort: true as const } : {};
  return parseList(text, { parameter: 'select', itemsMax: 3, functions, ...sort });
}

for (const [given, names] of [
  ['주차장명,주차구획수', ['주차장명', '주차구획수']],
  [' 총공사금액(억원) , 주차장 이름', ['총공사금액(억원)', '주차장 이름']],
  ['"a, b","c""d"', ['a, b', 'c"d']],
  ['count,sum("a, b"), YEAR(총액(원))', ['count:', 'sum:a, b', 'year:총액(원)']],
  ['sum (x)', ['sum:x']],
  ['avg(x)', ['avg(x)']],
] as const) {
  test(`the list ${given} has the items ${names.join(' | ')}`, () => {
    const items = read(given).map(({ name, function: called }) =>
      called === null ? name.text : `${called}:${name.text}`,
    );
    assert.deepEqual(items, names);
  });
}

test('a sort term has its direction, and the place of its name', () => {
  const items = read('-가, +나,다', true);
  assert.deepEqual(
    items.map(({ isDescending, name }) => [name.text, name.position, isDescending]),
    [
      ['가', 1, true],
      ['나', 5, false],
      ['다', 7, false],
    ],
  );
});

test('a list with an empty item, an open quote or an item too many is refused at its place', () => {
  for (const [given, position] of [
    ['', 0],
    ['a,,b', 2],
    ['a,', 2],
    ['a,"b', 2],
    ['a,b,c,d', 6],
  ] as const) {
    assert.throws(
      () => read(given),
      (error) => {
        assert.ok(error instanceof Problem && error.code === 'invalid_parameter');
        assert.equal((error.errors[0] as { position?: number }).position, position, given);
        return true;
      },
    );
  }
});

test('any text is a list or is refused, in linear time', () => {
  fc.assert(fc.property(anyText({ maxLength: 40 }), attempt));
  for (const unit of ['(', '"', 'a(', ',', '""', '("']) {
    // In quadratic time this would not end.
    attempt(unit.repeat(500_000));
  }
});

test('a bracket without an end is read though its doubled quotes can be split in many ways', () => {
  for (const text of [`("${'"'.repeat(400)}`, `${'("'.repeat(200)}${'""'.repeat(400)}x`]) {
    attempt(text);
    attempt(`sum${text}`);
  }
});

function attempt(text: string): void {
  try {
    read(text, true);
  } catch (error) {
    assert.ok(error instanceof Problem, String(error));
  }
}
