/**
 * A condition on the records of an axis. Columns are names of fields or `_sido`, `_sigungu`, `_total`; values are as
 * the caller wrote them and are read by the type of their column.
 *
 * As in SQL, a comparison with a missing value is neither true nor false, so that the record is not selected.
 */
export type Condition =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Condition[] }
  | { readonly kind: 'not'; readonly part: Condition }
  | CompareCondition
  | {
      readonly kind: 'between';
      readonly column: string;
      readonly from: string;
      readonly to: string;
      readonly isNegated: boolean;
    }
  | {
      readonly kind: 'in';
      readonly column: string;
      readonly values: readonly string[];
      readonly isNegated: boolean;
    }
  | {
      readonly kind: 'like';
      readonly column: string;
      /** `%` stands for any text, `_` for one character; `\` escapes the next character. */
      readonly pattern: string;
      readonly isNegated: boolean;
    }
  | { readonly kind: 'null'; readonly column: string; readonly isNegated: boolean };

export interface CompareCondition {
  readonly kind: 'compare';
  readonly column: string;
  readonly operator: CompareOperator;
  readonly value: string;
}

export type CompareOperator = '=' | '<>' | '<' | '<=' | '>' | '>=';

/** A comparison of one column: the condition without `and`, `or` and `not`. */
export type Comparison = Exclude<Condition, { readonly kind: 'and' | 'or' | 'not' }>;

/** The condition without `not`: negations are moved into the comparisons. */
export type PlainCondition =
  { readonly kind: 'and' | 'or'; readonly parts: readonly PlainCondition[] } | Comparison;

export function withoutNot(condition: Condition, isNegated = false): PlainCondition {
  switch (condition.kind) {
    case 'not':
      return withoutNot(condition.part, !isNegated);
    case 'and':
    case 'or': {
      const kind = isNegated === (condition.kind === 'and') ? 'or' : 'and';
      return { kind, parts: condition.parts.map((part) => withoutNot(part, isNegated)) };
    }
    case 'compare':
      return isNegated ? { ...condition, operator: opposites[condition.operator] } : condition;
    default:
      return isNegated ? { ...condition, isNegated: !condition.isNegated } : condition;
  }
}

const opposites: Readonly<Record<CompareOperator, CompareOperator>> = {
  '=': '<>',
  '<>': '=',
  '<': '>=',
  '>=': '<',
  '>': '<=',
  '<=': '>',
};
