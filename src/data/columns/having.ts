import type { Value } from '../axis.ts';
import { matchingText } from '../korean/normalise.ts';
import {
  withoutNot,
  type CompareOperator,
  type Condition,
  type Comparison,
  type PlainCondition,
} from './condition.ts';
import { likeTest } from './like.ts';
import { compareTexts } from './typed-value.ts';

/** Returns the value of a group by the name of the aggregate. */
type ValueOf = (name: string) => Value;

/** Returns a test of groups by their aggregates. Numbers are compared as numbers, other values as texts. */
export function havingTest(condition: Condition): (valueOf: ValueOf) => boolean {
  const plain = withoutNot(condition);
  return (valueOf) => holds(plain, valueOf);
}

function holds(condition: PlainCondition, valueOf: ValueOf): boolean {
  switch (condition.kind) {
    case 'and':
      return condition.parts.every((part) => holds(part, valueOf));
    case 'or':
      return condition.parts.some((part) => holds(part, valueOf));
    default:
      return isSelected(condition, valueOf(condition.column));
  }
}

function isSelected(comparison: Comparison, value: Value): boolean {
  if (comparison.kind === 'null') return (value === null) !== comparison.isNegated;
  if (value === null) return false;
  switch (comparison.kind) {
    case 'compare':
      return isDifferenceFor(compare(value, comparison.value), comparison.operator);
    case 'between': {
      const isInside = compare(value, comparison.from) >= 0 && compare(value, comparison.to) <= 0;
      return isInside !== comparison.isNegated;
    }
    case 'in':
      return comparison.values.some((one) => compare(value, one) === 0) !== comparison.isNegated;
    default:
      return likeTest(comparison.pattern)(matchingText(String(value))) !== comparison.isNegated;
  }
}

function isDifferenceFor(difference: number, operator: CompareOperator): boolean {
  switch (operator) {
    case '=':
      return difference === 0;
    case '<>':
      return difference !== 0;
    case '<':
      return difference < 0;
    case '<=':
      return difference <= 0;
    case '>':
      return difference > 0;
    default:
      return difference >= 0;
  }
}

function compare(value: NonNullable<Value>, text: string): number {
  if (typeof value === 'number') return value - Number(text.replaceAll(',', ''));
  return compareTexts(matchingText(String(value)), matchingText(text));
}
