import type { BilingualText } from '../../contract/language.ts';

/** Labels of names in answers of the API, the same on every page. */
export const words = {
  event: {
    register: { ko: '가입', en: 'Registration' },
    visit: { ko: '방문', en: 'Visit' },
    login: { ko: '로그인', en: 'Login' },
    purchase: { ko: '구매', en: 'Purchase' },
    referral: { ko: '추천', en: 'Referral' },
    card_issued: { ko: '카드 발급', en: 'Card issued' },
  },
  source: {
    server: { ko: '서버', en: 'Server' },
    browser: { ko: '브라우저', en: 'Browser' },
  },
  webhook: {
    'member.created': { ko: '회원 생성', en: 'Member created' },
    'member.linked': { ko: '플랫폼 연결', en: 'Platform linked' },
    'membership.moved': { ko: '연결의 회원 변경', en: 'Membership moved' },
    'tier.changed': { ko: '등급 변경', en: 'Tier changed' },
    'entitlement.changed': { ko: '이용권 변경', en: 'Entitlement changed' },
    'consent.reminder_due': { ko: '수신 동의 재안내 시점', en: 'Consent reminder due' },
    'session.revoked': { ko: '세션 종료', en: 'Sessions ended' },
    'member.erased': { ko: '회원 삭제', en: 'Member erased' },
  },
  role: {
    view: { ko: '조회', en: 'Viewer' },
    support: { ko: '회원 관리', en: 'Support' },
    privacy: { ko: '개인정보 담당', en: 'Privacy' },
    owner: { ko: '소유자', en: 'Owner' },
  },
  /** Actions in the access log that are not names of routes. */
  access: {
    sign_in: { ko: '로그인', en: 'Signed in' },
    sign_in_failed: { ko: '로그인 실패', en: 'Sign-in failed' },
    sign_out: { ko: '로그아웃', en: 'Signed out' },
    access_log_exported: { ko: '접속기록 내려받기', en: 'Access log downloaded' },
  },
  scope: {
    'members:register': { ko: '회원 등록', en: 'Register members' },
    'events:write': { ko: '이벤트 전송', en: 'Send events' },
    'sso:issue': { ko: '통합 로그인 발급', en: 'Issue single sign-on' },
    'sso:verify': { ko: '통합 로그인 확인', en: 'Verify single sign-on' },
    'members:read': { ko: '회원 조회', en: 'Look up members' },
    'members:privacy': {
      ko: '동의 조회·철회, 내보내기와 삭제',
      en: 'Consents, export and erasure',
    },
    'members:entitle': { ko: '이용권 부여', en: 'Grant entitlements' },
    'stats:read': { ko: '통계 조회', en: 'Read statistics' },
  },
  assurance: {
    trusted: { ko: '확인됨', en: 'Verified' },
    verified: { ko: '확인됨', en: 'Verified' },
    asserted: { ko: '확인 안 됨', en: 'Not verified' },
  },
  capability: { card_issuer: { ko: '카드 발급사', en: 'Card issuer' } },
  suspicion: {
    user_agent: { ko: '브라우저가 다름', en: 'different browsers' },
    address: { ko: '네트워크가 다름', en: 'different networks' },
  },
  job: {
    expired_sessions: { ko: '만료된 세션 삭제', en: 'Remove expired sessions' },
    settled_webhooks: { ko: '끝난 웹훅 메시지 삭제', en: 'Remove settled webhook messages' },
    old_events: { ko: '오래된 이벤트 삭제', en: 'Remove old events' },
    sealed_audit: { ko: '감사 기록 봉인', en: 'Seal the audit log' },
    old_access_log: { ko: '보관 기간이 지난 접속기록 삭제', en: 'Remove old access log' },
    overwrite_erased: { ko: '삭제한 데이터 덮어쓰기', en: 'Overwrite erased data' },
  },
  run: {
    running: { ko: '수집 중', en: 'Running' },
    done: { ko: '완료', en: 'Done' },
    failed: { ko: '실패', en: 'Failed' },
    parked: { ko: '대기', en: 'Waiting' },
    interrupted: { ko: '중단됨', en: 'Interrupted' },
  },
  origin: {
    portal: { ko: '포털', en: 'Portal' },
    file: { ko: '파일', en: 'File' },
    sample: { ko: '예시', en: 'Sample' },
  },
  freshness: {
    fresh: { ko: '최신', en: 'Fresh' },
    due: { ko: '갱신 예정', en: 'Due' },
    stale: { ko: '갱신 지연', en: 'Overdue' },
    unknown: { ko: '모름', en: 'Unknown' },
  },
  change: {
    added: { ko: '추가', en: 'Added' },
    removed: { ko: '삭제', en: 'Removed' },
    records: { ko: '레코드 변경', en: 'Records' },
    description: { ko: '설명 변경', en: 'Description' },
  },
  /** Actions in the audit log that no operator action has: the service or a platform caused them. */
  audit: {
    assurance_upgrade: { ko: '이메일 확인됨', en: 'Email verified' },
    audit_removed: { ko: '보관 기간이 지난 감사 기록 삭제', en: 'Old audit entries removed' },
    store_moved: { ko: '저장소 이동', en: 'Store moved' },
    erasures_reapplied: { ko: '복원 뒤 삭제 재적용', en: 'Erasures applied again' },
    entitlements_declared: { ko: '이용권 설정 변경', en: 'Entitlements declared' },
    import_started: { ko: '회원 가져오기 시작', en: 'Import of members started' },
    import_ended: { ko: '회원 가져오기 완료', en: 'Import of members ended' },
    import_stopped: { ko: '회원 가져오기 중단', en: 'Import of members stopped' },
    asserted_links_suspected: {
      ko: '미확인 이메일로 다른 플랫폼 회원 탐색 의심',
      en: 'Unverified links to members of others',
    },
    enumeration_suspected: { ko: '회원 정보 탐색 의심', en: 'Enumeration suspected' },
    membership_rebound: { ko: '회원 번호 변경', en: 'Membership rebound' },
    links_left_behind: { ko: '미확인 연결 분리', en: 'Unverified links separated' },
    link_moved: { ko: '이메일 변경', en: 'Membership moved' },
    passkey_copy_suspected: { ko: '패스키 복제 의심', en: 'Copy of a passkey suspected' },
    member_left: { ko: '플랫폼 탈퇴', en: 'Member left' },
  },
} as const satisfies Record<string, Readonly<Record<string, BilingualText>>>;
