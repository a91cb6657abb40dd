import { isKeyword, type Expression, type Word } from './syntax.ts';

/** Text of a condition, with quotes and brackets only where the grammar needs them. */
export function printWhere(expression: Expression): string {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return expression.parts
        .map((part) => printPart(part, part.kind === 'or' || part.kind === expression.kind))
        .join(` ${expression.kind} `);
    case 'not':
      return `not ${printPart(expression.part, expression.part.kind === 'and' || expression.part.kind === 'or')}`;
    case 'compare':
      return `${printName(expression.name.text)} ${expression.operator} ${print(expression.value)}`;
    case 'between':
      return `${head(expression)} between ${print(expression.from)} and ${print(expression.to)}`;
    case 'in':
      return `${head(expression)} in (${expression.values.map(print).join(', ')})`;
    case 'like':
      return `${head(expression)} like ${print(expression.pattern)}`;
    default:
      return `${printName(expression.name.text)} is ${expression.isNegated ? 'not ' : ''}null`;
  }
}

/** A name, in double quotes unless it is a plain word. */
export function printName(name: string): string {
  const isPlain = /^[\p{L}_][\p{L}\p{N}\p{M}_]*$/u.test(name) && !isKeyword(name);
  return isPlain ? name : `"${name.replaceAll('"', '""')}"`;
}

/** A value, in single quotes unless it stands alone. */
export function printValue(value: string): string {
  const isPlain = /^[^\s()',<>="][^\s()',"]*$/u.test(value) && !isKeyword(value);
  return isPlain ? value : `'${value.replaceAll("'", "''")}'`;
}

function printPart(part: Expression, hasBrackets: boolean): string {
  return hasBrackets ? `(${printWhere(part)})` : printWhere(part);
}

function head({ name, isNegated }: { readonly name: Word; readonly isNegated: boolean }): string {
  return printName(name.text) + (isNegated ? ' not' : '');
}

function print({ text }: Word): string {
  return printValue(text);
}
