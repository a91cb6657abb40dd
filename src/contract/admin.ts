import * as schemas from './admin-schemas.ts';
import { scopes, webhookTypes } from './enumerations.ts';
import { crossPlatformAnswer, exportAnswer, northStarAnswer } from './member-schemas.ts';
import { withRole, action, cursor, get, post } from './operator-route.ts';
import { operatorDataRoutes } from './operator-data.ts';
import { operatorConsentRoutes } from './operator-consents.ts';
import { operatorMergeRoutes } from './operator-merges.ts';
import {
  eventWeeksAnswer,
  feedAnswer,
  funnelAnswer,
  healthAnswer,
  overviewAnswer,
} from './operator-statistics.ts';
import { operatorRoutes } from './operators.ts';
import { passkeyRoutes } from './passkeys.ts';
import type { Route } from './route.ts';
import { lenient, nullable, oneOf } from './shapes.ts';
import { Type } from './type.ts';

/**
 * The operator's interface, on its own listener. Every change takes a `reason` for the audit log. Roles: `view` reads,
 * with masked addresses; `support` changes members, platforms and webhooks that exist; `privacy` reveals, exports and
 * erases; `owner` gives access to others: keys, platforms, webhooks and operators.
 */
export const adminContract = {
  session: get(
    '/api/session',
    { ko: '로그인한 운영자', en: 'The signed-in operator' },
    schemas.sessionAnswer,
  ),
  overview: get(
    '/api/overview',
    {
      ko: '전체 여정 이벤트 수와 종류, 회원 수, 12주 추이',
      en: 'Number of journey events, in total and by kind, number of members, and trend of 12 weeks',
    },
    overviewAnswer,
  ),
  eventWeeks: get(
    '/api/events/weeks',
    {
      ko: '12주의 이벤트 수, 플랫폼과 이벤트로 좁힐 수 있음',
      en: 'Events of 12 weeks, of one platform or of one kind on request',
    },
    eventWeeksAnswer,
    {
      query: {
        platform: { ko: '이 플랫폼의 이벤트만', en: 'Only events of the platform' },
        event: { ko: '이 이벤트만, 예: purchase', en: 'Only this event, such as purchase' },
      },
      problems: ['unknown_platform', 'validation_failed'],
    },
  ),
  feed: get(
    '/api/events',
    {
      ko: '모든 회원의 최근 이벤트 (받은 순서의 역순)',
      en: 'Latest events of all members, last received first',
    },
    feedAnswer,
    {
      query: {
        platform: { ko: '이 플랫폼의 이벤트만', en: 'Only events of the platform' },
        event: { ko: '이 이벤트만, 예: purchase', en: 'Only this event, such as purchase' },
        after: { ko: '이 번호 다음에 받은 이벤트만', en: 'Only events received after this number' },
        before: cursor,
      },
      problems: ['unknown_platform', 'validation_failed'],
    },
  ),
  health: get(
    '/api/health',
    {
      ko: '플랫폼마다 마지막 이벤트와 가입, 서비스 시작 뒤의 거부와 통합 로그인 수, 키 (소식이 없는 플랫폼 먼저)',
      en: 'For each platform its latest event and registration, its refusals and shared sign-ins since the service started, and its keys; silent platforms first',
    },
    healthAnswer,
  ),
  crossPlatform: get(
    '/api/cross-platform',
    {
      ko: '플랫폼의 겹침과 이동 (가리지 않은 수)',
      en: 'Overlap of platforms and flows between them, small counts included',
    },
    crossPlatformAnswer,
  ),
  northStar: get(
    '/api/north-star',
    { ko: '12주의 활동과 재방문', en: 'Activity and retention of 12 weeks' },
    northStarAnswer,
  ),
  funnel: get(
    '/api/funnel',
    {
      ko: '플랫폼마다 가입, 방문, 구매까지 이어진 사용자',
      en: 'Users from registration to visit and purchase, by platform',
    },
    funnelAnswer,
    {
      query: {
        from: {
          ko: '첫날 (서울, 2026-11-01). 기본값은 to의 28일 전부터',
          en: 'First day in Seoul, such as 2026-11-01; by default the first of the 28 days that end with `to`',
        },
        to: { ko: '마지막 날. 기본값은 어제', en: 'Last day; by default yesterday' },
      },
      problems: ['validation_failed'],
    },
  ),
  members: get(
    '/api/members',
    { ko: '회원 목록 (가입한 순서)', en: 'Members in the order they joined' },
    schemas.membersAnswer,
    {
      query: {
        after: cursor,
        platform: { ko: '이 플랫폼과 연결된 회원만', en: 'Only members linked to the platform' },
        tier: { ko: '이 등급만', en: 'Only this tier' },
        status: { ko: 'active 또는 suspended', en: 'active or suspended' },
        from: { ko: '가입 첫날 (서울)', en: 'First day of joining, in Seoul' },
        to: { ko: '가입 마지막 날', en: 'Last day of joining' },
      },
      problems: ['unknown_platform'],
    },
  ),
  search: withRole(
    'view',
    post(
      '/api/members/search',
      { ko: '회원 찾기', en: 'Find a member' },
      Type.Object({
        email: Type.Optional(Type.String()),
        realm: Type.Optional(Type.String()),
        svc_uid: Type.Optional(Type.String()),
        platform: Type.Optional(Type.String()),
        local_user_id: Type.Optional(Type.String()),
      }),
      schemas.searchAnswer,
      ['invalid_email', 'unknown_platform'],
    ),
  ),
  member: get(
    '/api/members/{svc_uid}',
    {
      ko: '회원의 연결, 병합, 최근 이벤트',
      en: 'A member with its links, merges and latest events',
    },
    schemas.memberAnswer,
    {
      query: {
        before: {
          ko: '이전 페이지의 timeline_cursor',
          en: 'timeline_cursor of the previous page',
        },
      },
    },
  ),
  timeline: get(
    '/api/members/{svc_uid}/timeline',
    { ko: '회원의 이벤트 (최근에 일어난 순서)', en: 'Events of a member, latest happened first' },
    schemas.timelineAnswer,
    { query: { before: cursor } },
  ),
  reveal: withRole(
    'privacy',
    action(
      '/api/members/{svc_uid}/reveal',
      { ko: '이메일 보기', en: 'Show the email address' },
      { answer: schemas.revealAnswer },
    ),
  ),
  tier: action(
    '/api/members/{svc_uid}/tier',
    { ko: '등급 변경', en: 'Change the tier' },
    // `setTier` checks the characters of a tier.
    { body: { tier: Type.String() }, answer: schemas.tierAnswer },
  ),
  grantEntitlement: action(
    '/api/members/{svc_uid}/entitlements',
    { ko: '이용권 부여', en: 'Grant an entitlement' },
    {
      body: {
        code: Type.String(),
        from: Type.Optional(Type.String()),
        until: Type.Optional(nullable(Type.String())),
      },
      answer: schemas.grantAnswer,
      problems: ['unknown_entitlement', 'invalid_period', 'too_many_entitlements'],
    },
  ),
  revokeEntitlement: action(
    '/api/members/{svc_uid}/entitlements/revoke',
    { ko: '이용권 회수', en: 'Revoke an entitlement' },
    {
      body: { code: Type.String() },
      answer: schemas.revokeAnswer,
      problems: ['unknown_entitlement'],
    },
  ),
  ...operatorConsentRoutes,
  suspend: action('/api/members/{svc_uid}/suspend', { ko: '회원 정지', en: 'Suspend the member' }),
  restore: action('/api/members/{svc_uid}/restore', { ko: '정지 해제', en: 'Lift the suspension' }),
  endSessions: action('/api/members/{svc_uid}/sessions/end', {
    ko: '모든 세션 종료',
    en: 'End all sessions',
  }),
  endManySessions: action(
    '/api/sessions/end',
    { ko: '세션 일괄 종료', en: 'End sessions of many members' },
    {
      body: {
        scope: oneOf(['all', 'platform']),
        platform: Type.Optional(nullable(Type.String())),
        before: Type.Optional(nullable(Type.String())),
      },
      problems: ['unknown_platform'],
    },
  ),
  suspectedSessions: get(
    '/api/sessions/suspected',
    {
      ko: '같은 때에 두 곳에서 사용된 세션 (최신순)',
      en: 'Sessions used from two places at about the same time, newest first',
    },
    schemas.suspectedAnswer,
  ),
  export: withRole(
    'privacy',
    action(
      '/api/members/{svc_uid}/export',
      { ko: '회원 정보 내보내기', en: 'Export the member' },
      { answer: exportAnswer },
    ),
  ),
  erase: withRole(
    'privacy',
    action(
      '/api/members/{svc_uid}/erase',
      { ko: '회원 영구 삭제', en: 'Erase the member' },
      { answer: schemas.eraseAnswer },
    ),
  ),
  ...operatorMergeRoutes,
  platforms: get('/api/platforms', { ko: '플랫폼 목록', en: 'Platforms' }, schemas.platformsAnswer),
  declarePlatform: withRole(
    'owner',
    post(
      '/api/platforms',
      { ko: '플랫폼 추가·변경', en: 'Add or change a platform' },
      // The reader of platform configurations checks the declaration, and reports all of its faults at once.
      lenient({ ...schemas.platformDeclaration, reason: schemas.reason }),
      schemas.declareAnswer,
    ),
  ),
  disablePlatform: action('/api/platforms/{code}/disable', {
    ko: '플랫폼 중지',
    en: 'Disable the platform',
  }),
  enablePlatform: action('/api/platforms/{code}/enable', {
    ko: '플랫폼 중지 해제',
    en: 'Enable the platform',
  }),
  keys: get(
    '/api/keys',
    { ko: 'API 키 목록 (최신순)', en: 'API keys, newest first' },
    schemas.keysAnswer,
    { query: { after: cursor }, problems: ['not_found'] },
  ),
  issueKey: withRole(
    'owner',
    action(
      '/api/keys',
      { ko: 'API 키 발급', en: 'Issue an API key' },
      {
        body: {
          platform: nullable(Type.String()),
          scopes: Type.Array(oneOf(scopes)),
          label: Type.Optional(Type.String()),
        },
        answer: schemas.newKeyAnswer,
        problems: ['unknown_platform'],
      },
    ),
  ),
  rotateKey: withRole(
    'owner',
    action(
      '/api/keys/{kid}/rotate',
      { ko: 'API 키 교체', en: 'Rotate the API key' },
      {
        // A form sends text, a program a number. `overlapHoursOf` checks the bounds.
        body: {
          overlap_hours: Type.Optional(Type.Union([Type.Number(), Type.String(), Type.Null()])),
        },
        answer: schemas.newKeyAnswer,
      },
    ),
  ),
  revokeKey: action('/api/keys/{kid}/revoke', { ko: 'API 키 폐기', en: 'Revoke the API key' }),
  leakedKey: action('/api/keys/{kid}/leaked', {
    ko: '유출된 API 키 폐기',
    en: 'Revoke the leaked API key',
  }),
  audit: get('/api/audit', { ko: '감사 기록', en: 'Audit log' }, schemas.auditAnswer, {
    query: { after: { ko: '이 번호 다음 기록부터', en: 'Entries after this number' } },
  }),
  verifyAudit: get(
    '/api/audit/verification',
    { ko: '감사 기록 검증', en: 'Verify the audit log' },
    schemas.verdictAnswer,
    {
      query: {
        from: {
          ko: 'start이면 처음부터, 없으면 마지막 봉인부터 검증',
          en: '`start` verifies all entries; without it, only those after the last seal are verified',
        },
      },
    },
  ),
  assurance: get(
    '/api/assurance',
    {
      ko: '최근 30일 동안 이메일이 처음 확인된 회원과 그 확인으로 끝난 세션의 수, 날짜와 플랫폼별',
      en: 'Members whose address was verified for the first time and sessions that this ended, by day and platform, for 30 days',
    },
    schemas.assuranceAnswer,
  ),
  webhooks: get(
    '/api/webhooks',
    { ko: '웹훅과 최근 메시지', en: 'Webhooks and latest messages' },
    schemas.webhooksAnswer,
    { query: { before: cursor } },
  ),
  addWebhook: withRole(
    'owner',
    action(
      '/api/webhooks',
      { ko: '웹훅 추가', en: 'Add a webhook' },
      {
        body: {
          url: Type.String({ minLength: 1, maxLength: 2_048 }),
          types: Type.Array(oneOf(webhookTypes)),
          /** Code of the platform whose members the messages are about; null for all members. */
          platform: Type.Optional(Type.Union([Type.String({ maxLength: 32 }), Type.Null()])),
        },
        answer: schemas.addWebhookAnswer,
      },
    ),
  ),
  disableWebhook: action('/api/webhooks/{id}/disable', {
    ko: '웹훅 중지',
    en: 'Disable the webhook',
  }),
  enableWebhook: action('/api/webhooks/{id}/enable', {
    ko: '웹훅 재개',
    en: 'Enable the webhook',
  }),
  removeWebhook: withRole(
    'owner',
    action('/api/webhooks/{id}/remove', { ko: '웹훅 삭제', en: 'Remove the webhook' }),
  ),
  replayMessage: action('/api/webhooks/messages/{id}/replay', {
    ko: '웹훅 메시지 재전송',
    en: 'Send the webhook message again',
  }),
  limits: get('/api/limits', { ko: '호출 한도', en: 'Rate limits' }, schemas.limitsAnswer),
  storage: get(
    '/api/storage',
    {
      ko: '디스크 여유 공간과 회원 저장소의 크기',
      en: 'Free disk space and the size of the member store',
    },
    schemas.storageAnswer,
  ),
  jobs: get(
    '/api/jobs',
    { ko: '정리 작업의 마지막 실행', en: 'Last run of each retention job' },
    schemas.jobsAnswer,
  ),
  ...operatorDataRoutes,
  ...operatorRoutes,
  ...passkeyRoutes,
} as const satisfies Record<string, Route>;
