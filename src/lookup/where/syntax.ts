/** A condition as it was written, in the grammar of CQL2-Text Basic (OGC 21-065r2) read kindly. */
export type Expression = Junction | Negation | Comparison;

interface Junction {
  readonly kind: 'and' | 'or';
  readonly parts: readonly Expression[];
}

interface Negation {
  readonly kind: 'not';
  readonly part: Expression;
}

/** A test of one field. */
export type Comparison = Relation | Between | Membership | Likeness | NullTest;

export interface Relation {
  readonly kind: 'compare';
  readonly name: Word;
  readonly operator: RelationOperator;
  readonly value: Word;
}

interface Between {
  readonly kind: 'between';
  readonly name: Word;
  readonly from: Word;
  readonly to: Word;
  readonly isNegated: boolean;
}

interface Membership {
  readonly kind: 'in';
  readonly name: Word;
  readonly values: readonly Word[];
  readonly isNegated: boolean;
}

interface Likeness {
  readonly kind: 'like';
  readonly name: Word;
  /** `%` is any text, `_` any character, `\` makes the next one plain. */
  readonly pattern: Word;
  readonly isNegated: boolean;
}

interface NullTest {
  readonly kind: 'null';
  readonly name: Word;
  readonly isNegated: boolean;
}

/** A name or a value without its quotes. */
export interface Word {
  readonly text: string;
  /** UTF-16 units from the start of the condition. */
  readonly position: number;
}

export type RelationOperator = '=' | '<>' | '<' | '<=' | '>' | '>=';

export const relationOperators = ['=', '<>', '<', '<=', '>', '>='] as const;

/** Reserved words: as a name they stand in double quotes, as a value in single quotes. */
export const keywords = ['and', 'or', 'not', 'in', 'between', 'like', 'is', 'null'] as const;

export type Keyword = (typeof keywords)[number];

/**
 * Pattern of text in brackets, nested once at most, as in `총액(원)`. A doubled quote is read as two quoted parts: a
 * second way to read it would take exponential time where the bracket has no end.
 */
export const bracketsPattern = String.raw`\((?:[^()"]|"[^"]*"|\([^()]*\))*\)`;

export function isKeyword(text: string): boolean {
  return (keywords as readonly string[]).includes(text.toLowerCase());
}
