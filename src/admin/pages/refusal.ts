import type { Language } from '../../contract/language.ts';
import { bodyErrors, type Problem } from '../../kernel/problem.ts';

/** Why something was refused, as it is said to an operator, who belongs to no platform. */
export function refusalText(problem: Problem, language: Language): string {
  const isGone = problem.code === 'member_not_found';
  return isGone ? nobody[language] : problem.detail[language];
}

/** The same with what to do about it. */
export function wholeRefusal(problem: Problem, language: Language): string {
  const fixes = bodyErrors(problem).map(({ fix }) => fix[language]);
  return [refusalText(problem, language), ...fixes].join(' ');
}

/** Said of a member that is not there, erased or never made. */
export const nobody = {
  ko: '그런 회원이 없습니다. 영구 삭제되었다면 감사 기록에 남아 있습니다.',
  en: 'There is no such member. If it was erased, the audit says so.',
};
