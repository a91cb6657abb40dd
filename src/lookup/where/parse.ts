import type { BilingualText } from '../../contract/language.ts';
import { printName, printValue } from './print.ts';
import { whereProblem, type WhereFault } from './refusal.ts';
import {
  bracketsPattern,
  isKeyword,
  keywords,
  relationOperators,
  type Comparison,
  type Expression,
  type Keyword,
  type RelationOperator,
  type Word,
} from './syntax.ts';

interface ParseOptions {
  /** Parameter that the text came in. */
  readonly parameter: string;
  /** Known names, for suggestions. */
  readonly names: readonly string[];
  /** Names of functions: with them, `sum(x)` is a name. */
  readonly functions?: readonly string[];
}

/** Reads a condition in time linear in its length. Throws 400 with the place of a fault, and nothing else. */
export function parseWhere(text: string, options: ParseOptions): Expression {
  return new Parser(text, options).parse();
}

/** Comparisons of one condition; a list in brackets counts once. */
export const comparisonsMax = 16;
/** Depth of brackets and negations. */
export const depthMax = 16;

class Parser {
  readonly #text: string;
  readonly #options: ParseOptions;
  #at = 0;
  #depth = 0;
  #comparisons = 0;

  constructor(text: string, options: ParseOptions) {
    this.#text = text;
    this.#options = options;
  }

  parse(): Expression {
    const expression = this.#disjunction();
    this.#skipBlanks();
    if (this.#at < this.#text.length) {
      throw this.#unexpected(['and', 'or', 'end'], this.#quotedRest(expression));
    }
    return expression;
  }

  #disjunction(): Expression {
    return this.#junction('or', () => this.#junction('and', () => this.#term()));
  }

  #junction(kind: 'and' | 'or', part: () => Expression): Expression {
    const first = part();
    const parts = [first];
    while (this.#takeKeyword(kind)) parts.push(part());
    return parts.length === 1 ? first : { kind, parts };
  }

  #term(): Expression {
    if (this.#takeKeyword('not')) {
      return this.#nested(() => ({ kind: 'not', part: this.#term() }));
    }
    if (!this.#take('(')) return this.#comparison();
    return this.#nested(() => {
      const inner = this.#disjunction();
      if (this.#take(')')) return inner;
      throw this.#unexpected(['and', 'or', ')'], this.#quotedRest(inner));
    });
  }

  #nested(read: () => Expression): Expression {
    if (++this.#depth > depthMax) throw this.#fault({ reason: reasons.depth });
    const expression = read();
    this.#depth--;
    return expression;
  }

  #comparison(): Comparison {
    const name = this.#name();
    if (++this.#comparisons > comparisonsMax) {
      throw this.#fault({ reason: reasons.comparisons, position: name.position });
    }
    this.#skipBlanks();
    const operator = this.#operator();
    if (operator !== null) return { kind: 'compare', name, operator, value: this.#value() };
    if (this.#takeKeyword('is')) {
      const isNegated = this.#takeKeyword('not');
      if (!this.#takeKeyword('null'))
        throw this.#unexpected(isNegated ? ['null'] : ['null', 'not null']);
      return { kind: 'null', name, isNegated };
    }
    const isNegated = this.#takeKeyword('not');
    if (this.#takeKeyword('like')) return { kind: 'like', name, pattern: this.#value(), isNegated };
    if (this.#takeKeyword('in')) return { kind: 'in', name, values: this.#list(), isNegated };
    if (this.#takeKeyword('between')) {
      const from = this.#value();
      if (!this.#takeKeyword('and')) throw this.#unexpected(['and']);
      return { kind: 'between', name, from, to: this.#value(), isNegated };
    }
    const expected = ['in', 'like', 'between'];
    if (isNegated) throw this.#unexpected(expected);
    throw this.#unexpected(
      [...relationOperators, ...expected, 'is', 'not'],
      this.#longerNames(name),
    );
  }

  #operator(): RelationOperator | null {
    const spelling = this.#match(/<>|<=|>=|!=|==|<|>|=/y);
    if (spelling === null) return null;
    // The spellings of most programming languages.
    if (spelling === '!=') return '<>';
    if (spelling === '==') return '=';
    return relationOperators.find((operator) => operator === spelling) ?? null;
  }

  #name(): Word {
    this.#skipBlanks();
    const position = this.#at;
    if (this.#text[position] === '"') return { text: this.#quoted('"'), position };
    const bare = this.#match(/[^\s(),'"<>=!]+/y);
    if (bare === null || isKeyword(bare)) {
      this.#at = position;
      const suggestions = bare === null ? [] : [printName(bare)];
      throw this.#unexpected(['field', 'not', '('], suggestions);
    }
    const isCall =
      this.#options.functions?.includes(bare.toLowerCase()) && this.#text[this.#at] === '(';
    if (!isCall) return { text: bare, position };
    const call = this.#match(new RegExp(bracketsPattern, 'y'));
    if (call === null) throw this.#unexpected([')']);
    return { text: bare + call, position };
  }

  #list(): Word[] {
    if (!this.#take('(')) throw this.#unexpected(['(']);
    const values = [this.#value(true)];
    while (this.#take(',')) values.push(this.#value(true));
    if (this.#take(')')) return values;
    throw this.#unexpected([',', ')'], this.#quotedValue(values.at(-1)!));
  }

  #value(isInList = false): Word {
    this.#skipBlanks();
    const position = this.#at;
    const first = this.#text[position];
    if (first === "'") return { text: this.#quoted("'"), position };
    if (first === '"') {
      const inner = this.#quoted('"');
      this.#at = position;
      throw this.#unexpected(['value'], [printedInQuotes(inner)], reasons.doubleQuotes);
    }
    const bare = this.#match(isInList ? /[^\s(),<>=][^\s(),]*/y : /[^\s()<>=][^\s()]*/y);
    if (bare === null) throw this.#unexpected(['value']);
    // `DATE('2024-06-01')` and `TIMESTAMP('…')` are the literals of CQL2.
    if (/^(?:date|timestamp)$/i.test(bare) && this.#take('(')) return this.#literal();
    if (!isKeyword(bare)) return { text: bare, position };
    this.#at = position;
    const isNull = bare.toLowerCase() === 'null';
    const suggestions = [...(isNull ? ['is null'] : []), printedInQuotes(bare)];
    throw this.#unexpected(['value'], suggestions, reasons.keyword);
  }

  #literal(): Word {
    this.#skipBlanks();
    const position = this.#at;
    if (this.#text[position] !== "'") throw this.#unexpected(["'"]);
    const text = this.#quoted("'");
    if (!this.#take(')')) throw this.#unexpected([')']);
    return { text, position };
  }

  /** Text between quotes. Two quotes in it stand for one. */
  #quoted(quote: "'" | '"'): string {
    const position = this.#at;
    const pattern = quote === "'" ? /'(?:[^']|'')*'/y : /"(?:[^"]|"")*"/y;
    const quoted = this.#match(pattern);
    if (quoted === null) {
      throw this.#fault({ reason: reasons.openQuote, position, expected: [quote] });
    }
    return quoted.slice(1, -1).replaceAll(quote + quote, quote);
  }

  #takeKeyword(keyword: Keyword): boolean {
    this.#skipBlanks();
    return this.#match(keywordPatterns[keyword]) !== null;
  }

  #take(token: '(' | ')' | ','): boolean {
    this.#skipBlanks();
    if (this.#text[this.#at] !== token) return false;
    this.#at++;
    return true;
  }

  #skipBlanks(): void {
    this.#match(/\s+/y);
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) return null;
    this.#at = pattern.lastIndex;
    return found[0];
  }

  #unexpected(
    expected: readonly string[],
    suggestions: readonly string[] = [],
    given?: BilingualText,
  ): Error {
    this.#skipBlanks();
    const token = /^(?:[<>=!]+|[(),]|[^\s(),<>=!]+)/.exec(this.#text.slice(this.#at))?.[0];
    const reason = given ?? (token === undefined ? reasons.tooShort : reasons.unexpected);
    return this.#fault({
      reason,
      expected,
      suggestions,
      ...(token === undefined ? {} : { value: token }),
    });
  }

  #fault(fault: Omit<WhereFault, 'position'> & { readonly position?: number }): Error {
    return whereProblem(this.#options.parameter, { position: this.#at, ...fault });
  }

  /** Known names with blanks and signs that the text begins with, longest first. */
  #longerNames({ text, position }: Word): string[] {
    const rest = this.#text.slice(position).toLowerCase();
    const { names } = this.#options;
    const longer = names.filter(
      (name) => name.length > text.length && rest.startsWith(name.toLowerCase()),
    );
    return longer
      .sort((a, b) => b.length - a.length)
      .slice(0, suggestionsMax)
      .map(printName);
  }

  /** The last value with the words after it, in quotes, for values with blanks that were sent without. */
  #quotedRest(expression: Expression): string[] {
    let last = expression;
    while (last.kind === 'and' || last.kind === 'or' || last.kind === 'not') {
      last = last.kind === 'not' ? last.part : last.parts.at(-1)!;
    }
    if (last.kind === 'compare') return this.#quotedValue(last.value);
    return last.kind === 'between' ? this.#quotedValue(last.to) : [];
  }

  #quotedValue({ position }: Word): string[] {
    this.#skipBlanks();
    const isTooShort = this.#at === this.#text.length || this.#text[this.#at] === ')';
    if (isTooShort || this.#text[position] === "'") return [];
    const rest = this.#text.slice(position, position + suggestedLengthMax);
    const value = rest.split(/\s(?:and|or)\s|[,'"]/i, 1)[0]!.trim();
    return [printValue(value.includes('(') ? value : value.replace(/\).*$/s, ''))];
  }
}

const keywordPatterns = Object.fromEntries(
  keywords.map((keyword) => [keyword, new RegExp(`${keyword}(?![^\\s(),'"<>=!])`, 'iy')]),
  // The keys are all keywords.
) as Record<Keyword, RegExp>;

const suggestionsMax = 3;
const suggestedLengthMax = 60;

function printedInQuotes(text: string): string {
  return `'${text.replaceAll("'", "''").slice(0, suggestedLengthMax)}'`;
}

const reasons = {
  unexpected: {
    ko: '여기에 올 수 없는 글자입니다. 빈칸이나 괄호가 있는 값은 작은따옴표로, 이름은 큰따옴표로 묶습니다.',
    en: 'This cannot stand here. Put values with blanks or brackets in single quotes, names in double quotes.',
  },
  tooShort: { ko: '조건이 끝나지 않았습니다.', en: 'The condition is not complete.' },
  openQuote: {
    ko: '닫는 따옴표가 없습니다. 값 안의 따옴표는 두 번 씁니다.',
    en: 'The closing quote is missing. A quote inside is doubled.',
  },
  doubleQuotes: {
    ko: '값은 작은따옴표로 묶습니다. 큰따옴표는 필드 이름에 씁니다.',
    en: 'Values stand in single quotes; double quotes are for field names.',
  },
  keyword: {
    ko: '예약어입니다. 값이라면 작은따옴표로 묶습니다.',
    en: 'This is a reserved word. Put it in single quotes if it is a value.',
  },
  depth: {
    ko: `괄호와 not은 ${depthMax}겹까지 쓸 수 있습니다.`,
    en: `Brackets and negations may be nested ${depthMax} deep.`,
  },
  comparisons: {
    ko: `비교는 ${comparisonsMax}개까지 쓸 수 있습니다. 같은 필드의 값은 in (…)으로 묶으세요.`,
    en: `A condition may have ${comparisonsMax} comparisons. Join values of one field with in (…).`,
  },
} as const;
