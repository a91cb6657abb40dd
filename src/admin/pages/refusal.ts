import type { Language } from '../../contract/language.ts';
import { bodyErrors, type Problem } from '../../kernel/problem.ts';

/** Detail of a refusal, worded for an operator, who belongs to no platform. */
export function refusalText(problem: Problem, language: Language): string {
  const isGone = problem.code === 'member_not_found';
  return isGone ? noSuchMember[language] : problem.detail[language];
}

/** The same with the corrections of its errors. */
export function refusalWithFixes(problem: Problem, language: Language): string {
  const fixes = bodyErrors(problem).map(({ fix }) => fix[language]);
  return [refusalText(problem, language), ...fixes].join(' ');
}

/** Detail for a member that does not exist, whether erased or never created. */
export const noSuchMember = {
  ko: '회원을 찾을 수 없습니다. 영구 삭제된 회원이라면 감사 기록에 남아 있습니다.',
  en: 'No such member was found. If it was erased, the audit log shows it.',
};
