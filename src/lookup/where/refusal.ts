import type { BilingualText } from '../../contract/language.ts';
import { limits } from '../../kernel/http/limits.ts';
import { Problem } from '../../kernel/problem.ts';

/** A fault in a text of the query language. */
export interface WhereFault {
  /** UTF-16 units from the start of the text. */
  readonly position: number;
  readonly reason: BilingualText;
  /** Grammar tokens that may stand there; `field`, `value` and `end` are names of kinds. */
  readonly expected?: readonly string[];
  /** Texts that could stand there instead. */
  readonly suggestions?: readonly string[];
  readonly value?: string;
}

/** 400 for a text of the query language: `invalid_where` for conditions, `invalid_parameter` for lists of names. */
export function whereProblem(parameter: string, fault: WhereFault): Problem {
  const { position, reason, expected = [], suggestions = [], value } = fault;
  const code =
    parameter === 'where' || parameter === 'having' ? 'invalid_where' : 'invalid_parameter';
  const [hintKo, hintEn] =
    suggestions.length === 0
      ? ['', '']
      : [` 이렇게 써 보세요: ${suggestions[0]}`, ` Try: ${suggestions[0]}`];
  const detail = {
    ko: `${parameter}의 ${position + 1}번째 글자: ${reason.ko}${hintKo}`,
    en: `${parameter}, character ${position + 1}: ${reason.en}${hintEn}`,
  };
  const shown = value === undefined ? {} : { value: excerpt(value) };
  const error = { parameter, reason, position, expected, suggestions, ...shown };
  return new Problem(code, detail, { errors: [error] });
}

/** A part of a caller's text that is short enough for an error. */
function excerpt(text: string): string {
  return text.length > limits.echoLengthMax
    ? `${text.slice(0, limits.echoLengthMax).toWellFormed()}…`
    : text.toWellFormed();
}
