import type { View } from './view.ts';

/**
 * Reason of an entry of the audit log, in the language of the page. The service and the command line store theirs in
 * English; reasons that operators wrote are not translated.
 */
export function reasonText({ language }: Pick<View, 'language'>, reason: string): string {
  if (language === 'en') return reason;
  const [, count = '', rest = reason] = /^(\d+) (.*)$/.exec(reason) ?? [];
  const korean = count === '' ? reasons[reason] : countedReasons[rest]?.(count);
  return korean ?? reason;
}

const reasons: Readonly<Record<string, string>> = {
  'added at the command line': '명령줄에서 추가',
  'changed by the platform': '플랫폼이 변경',
  'declared at the command line': '명령줄에서 선언',
  'declared in the configuration': '설정 파일에 선언',
  'ended at the command line': '명령줄에서 종료',
  'exported by the platform': '플랫폼이 내보냄',
  'imported at the command line': '명령줄에서 가져오기',
  'issued at the command line': '명령줄에서 발급',
  'left the platform': '플랫폼 탈퇴',
  'moved from operators.json': 'operators.json에서 옮김',
  'own account': '본인 계정',
  'registered with another address': '다른 이메일로 등록',
  'reset at the command line': '명령줄에서 재설정',
  'revoked by platform': '플랫폼이 세션 종료',
  'rotated at the command line': '명령줄에서 교체',
  'the first start of an empty folder': '빈 폴더에서 처음 시작',
  'The authenticator has not counted on since its last use.':
    '인증 장치의 사용 횟수가 마지막 사용 이후 늘지 않음',
  'The retention of the audit log has ended.': '감사 기록의 보관 기간이 지남',
  'The store was restored from before erasures.': '삭제 이전의 백업으로 저장소를 복원함',
};

/** Reasons that begin with a number. */
const countedReasons: Readonly<Record<string, (count: string) => string>> = {
  'lookups found no member.': (count) => `존재하지 않는 회원을 ${count}번 조회함`,
  'unverified addresses of members of other platforms were registered.': (count) =>
    `다른 플랫폼 회원의 이메일 ${count}개를 미확인 상태로 등록함`,
};
