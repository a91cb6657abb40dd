import type { Value } from '../axis.ts';
import { matchingText } from '../korean/normalise.ts';
import { readNumber, type ValueFormat } from '../values/read-value.ts';
import {
  withoutNot,
  type CompareOperator,
  type Condition,
  type Comparison,
  type PlainCondition,
} from './condition.ts';
import { likeTest } from './like.ts';
import { compareTexts } from './typed-value.ts';
import { valueBounds } from './value-bounds.ts';

/** Returns the value of a group by the name of the aggregate. */
type ValueOf = (name: string) => Value;

/** Returns the format of an aggregate by its name. */
type FormatOf = (name: string) => ValueFormat;

/** Returns a test of groups by their aggregates. Values are read by the format of the aggregate, as those of `where`. */
export function havingTest(
  condition: Condition,
  formatOf: FormatOf,
): (valueOf: ValueOf) => boolean {
  const plain = withoutNot(condition);
  return (valueOf) => holds(plain, valueOf, formatOf);
}

function holds(condition: PlainCondition, valueOf: ValueOf, formatOf: FormatOf): boolean {
  switch (condition.kind) {
    case 'and':
      return condition.parts.every((part) => holds(part, valueOf, formatOf));
    case 'or':
      return condition.parts.some((part) => holds(part, valueOf, formatOf));
    default:
      return isSelected(condition, valueOf(condition.column), formatOf(condition.column));
  }
}

function isSelected(comparison: Comparison, value: Value, format: ValueFormat): boolean {
  if (comparison.kind === 'null') return (value === null) !== comparison.isNegated;
  if (value === null) return false;
  switch (comparison.kind) {
    case 'compare':
      return isDifferenceFor(compare(value, comparison.value, format), comparison.operator);
    case 'between': {
      const isInside =
        compare(value, comparison.from, format) >= 0 && compare(value, comparison.to, format) <= 0;
      return isInside !== comparison.isNegated;
    }
    case 'in':
      return (
        comparison.values.some((one) => compare(value, one, format) === 0) !== comparison.isNegated
      );
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

/** Sign of the difference to a value; a date equals each month and year that it is in. NaN if the value is unreadable. */
function compare(value: NonNullable<Value>, text: string, format: ValueFormat): number {
  if (format.type === 'string')
    return compareTexts(matchingText(String(value)), matchingText(text));
  const bounds = valueBounds(format, text);
  const number = typeof value === 'number' ? value : readNumber(format, String(value));
  if (bounds === null || number === null) return NaN;
  return number < bounds.first ? -1 : number > bounds.last ? 1 : 0;
}
