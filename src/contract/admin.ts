import { Type, type TProperties } from 'typebox';
import type { Operation } from './operation.ts';
import type { BilingualText } from './language.ts';
import { anyObject } from './member-schemas.ts';

/** What is answered for a part of a path that leads nowhere. */
const absentAt = [
  ['{svc_uid}', 'member_not_found'],
  ['{merge_id}', 'member_not_found'],
  ['{code}', 'unknown_platform'],
  ['{kid}', 'not_found'],
  ['{id}', 'not_found'],
] as const;

/** The operator's interface, on a listener of its own. What changes something takes a `reason`, for the audit. */
export const adminContract = {
  session: get('/api/session', { ko: '지금의 운영자', en: 'The operator who is signed in' }),
  overview: get('/api/overview', {
    ko: '전체 여정 이벤트 수와 종류, 회원, 12주 추이',
    en: 'Total journey events, by event and source, members, and 12 weeks',
  }),
  members: get(
    '/api/members',
    { ko: '회원을 가입한 순서로', en: 'Members in the order they joined' },
    { after: { ko: '앞 쪽의 next_cursor', en: 'next_cursor of the page before' } },
  ),
  search: post(
    '/api/members/search',
    { ko: '회원 찾기', en: 'Find a member' },
    {
      email: Type.Optional(Type.String()),
      realm: Type.Optional(Type.String()),
      svc_uid: Type.Optional(Type.String()),
      platform: Type.Optional(Type.String()),
      local_user_id: Type.Optional(Type.String()),
    },
    ['invalid_email', 'unknown_platform'],
  ),
  member: get('/api/members/{svc_uid}', {
    ko: '한 회원의 연결, 병합, 최근 이벤트',
    en: 'A member with links, merges and latest events',
  }),
  timeline: get(
    '/api/members/{svc_uid}/timeline',
    {
      ko: '한 회원의 이벤트를 도착한 역순으로',
      en: 'Events of a member, the newest to arrive first',
    },
    { before: { ko: '앞 쪽의 next_cursor', en: 'next_cursor of the page before' } },
  ),
  reveal: change('/api/members/{svc_uid}/reveal', {
    ko: '가린 이메일 보기 (감사 기록에 남음)',
    en: 'Show the masked address (audited)',
  }),
  tier: change(
    '/api/members/{svc_uid}/tier',
    { ko: '등급 바꾸기', en: 'Change the tier' },
    { tier: Type.String() },
  ),
  suspend: change('/api/members/{svc_uid}/suspend', { ko: '정지', en: 'Suspend' }),
  restore: change('/api/members/{svc_uid}/restore', { ko: '정지 해제', en: 'Lift a suspension' }),
  endSessions: change('/api/members/{svc_uid}/sessions/end', {
    ko: '모든 세션 끝내기',
    en: 'End every session',
  }),
  export: change('/api/members/{svc_uid}/export', {
    ko: '가진 것 모두 내보내기',
    en: 'Everything kept of a member',
  }),
  erase: change('/api/members/{svc_uid}/erase', {
    ko: '영구 삭제, 영수증을 돌려줌',
    en: 'Erase for good; answers a receipt',
  }),
  merge: change(
    '/api/merges',
    { ko: '두 회원을 하나로', en: 'Make two members one' },
    { from: Type.String(), into: Type.String(), dry_run: Type.Optional(Type.Boolean()) },
    ['member_not_found'],
  ),
  split: change(
    '/api/merges/{merge_id}/split',
    { ko: '병합 되돌리기', en: 'Undo a merge' },
    { dry_run: Type.Optional(Type.Boolean()) },
  ),
  platforms: get('/api/platforms', { ko: '플랫폼', en: 'Platforms' }),
  declarePlatform: change(
    '/api/platforms',
    { ko: '플랫폼 추가나 변경', en: 'Add or change a platform' },
    {
      code: Type.String(),
      name: Type.Optional(Type.String()),
      realm: Type.Optional(Type.String()),
      assurance: Type.Optional(Type.String()),
      origins: Type.Optional(Type.Array(Type.String())),
      capabilities: Type.Optional(Type.Array(Type.String())),
      cookie_domain: Type.Optional(Type.Boolean()),
      disabled: Type.Optional(Type.Boolean()),
    },
  ),
  disablePlatform: change('/api/platforms/{code}/disable', { ko: '중지', en: 'Disable' }),
  enablePlatform: change('/api/platforms/{code}/enable', { ko: '다시 허용', en: 'Enable' }),
  keys: get(
    '/api/keys',
    { ko: '키, 새것부터', en: 'Keys, the newest first' },
    { after: { ko: '앞 쪽의 next_cursor', en: 'next_cursor of the page before' } },
    ['not_found'],
  ),
  issueKey: change(
    '/api/keys',
    { ko: '키 발급 (한 번만 보임)', en: 'Issue a key (shown once)' },
    {
      platform: Type.Union([Type.String(), Type.Null()]),
      scopes: Type.Array(Type.String()),
      label: Type.Optional(Type.String()),
    },
    ['unknown_platform'],
  ),
  rotateKey: change(
    '/api/keys/{kid}/rotate',
    { ko: '키 교체', en: 'Rotate a key' },
    { overlap_hours: Type.Optional(Type.Number()) },
  ),
  revokeKey: change('/api/keys/{kid}/revoke', { ko: '키 폐기', en: 'Revoke a key' }),
  leakedKey: change('/api/keys/{kid}/leaked', {
    ko: '유출된 키 폐기',
    en: 'Revoke a key that others have seen',
  }),
  audit: get(
    '/api/audit',
    { ko: '감사 기록', en: 'The audit' },
    { after: { ko: '이 번호 다음부터', en: 'From the row after this number' } },
  ),
  verifyAudit: get('/api/audit/verification', {
    ko: '감사 기록이 온전한지',
    en: 'Whether the audit is whole',
  }),
  webhooks: get(
    '/api/webhooks',
    { ko: '웹훅과 최근 전송', en: 'Webhooks and latest messages' },
    { before: { ko: '앞 쪽의 next_cursor', en: 'next_cursor of the page before' } },
  ),
  addWebhook: change(
    '/api/webhooks',
    { ko: '웹훅 추가', en: 'Add a webhook' },
    { url: Type.String(), types: Type.Array(Type.String()) },
  ),
  disableWebhook: change('/api/webhooks/{id}/disable', {
    ko: '웹훅 멈추기',
    en: 'Stop sending to a webhook',
  }),
  enableWebhook: change('/api/webhooks/{id}/enable', {
    ko: '웹훅 다시 보내기',
    en: 'Send to a webhook again',
  }),
  replayMessage: change('/api/webhooks/messages/{id}/replay', {
    ko: '다시 보내기',
    en: 'Send a message again',
  }),
  snapshots: get('/api/snapshots', {
    ko: '조회 서비스의 스냅샷',
    en: 'Snapshots of the lookup service',
  }),
  collections: get('/api/collections', {
    ko: '조회 서비스가 축마다 마지막으로 수집한 일',
    en: 'The latest collection of each axis of the lookup service',
  }),
  limits: get('/api/limits', { ko: '호출 제한', en: 'Limits on calls' }),
  storage: get('/api/storage', {
    ko: '디스크에 남은 자리와 회원 저장소의 크기',
    en: 'Room left on the disk, and the size of the members’ store',
  }),
  jobs: get('/api/jobs', { ko: '정리 작업의 마지막 실행', en: 'Last runs of the retention jobs' }),
} as const satisfies Record<string, Operation>;

/** Every code a row may answer. */
export function adminProblemsOf({ problems }: Operation): readonly string[] {
  return [
    'session_required',
    'csrf_rejected',
    'validation_failed',
    'bad_request',
    'malformed_json',
    'body_too_large',
    'unsupported_media_type',
    'method_not_allowed',
    'rate_limited',
    'overloaded',
    'storage_unavailable',
    ...problems,
  ];
}

function get<const Path extends string>(
  path: Path,
  purpose: BilingualText,
  query: Operation['query'] = {},
  problems: readonly string[] = [],
) {
  return { ...row(path, purpose, problems), method: 'GET' as const, query };
}

function post<const Path extends string>(
  path: Path,
  purpose: BilingualText,
  body: TProperties,
  problems: readonly string[] = [],
) {
  return { ...row(path, purpose, problems), method: 'POST' as const, body: Type.Object(body) };
}

function change<const Path extends string>(
  path: Path,
  purpose: BilingualText,
  body: TProperties = {},
  problems: readonly string[] = [],
) {
  const reason = Type.String({ minLength: 1, maxLength: 500 });
  return post(path, purpose, { ...body, reason }, problems);
}

function row<const Path extends string>(
  path: Path,
  purpose: BilingualText,
  problems: readonly string[],
) {
  const ofPath = absentAt.filter(([part]) => path.includes(part)).map(([, code]) => code);
  return {
    path,
    purpose,
    answers: { 200: anyObject },
    problems: [...ofPath, ...problems],
    limit: { name: 'admin', calls: 600, windowS: 60 },
  };
}
