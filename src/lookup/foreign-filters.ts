import type { CheckedParameters } from '../kernel/http/parameters.ts';
import type { AxisColumns } from './where/columns.ts';
import { parseWhere } from './where/parse.ts';
import { printName, printWhere } from './where/print.ts';
import type { Expression, RelationOperator } from './where/syntax.ts';

/**
 * Replaces the warnings about unknown parameters that look like a filter or an order of another query language by
 * `filter_ignored`, with the `where` or `sort` that expresses it. Without it a caller may take all rows for filtered.
 */
export function explainFilters(
  { unknown, warnings }: Pick<CheckedParameters, 'unknown' | 'warnings'>,
  columns: AxisColumns,
): void {
  for (const [at, warning] of warnings.entries()) {
    if (warning.code !== 'unknown_parameter') continue;
    const given = unknown.find(({ shownName }) => shownName === warning.parameter);
    const advice = given === undefined ? null : adviceFor(given.name, given.value, columns);
    if (advice !== null) {
      warnings[at] = { code: 'filter_ignored', parameter: warning.parameter ?? '', ...advice };
    }
  }
}

/** The parameter that expresses the filter; empty if it cannot be translated. */
interface Advice {
  readonly where?: string;
  readonly sort?: string;
}

function adviceFor(name: string, value: string, columns: AxisColumns): Advice | null {
  if (/^[$_]?(?:sort|order|ordering|order_?by|sort_?by)$/i.test(name))
    return sortAdvice(value, columns);
  if (/^(?:\$where|\$?filter|cql|query)$/i.test(name)) return textAdvice(value, columns);
  if (/^filters$/i.test(name)) return objectAdvice(value, columns);
  const refined = /^(?:refine|fq|facet)$/i.test(name) ? /^([^:]+):(.*)$/su.exec(value) : null;
  if (refined !== null) return comparison(refined[1]!, 'eq', unquoted(refined[2]!), columns) ?? {};
  const bracket = /^(?:where|filters?|cond|refine|q)(?:\[|\.)([^\]]+?)\]?(?:\[\$?(\w+)\])?$/i.exec(
    name,
  );
  if (bracket !== null) {
    // The portal's own tables write `cond[name::GTE]`.
    const [field = '', portalOperator] = bracket[1]!.split('::');
    return comparison(field, portalOperator ?? bracket[2] ?? 'eq', value, columns) ?? {};
  }
  // A name of 16,000 underscores would take quadratic time; no field has such a name.
  const suffixed = name.length > nameLengthMax ? null : /^(.+?)(?:__|\[\$?)(\w+)\]?$/s.exec(name);
  const bySuffix =
    suffixed === null ? null : comparison(suffixed[1]!, suffixed[2]!, value, columns);
  if (bySuffix !== null) return bySuffix;
  const prefixed = /^(eq|neq|gte?|lte?|i?like|is|in)\.(.*)$/su.exec(value);
  const byPrefix =
    prefixed === null
      ? null
      : comparison(name, prefixed[1]!, prefixed[2]!.replaceAll('*', '%'), columns);
  return byPrefix ?? comparison(name, 'eq', value, columns);
}

const nameLengthMax = 1_000;

/** A comparison of a field; null if the axis has no such field or the operator is not known. */
function comparison(
  field: string,
  operator: string,
  value: string,
  columns: AxisColumns,
): Advice | null {
  const found = columns.lookUp(field);
  const expression = found[0] === undefined ? null : expressionOf(found[0].name, operator, value);
  return expression === null ? null : whereAdvice(printWhere(expression));
}

/** A long value is not repeated in a warning. */
function whereAdvice(where: string): Advice {
  return where.length > adviceLengthMax ? {} : { where };
}

const adviceLengthMax = 300;

function expressionOf(field: string, operator: string, text: string): Expression | null {
  const [name, value] = [field, text].map((one) => ({ text: one, position: 0 })) as [Word, Word];
  const known = operator.toLowerCase();
  const relation = relations.get(known);
  if (relation !== undefined) return { kind: 'compare', name, operator: relation, value };
  const pattern = patterns.get(known);
  if (pattern !== undefined) {
    const like = { text: pattern.replace('*', text), position: 0 };
    return { kind: 'like', name, pattern: like, isNegated: known.startsWith('n') };
  }
  if (known === 'in') {
    const values = text.replace(/^\(|\)$/g, '').split(',');
    return {
      kind: 'in',
      name,
      values: values.map((one) => ({ text: one.trim(), position: 0 })),
      isNegated: false,
    };
  }
  const isNull = known === 'isnull' || known === 'is' || known === 'null';
  return isNull ? { kind: 'null', name, isNegated: /^(?:false|0|not)/i.test(text) } : null;
}

interface Word {
  readonly text: string;
  readonly position: number;
}

const relations: ReadonlyMap<string, RelationOperator> = new Map([
  ['eq', '='],
  ['exact', '='],
  ['iexact', '='],
  ['equals', '='],
  ['ne', '<>'],
  ['neq', '<>'],
  ['not', '<>'],
  ['gt', '>'],
  ['gte', '>='],
  ['lt', '<'],
  ['lte', '<='],
  ['min', '>='],
  ['max', '<='],
]);

/** The star stands for the value. */
const patterns: ReadonlyMap<string, string> = new Map([
  ['like', '*'],
  ['ilike', '*'],
  ['nlike', '*'],
  ['contains', '%*%'],
  ['icontains', '%*%'],
  ['startswith', '*%'],
  ['endswith', '%*'],
]);

/** A whole condition in another dialect, if it is one of ours too. */
function textAdvice(value: string, columns: AxisColumns): Advice {
  try {
    const expression = parseWhere(value, { parameter: 'where', names: columns.texts });
    return whereAdvice(printWhere(expression));
  } catch {
    return {};
  }
}

/** `{"field": "value"}`, as CKAN writes filters. */
function objectAdvice(value: string, columns: AxisColumns): Advice {
  let filters: unknown;
  try {
    filters = JSON.parse(value);
  } catch {
    return textAdvice(value, columns);
  }
  if (typeof filters !== 'object' || filters === null) return {};
  const parts = Object.entries(filters)
    .slice(0, filtersMax)
    .flatMap(([field, given]: [string, unknown]) => {
      const found = columns.lookUp(field)[0];
      const isList = Array.isArray(given);
      const operator = isList ? 'in' : 'eq';
      const text = isList ? given.map(String).join() : String(given);
      const expression = found === undefined ? null : expressionOf(found.name, operator, text);
      return expression === null ? [] : [printWhere(expression)];
    });
  return parts.length === 0 ? {} : whereAdvice(parts.join(' and '));
}

const filtersMax = 8;

function sortAdvice(value: string, columns: AxisColumns): Advice {
  const terms = value.split(',', filtersMax).flatMap((given) => {
    const text = given.trim();
    const sign = /^[-+]/.exec(text)?.[0] ?? '';
    // Signs are matched from the first of a run only: from each of them it would take quadratic time.
    const [ending = '', direction = ''] = /(?<![\s.:])[\s.:]+(asc|desc)$/i.exec(text) ?? [];
    const found = columns.lookUp(text.slice(sign.length, text.length - ending.length))[0];
    if (found === undefined) return [];
    const isDescending = sign === '-' || direction.toLowerCase() === 'desc';
    return [`${isDescending ? '-' : ''}${printName(found.name)}`];
  });
  return terms.length === 0 ? {} : { sort: terms.join() };
}

function unquoted(text: string): string {
  return text.replace(/^"(.*)"$/s, '$1');
}
