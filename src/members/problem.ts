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

/** Advice to send one of the configured codes, or `form`, which describes a code, if none are configured. */
export function codeAdvice(codes: readonly string[], form: BilingualText): BilingualText {
  const list = codes.join(', ');
  return codes.length === 0
    ? form
    : { ko: `${list} 가운데 하나를 보내세요.`, en: `Send one of ${list}.` };
}

/** The problem for a member that is unknown or on other platforms only; it does not reveal which. */
export function memberNotFound(): Problem {
  return new Problem('member_not_found', {
    ko: '이 플랫폼에 연결된 회원을 찾을 수 없습니다. 값을 확인하거나 회원을 먼저 등록하세요.',
    en: 'No member linked to this platform was found. Check the value, or register the member first.',
  });
}

/** The refusal of a property that contains what looks like a card or resident registration number. */
export function forbiddenContent(
  name: 'meta' | 'event_id' | 'local_user_id' | 'purpose' | 'version',
): Problem {
  return invalid(
    'forbidden_content',
    `/${name}`,
    {
      ko: `${name}에 카드 번호나 주민등록번호로 보이는 값이 있어 저장하지 않았습니다.`,
      en: `${name} contains what looks like a card or resident registration number; nothing was stored.`,
    },
    forbiddenFixes[name] ?? { ko: '그 값을 빼고 보내세요.', en: 'Send it without that value.' },
  );
}

const forbiddenFixes: Readonly<Record<string, BilingualText>> = {
  event_id: {
    ko: '주문 번호라면 날짜를 20261122처럼 여덟 자리로 쓰거나, 번호의 해시를 보내세요.',
    en: 'For an order number write the date with eight digits, such as 20261122, or send a hash of the number.',
  },
};
