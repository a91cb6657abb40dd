import type { formComparisons } from '../../contract/pages.ts';
import type { Expression, Word } from '../../lookup/where/syntax.ts';

/** A test of one field that a form can express without the language of conditions. */
interface SimpleCondition {
  readonly column: string;
  readonly test: SimpleTest;
  /** Empty for the tests that compare with nothing. */
  readonly value: string;
}

type SimpleTest = (typeof formComparisons)[number];

/** True for the tests that compare with a value. */
export function needsValue(test: SimpleTest): boolean {
  return test !== 'empty' && test !== 'filled';
}

/** The condition in the language of `where`. */
export function expressionOf({ column, test, value }: SimpleCondition): Expression {
  const name = wordOf(column);
  if (test === 'empty' || test === 'filled') {
    return { kind: 'null', name, isNegated: test === 'filled' };
  }
  if (test === 'contains' || test === 'begins') {
    const plain = value.replaceAll(/[\\%_]/g, String.raw`\$&`);
    const pattern = wordOf(test === 'begins' ? `${plain}%` : `%${plain}%`);
    return { kind: 'like', name, pattern, isNegated: false };
  }
  return { kind: 'compare', name, operator: operators[test], value: wordOf(value) };
}

function wordOf(text: string): Word {
  return { text, position: 0 };
}

/** The simple condition that an expression is; null for one beyond it. */
export function simpleConditionOf(expression: Expression): SimpleCondition | null {
  switch (expression.kind) {
    case 'null': {
      const test = expression.isNegated ? 'filled' : 'empty';
      return { column: expression.name.text, test, value: '' };
    }
    case 'like': {
      const found = /^(%?)((?:[^%_\\]|\\.)+)%$/su.exec(expression.pattern.text);
      if (found === null || expression.isNegated) return null;
      const value = found[2]!.replaceAll(/\\(.)/gsu, '$1');
      return { column: expression.name.text, test: found[1] === '' ? 'begins' : 'contains', value };
    }
    case 'compare': {
      const test = compared.find((one) => operators[one] === expression.operator);
      if (test === undefined) return null;
      return { column: expression.name.text, test, value: expression.value.text };
    }
    default:
      return null;
  }
}

const operators = { is: '=', not: '<>', from: '>=', above: '>', to: '<=', below: '<' } as const;
const compared = ['is', 'not', 'from', 'above', 'to', 'below'] as const;
