import { matchingText } from '../korean/normalise.ts';
import { codeBits, codeRange, complementOf, uniteRanges, type CodeSet } from './code-set.ts';
import type { Column } from './column.ts';
import type { CompareCondition, Comparison } from './condition.ts';
import { likePrefix, likeTest } from './like.ts';
import { valueBounds, type ValueBounds } from './value-bounds.ts';

/**
 * Finds the codes whose values fulfil a comparison. Null and markers of missing data fulfil only `is null`. Their codes
 * come first, then those of readable values, then those of unreadable ones.
 */
export function* findCodes(column: Column, comparison: Comparison): Generator<void, CodeSet> {
  const { firstReadable, codeCount } = column;
  switch (comparison.kind) {
    case 'compare':
      return compareCodes(column, comparison);
    case 'between':
      return codesBetween(column, comparison);
    case 'null':
      if (comparison.isNegated) return codeRange(firstReadable, codeCount);
      return codeRange(0, firstReadable);
    case 'in': {
      const equal = comparison.values.map((value) => codesEqual(column, value));
      return negatedIf(comparison.isNegated, column, uniteRanges(equal, codeCount));
    }
    default:
      return negatedIf(comparison.isNegated, column, yield* codesLike(column, comparison.pattern));
  }
}

/** Codes of the values that equal `value`, as texts if it cannot be read by the column's type. */
function codesEqual(column: Column, value: string): CodeSet {
  const bounds = column.type === 'string' ? null : valueBounds(column.format, value);
  if (bounds !== null) return codeRange(...numberEdges(column, bounds));
  return codeRange(...textEdges(column, matchingText(value)));
}

function compareCodes(column: Column, { operator, value }: CompareCondition): CodeSet {
  if (operator === '=') return codesEqual(column, value);
  if (operator === '<>') return negatedIf(true, column, codesEqual(column, value));
  const { firstReadable, firstUnreadable } = column;
  const [start, end] = edgesOf(column, value);
  switch (operator) {
    case '<':
      return codeRange(firstReadable, start);
    case '<=':
      return codeRange(firstReadable, end);
    case '>':
      return codeRange(end, firstUnreadable);
    default:
      return codeRange(start, firstUnreadable);
  }
}

function codesBetween(
  column: Column,
  { from, to, isNegated }: Extract<Comparison, { kind: 'between' }>,
): CodeSet {
  const range = codeRange(edgesOf(column, from)[0], edgesOf(column, to)[1]);
  return isNegated ? complementOf(range, column.firstReadable, column.firstUnreadable) : range;
}

/** First code that is not below a value, and the first above it. Throws if the value cannot be read. */
function edgesOf(column: Column, value: string): [number, number] {
  if (column.type === 'string') return textEdges(column, matchingText(value));
  const bounds = valueBounds(column.format, value);
  if (bounds === null) {
    throw new Error(
      `${value} cannot be read by the type of ${column.name}. Compare it with = or use another value.`,
    );
  }
  return numberEdges(column, bounds);
}

function* codesLike(column: Column, pattern: string): Generator<void, CodeSet> {
  const { from, to } = likeRange(column, pattern);
  const isMatch = likeTest(pattern);
  const found = codeBits(column.codeCount);
  for (const { first, values } of column.blocks(from, to)) {
    for (const [at, value] of values.entries()) {
      const code = first + at;
      if (code >= from && code < to && isMatch(matchingText(String(value)))) found.add(code);
    }
    yield;
  }
  return found.set();
}

/** Range of the codes that can match a pattern: in a column of texts, those of texts with its prefix. */
function likeRange(column: Column, pattern: string): CodeSet {
  const { firstReadable, codeCount } = column;
  const prefix = likePrefix(pattern);
  if (column.type !== 'string' || prefix === '') return codeRange(firstReadable, codeCount);
  return codeRange(...textEdges(column, prefix, `${prefix}\uffff`));
}

function negatedIf(isNegated: boolean, column: Column, set: CodeSet): CodeSet {
  return isNegated ? complementOf(set, column.firstReadable, column.codeCount) : set;
}

function numberEdges(column: Column, { first, last }: ValueBounds): [number, number] {
  const { firstReadable, firstUnreadable } = column;
  return [
    firstCode(firstReadable, firstUnreadable, (code) => column.numberOf(code) >= first),
    firstCode(firstReadable, firstUnreadable, (code) => column.numberOf(code) > last),
  ];
}

/** Edges of texts in matching form. In a typed column only the unreadable values are texts. */
function textEdges(column: Column, first: string, last = first): [number, number] {
  const from = column.type === 'string' ? column.firstReadable : column.firstUnreadable;
  const textOf = (code: number): string => matchingText(String(column.valueOf(code)));
  return [
    firstCode(from, column.codeCount, (code) => textOf(code) >= first),
    firstCode(from, column.codeCount, (code) => textOf(code) > last),
  ];
}

/** First code at which a test begins to hold, by binary search between `from` and `to`; `to` if it never does. */
function firstCode(from: number, to: number, holds: (code: number) => boolean): number {
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (holds(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}
