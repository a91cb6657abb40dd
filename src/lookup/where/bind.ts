import type { FieldType } from '../../data/axis.ts';
import type { Condition } from '../../data/columns/condition.ts';
import { valueBounds } from '../../data/columns/value-bounds.ts';
import type { ColumnFinder, NamedColumn } from './columns.ts';
import { whereProblem } from './refusal.ts';
import { regionCodes } from './region-values.ts';
import type { Comparison, Expression, Relation, Word } from './syntax.ts';

/** Resolves the names and checks the values of a condition. Throws 400 with the place of a fault. */
export function bindWhere(
  expression: Expression,
  columns: ColumnFinder,
  parameter = 'where',
): Condition {
  return new Binder(columns, parameter).bind(expression);
}

class Binder {
  readonly #columns: ColumnFinder;
  readonly #parameter: string;

  constructor(columns: ColumnFinder, parameter: string) {
    this.#columns = columns;
    this.#parameter = parameter;
  }

  bind(expression: Expression): Condition {
    if (expression.kind === 'not') return { kind: 'not', part: this.bind(expression.part) };
    if (!('parts' in expression)) return this.#comparison(expression);
    const { kind, parts } = expression;
    return { kind, parts: parts.map((part) => this.bind(part)) };
  }

  #comparison(comparison: Comparison): Condition {
    const column = this.#columns.find(comparison.name, this.#parameter);
    if (comparison.kind === 'compare') return this.#relation(comparison, column);
    const { kind, isNegated } = comparison;
    switch (kind) {
      case 'in': {
        const values = comparison.values.flatMap((value) => this.#equalTexts(value, column));
        return { kind, column: column.name, values, isNegated };
      }
      case 'like': {
        const isText = column.type !== 'region' && column.name !== '_total';
        if (!isText) throw this.#wrongOperator(comparison.name, column);
        return { kind, column: column.name, pattern: comparison.pattern.text, isNegated };
      }
      case 'between': {
        const { from, to } = comparison;
        this.#checkOrdered(comparison.name, [from, to], column);
        return { kind, column: column.name, from: from.text, to: to.text, isNegated };
      }
      default:
        return { kind, column: column.name, isNegated };
    }
  }

  #relation({ name, operator, value }: Relation, column: NamedColumn): Condition {
    if (operator === '=' || operator === '<>') {
      const values = this.#equalTexts(value, column);
      if (values.length === 1) {
        return { kind: 'compare', column: column.name, operator, value: values[0]! };
      }
      return { kind: 'in', column: column.name, values, isNegated: operator === '<>' };
    }
    this.#checkOrdered(name, [value], column);
    return { kind: 'compare', column: column.name, operator, value: value.text };
  }

  /** Texts that a value stands for: the codes of a region, or the value itself. */
  #equalTexts(value: Word, column: NamedColumn): readonly string[] {
    if (column.type === 'region') {
      return regionCodes(column.name === '_sido' ? 'sido' : 'sigungu', value, this.#parameter);
    }
    if (column.isReadable === true) this.#checkReadable([value], column);
    if (column.name !== '_total') return [value.text];
    const text = value.text.toLowerCase();
    if (text === 'true' || text === 'false') return [text];
    const reason = {
      ko: '_total은 true나 false입니다.',
      en: '_total is true or false.',
    };
    throw this.#wrongValue(value, ['true', 'false'], reason);
  }

  /** Refuses a range of a column that has no order, and values of another type than the column’s. */
  #checkOrdered(name: Word, values: readonly Word[], column: NamedColumn): void {
    const { type } = column;
    if (type === 'region' || type === 'boolean') throw this.#wrongOperator(name, column);
    this.#checkReadable(values, column);
  }

  #checkReadable(values: readonly Word[], column: NamedColumn): void {
    const { type, label } = column;
    if (type === 'region' || type === 'boolean' || type === 'string') return;
    for (const value of values) {
      if (valueBounds({ ...column, type }, value.text) !== null) continue;
      const reason = {
        ko: `${label}에는 ${kinds[type].ko}를 씁니다. 예: ${examples[type].join(', ')}`,
        en: `${label} takes ${kinds[type].en}, such as ${examples[type].join(', ')}.`,
      };
      throw this.#wrongValue(value, examples[type].slice(0, 1), reason);
    }
  }

  #wrongValue(
    { text, position }: Word,
    suggestions: readonly string[],
    reason: { readonly ko: string; readonly en: string },
  ): Error {
    const fault = { position, reason, expected: ['value'], suggestions, value: text };
    return whereProblem(this.#parameter, fault);
  }

  #wrongOperator({ text, position }: Word, { name }: NamedColumn): Error {
    const reason = {
      ko: `${name}에는 =, <>, in, is null만 쓸 수 있습니다.`,
      en: `${name} can be compared by =, <>, in and is null only.`,
    };
    const expected = ['=', '<>', 'in', 'is'];
    return whereProblem(this.#parameter, {
      position: position + text.length,
      reason,
      expected,
      value: text,
    });
  }
}

type OrderedType = Exclude<FieldType, 'string' | 'boolean'>;

const examples: Readonly<Record<OrderedType, readonly string[]>> = {
  integer: ['100', '15,293'],
  number: ['100', '3.14', '15,293'],
  date: ['2024-06-01', '2024-06', '2024'],
  datetime: ["'2024-06-01 09:00'", '2024-06-01', '2024-06'],
};

const kinds: Readonly<Record<OrderedType, { readonly ko: string; readonly en: string }>> = {
  integer: { ko: '숫자', en: 'a number' },
  number: { ko: '숫자', en: 'a number' },
  date: { ko: '날짜', en: 'a date' },
  datetime: { ko: '날짜와 시각', en: 'a date and time' },
};
