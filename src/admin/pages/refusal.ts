import type { Language } from '../../contract/language.ts';
import { bodyErrors, type Problem } from '../../kernel/problem.ts';

/** Detail of a refusal. For a missing member it has another text than for a platform. */
export function refusalText(problem: Problem, language: Language): string {
  const isMissingMember = problem.code === 'member_not_found';
  return isMissingMember ? noSuchMember[language] : problem.detail[language];
}

/** Detail of a refusal, followed by how to correct each error. */
export function refusalWithFixes(problem: Problem, language: Language): string {
  const fixes = bodyErrors(problem).map(({ fix }) => fix[language]);
  return [refusalText(problem, language), ...fixes].join(' ');
}

/** Detail for a member that was erased or never existed. */
export const noSuchMember = {
  ko: '회원을 찾을 수 없습니다. 영구 삭제된 회원이라면 감사 기록에 남아 있습니다.',
  en: 'No such member was found. If it was erased, the audit log shows it.',
};
