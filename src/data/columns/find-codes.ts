import { matchingText } from '../korean/normalise.ts';
import { codeBits, codeRange, complementOf, uniteRanges, type CodeSet } from './code-set.ts';
import type { Column } from './column.ts';
import type { CompareCondition, Leaf } from './condition.ts';
import { likePrefix, likeTest } from './like.ts';
import { valueBounds } from './value-bounds.ts';

/** Codes of a column whose records a comparison selects. Null is selected by `is null` alone. */
export function* findCodes(column: Column, leaf: Leaf): Generator<void, CodeSet> {
  const { firstReadable, codes } = column;
  switch (leaf.kind) {
    case 'compare':
      return compareCodes(column, leaf);
    case 'between':
      return codesBetween(column, leaf);
    case 'null':
      return leaf.isNegated ? codeRange(firstReadable, codes) : codeRange(0, firstReadable);
    case 'in': {
      const equal = leaf.values.map((value) => codesEqual(column, value));
      return negatedIf(leaf.isNegated, column, uniteRanges(equal, codes));
    }
    default:
      return negatedIf(leaf.isNegated, column, yield* codesLike(column, leaf.pattern));
  }
}

/** Codes that equal a value; one that cannot be read by the column's type is compared as text. */
function codesEqual(column: Column, value: string): CodeSet {
  const bounds = column.type === 'string' ? null : valueBounds(column.format, value);
  if (bounds !== null) {
    return codeRange(firstNotBelow(column, bounds.first), firstAbove(column, bounds.last));
  }
  const text = matchingText(value);
  return codeRange(firstText(column, text, false), firstText(column, text, true));
}

function compareCodes(column: Column, { operator, value }: CompareCondition): CodeSet {
  if (operator === '=') return codesEqual(column, value);
  if (operator === '<>') return negatedIf(true, column, codesEqual(column, value));
  const { firstReadable, firstUnread } = column;
  const [below, above] = edgesOf(column, value);
  switch (operator) {
    case '<':
      return codeRange(firstReadable, below);
    case '<=':
      return codeRange(firstReadable, above);
    case '>':
      return codeRange(above, firstUnread);
    default:
      return codeRange(below, firstUnread);
  }
}

function codesBetween(
  column: Column,
  { from, to, isNegated }: Extract<Leaf, { kind: 'between' }>,
): CodeSet {
  const range = codeRange(edgesOf(column, from)[0], edgesOf(column, to)[1]);
  return isNegated ? complementOf(range, column.firstReadable, column.firstUnread) : range;
}

/** First code that is not below a value, and the first above it. Throws if the value cannot be read. */
function edgesOf(column: Column, value: string): [number, number] {
  if (column.type === 'string') {
    const text = matchingText(value);
    return [firstText(column, text, false), firstText(column, text, true)];
  }
  const bounds = valueBounds(column.format, value);
  if (bounds === null) {
    throw new Error(
      `${value} is no value of ${column.name}. Compare it with = or use another value.`,
    );
  }
  return [firstNotBelow(column, bounds.first), firstAbove(column, bounds.last)];
}

function* codesLike(column: Column, pattern: string): Generator<void, CodeSet> {
  const { from, to } = likeRange(column, pattern);
  const isMatch = likeTest(pattern);
  const found = codeBits(column.codes);
  for (const { first, values } of column.blocks(from, to)) {
    for (const [at, value] of values.entries()) {
      const code = first + at;
      if (code >= from && code < to && isMatch(matchingText(String(value)))) found.add(code);
    }
    yield;
  }
  return found.set();
}

/** Range of the codes that can match a pattern: in a column of texts, those with its beginning. */
function likeRange(column: Column, pattern: string): CodeSet {
  const { firstReadable, codes } = column;
  const prefix = likePrefix(pattern);
  if (column.type !== 'string' || prefix === '') return codeRange(firstReadable, codes);
  return codeRange(firstText(column, prefix, false), firstText(column, `${prefix}\uffff`, true));
}

function negatedIf(isNegated: boolean, column: Column, set: CodeSet): CodeSet {
  return isNegated ? complementOf(set, column.firstReadable, column.codes) : set;
}

function firstNotBelow(column: Column, number: number): number {
  const { firstReadable, firstUnread } = column;
  return firstCode(firstReadable, firstUnread, (code) => column.numberOf(code) >= number);
}

function firstAbove(column: Column, number: number): number {
  const { firstReadable, firstUnread } = column;
  return firstCode(firstReadable, firstUnread, (code) => column.numberOf(code) > number);
}

/** First code among the texts of a column (its unread values if it has a type) that is not before `text`, or is after. */
function firstText(column: Column, text: string, isAfter: boolean): number {
  const from = column.type === 'string' ? column.firstReadable : column.firstUnread;
  return firstCode(from, column.codes, (code) => {
    const other = matchingText(String(column.valueOf(code)));
    return isAfter ? other > text : other >= text;
  });
}

/** First code from `from` to `to` for which a test holds, if it holds for all after it; else `to`. */
function firstCode(from: number, to: number, holds: (code: number) => boolean): number {
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (holds(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}
