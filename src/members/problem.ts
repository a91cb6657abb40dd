import type { BilingualText } from '../contract/language.ts';
import type { ProblemCode } from '../contract/problems.ts';
import { Problem } from '../kernel/problem.ts';

/** A refusal of one part of a body. */
export function invalid(
  code: ProblemCode,
  pointer: string,
  message: BilingualText,
  fix: BilingualText,
): Problem {
  return new Problem(code, message, { errors: [{ pointer, code, message, fix }] });
}

/** The same for a member that is absent and for one of other platforms. */
export function memberNotFound(): Problem {
  return new Problem('member_not_found', {
    ko: '이 플랫폼에 연결된 회원을 찾을 수 없습니다.',
    en: 'No member linked to this platform was found.',
  });
}
