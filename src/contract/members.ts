import { Type } from 'typebox';
import type { OpaqueParameter, PathParameter, RateLimit, GuardedRoute } from './route.ts';
import * as schemas from './member-schemas.ts';
import { anyObject } from './shapes.ts';

/** Routes of the members service. */
export const membersContract = {
  register: {
    method: 'POST',
    path: '/members/register',
    purpose: {
      ko: '플랫폼의 사용자를 통합 회원으로 등록합니다. 가입 직후 서버에서 호출합니다.',
      en: 'Register a platform’s user as a central member. Servers call it right after sign-up.',
    },
    parameters: {},
    callers: ['server'],
    scope: 'members:register',
    body: schemas.registration,
    uncheckedNames: ['extra'],
    answers: { 200: schemas.registerAnswer, 201: schemas.registerAnswer },
    problems: [
      'platform_mismatch',
      'unknown_platform',
      'invalid_email',
      'member_erased',
      'validation_failed',
    ],
    limit: perMinute('register', 6_000),
  },
  registerBatch: {
    method: 'POST',
    path: '/members/register/batch',
    purpose: {
      ko: '최대 500건을 한 번에 등록합니다. 건마다 따로 처리하고, 보낸 순서대로 결과를 돌려줍니다.',
      en: 'Register up to 500 users, each on its own. The results keep the order of the users.',
    },
    parameters: {},
    callers: ['server'],
    scope: 'members:register',
    body: Type.Object({ registrations: Type.Array(schemas.registration, { maxItems: 500 }) }),
    bodyBytesMax: batchBytesMax(),
    uncheckedNames: ['extra'],
    answers: { 200: schemas.batchAnswer(schemas.registerAnswer) },
    problems: ['validation_failed'],
    limit: perMinute('register_batch', 60),
  },
  reconcile: {
    method: 'POST',
    path: '/members/reconcile',
    purpose: {
      ko: '보낸 이메일 SHA-256 가운데 등록되지 않은 것을 돌려줍니다. 누락된 가입을 찾는 데 씁니다.',
      en: 'Return the SHA-256 hashes of a platform’s addresses that are not registered, to find lost sign-ups.',
    },
    parameters: {},
    callers: ['server'],
    scope: 'members:register',
    body: Type.Object({
      platform: Type.Optional(Type.String()),
      hashes: Type.Array(Type.String(), { maxItems: 7_000 }),
    }),
    bodyBytesMax: batchBytesMax(),
    answers: { 200: Type.Object({ missing: Type.Array(Type.String()), checked: Type.Integer() }) },
    problems: ['validation_failed', 'platform_mismatch', 'unknown_platform'],
    limit: perMinute('reconcile', 60),
  },
  rebind: {
    method: 'PATCH',
    path: '/members/{svc_uid}/memberships/{platform}',
    purpose: {
      ko: '연결의 local_user_id를 바꿉니다. 현재 값을 함께 보냅니다.',
      en: 'Change the local_user_id of a membership. The request names the current one.',
    },
    parameters: { svc_uid: svcUid(), platform: pathPlatform() },
    callers: ['server'],
    scope: 'members:register',
    body: Type.Object({
      local_user_id: schemas.localUserId,
      expected_local_user_id: Type.Union([schemas.localUserId, Type.Null()]),
    }),
    answers: {
      200: Type.Object({
        svc_uid: Type.String(),
        platform: Type.String(),
        local_user_id: Type.String(),
      }),
    },
    problems: [
      'platform_mismatch',
      'unknown_platform',
      'member_not_found',
      'version_conflict',
      'validation_failed',
    ],
    limit: perMinute('register', 6_000),
  },
  event: {
    method: 'POST',
    path: '/members/events',
    purpose: {
      ko: '회원의 이벤트를 기록합니다. 서버는 키로 보내고, 페이지는 로그인한 회원의 것만 보냅니다.',
      en: 'Record an event of a member. A server sends its key; a page sends events of the signed-in member only.',
    },
    parameters: {},
    callers: ['server', 'browser'],
    scope: 'events:write',
    body: schemas.event,
    uncheckedNames: ['meta'],
    answers: { 200: schemas.eventAnswer, 201: schemas.eventAnswer },
    problems: [
      'platform_mismatch',
      'unknown_platform',
      'member_not_found',
      'member_erased',
      'invalid_event',
      'event_not_allowed',
      'forbidden_content',
      'validation_failed',
      'uid_mismatch',
      'origin_not_allowed',
    ],
    limit: perMinute('events', 60_000),
  },
  eventBatch: {
    method: 'POST',
    path: '/members/events/batch',
    purpose: {
      ko: '이벤트를 최대 100건(페이지는 20건)까지 한 번에 기록합니다. 보낸 순서대로 결과를 돌려줍니다.',
      en: 'Record up to 100 events; a page up to 20. The results keep the order of the events.',
    },
    parameters: {},
    callers: ['server', 'browser'],
    scope: 'events:write',
    body: Type.Object({ events: Type.Array(schemas.event, { maxItems: 100 }) }),
    bodyBytesMax: batchBytesMax(),
    uncheckedNames: ['meta'],
    answers: { 200: schemas.batchAnswer(schemas.eventAnswer) },
    problems: ['validation_failed'],
    limit: perMinute('events_batch', 6_000),
  },
  cardIssued: {
    method: 'POST',
    path: '/bridges/card/events',
    purpose: {
      ko: '카드 발급을 기록합니다. card_issuer 플랫폼의 서버만 호출할 수 있습니다.',
      en: 'Record an issued card. For servers of platforms with the capability card_issuer.',
    },
    parameters: {},
    callers: ['server'],
    scope: 'events:write',
    body: Type.Object({
      svc_uid: Type.String(),
      platform: Type.Optional(Type.String()),
      event_id: Type.String(),
      occurred_at: Type.Optional(Type.String()),
      meta: Type.Optional(anyObject),
    }),
    answers: { 200: schemas.eventAnswer, 201: schemas.eventAnswer },
    problems: [
      'event_not_allowed',
      'platform_mismatch',
      'unknown_platform',
      'member_not_found',
      'member_erased',
      'forbidden_content',
      'validation_failed',
    ],
    limit: perMinute('events', 60_000),
  },
  issue: {
    method: 'POST',
    path: '/auth/sso/issue',
    purpose: {
      ko: '통합 로그인 쿠키 한 쌍을 발급합니다. 로그인 뒤 서버에서 호출하고, Set-Cookie를 브라우저에 그대로 전달합니다.',
      en: 'Issue the pair of single sign-on cookies. Servers call it after a login and relay each Set-Cookie.',
    },
    parameters: {},
    callers: ['server'],
    scope: 'sso:issue',
    body: Type.Object({
      email: Type.Optional(Type.String()),
      svc_uid: Type.Optional(Type.String()),
      platform: Type.String(),
      local_user_id: schemas.localUserId,
    }),
    answers: { 200: schemas.issueAnswer },
    problems: [
      'platform_mismatch',
      'unknown_platform',
      'sso_not_enabled',
      'email_unverified',
      'member_suspended',
      'member_not_found',
      'invalid_email',
      'validation_failed',
    ],
    limit: perMinute('sso_issue', 6_000),
  },
  verify: {
    method: 'POST',
    path: '/auth/sso/verify',
    purpose: {
      ko: '쿠키의 토큰이 유효한지, 이 플랫폼에 로그인시켜도 되는지 확인합니다.',
      en: 'Check that a cookie’s token is live and that this platform may sign its user in.',
    },
    parameters: {},
    callers: ['server'],
    scope: 'sso:verify',
    body: Type.Object({ token: Type.String(), platform: Type.Optional(Type.String()) }),
    answers: { 200: schemas.verifyAnswer },
    problems: ['platform_mismatch', 'unknown_platform', 'validation_failed'],
    limit: perMinute('sso_verify', 60_000),
  },
  revoke: {
    method: 'POST',
    path: '/auth/sso/revoke',
    purpose: {
      ko: '회원의 세션을 종료합니다. 이 플랫폼이 발급한 세션만 또는 모두 종료할 수 있습니다.',
      en: 'End a member’s sessions: those that this platform issued, or all.',
    },
    parameters: {},
    callers: ['server'],
    scope: 'sso:issue',
    body: Type.Object({
      svc_uid: Type.String(),
      platform: Type.Optional(Type.String()),
      scope: Type.Optional(Type.Union([Type.Literal('platform'), Type.Literal('all')])),
      reason: Type.Optional(Type.String()),
    }),
    answers: { 200: Type.Object({ revoked: Type.Integer() }) },
    problems: [
      'member_not_found',
      'email_unverified',
      'platform_mismatch',
      'unknown_platform',
      'validation_failed',
    ],
    limit: perMinute('sso_revoke', 600),
  },
  lookup: {
    method: 'POST',
    path: '/members/lookup',
    purpose: {
      ko: '회원을 조회합니다. 서버는 자기 플랫폼의 회원을, 페이지는 본인만 조회합니다.',
      en: 'Find a member. Servers find members of their platform, pages the signed-in member only.',
    },
    parameters: {},
    callers: ['server', 'browser'],
    scope: 'members:read',
    body: Type.Object({
      email: Type.Optional(Type.String()),
      svc_uid: Type.Optional(Type.String()),
      local_user_id: Type.Optional(schemas.localUserId),
      platform: Type.Optional(Type.String()),
    }),
    answers: { 200: schemas.lookupAnswer },
    problems: [
      'member_not_found',
      'invalid_email',
      'validation_failed',
      'platform_mismatch',
      'unknown_platform',
    ],
    limit: perMinute('lookup', 6_000),
  },
  member: {
    method: 'GET',
    path: '/members/{svc_uid}',
    purpose: {
      ko: 'svc_uid로 자기 플랫폼의 회원을 조회합니다.',
      en: 'Return a member of the platform by svc_uid.',
    },
    parameters: { svc_uid: svcUid(), platform: operatorsPlatform() },
    callers: ['server'],
    scope: 'members:read',
    answers: { 200: schemas.memberAnswer },
    problems: ['member_not_found', 'platform_mismatch', 'unknown_platform', 'validation_failed'],
    limit: perMinute('lookup', 6_000),
  },
  crossPlatform: {
    method: 'GET',
    path: '/stats/cross-platform',
    purpose: {
      ko: '플랫폼별 회원 수, 중복 가입, 이동을 집계합니다. 페이지에는 로그인한 회원에게 하루 단위로 응답합니다.',
      en: 'Count members by platform, by pairs and sets of platforms, and the flows. A signed-in member’s page gets the numbers of the day.',
    },
    parameters: {},
    callers: ['server', 'browser'],
    scope: 'stats:read',
    answers: { 200: schemas.crossPlatformAnswer },
    problems: ['origin_not_allowed', 'page_stats_disabled'],
    limit: perMinute('stats', 60),
  },
  northStar: {
    method: 'GET',
    path: '/stats/north-star',
    purpose: {
      ko: '한 주에 두 플랫폼 이상에서 활동한 회원 수와 추이를 집계합니다. 페이지에는 로그인한 회원에게 하루 단위로 응답합니다.',
      en: 'Count the weekly members active on two or more platforms, with growth and retention. A signed-in member’s page gets the numbers of the day.',
    },
    parameters: {
      weeks: {
        kind: 'opaque',
        purpose: {
          ko: '집계할 주의 수. 최대 52. 페이지는 늘 12.',
          en: 'Number of weeks, up to 52. Always 12 for a page.',
        },
      },
    },
    callers: ['server', 'browser'],
    scope: 'stats:read',
    answers: { 200: schemas.northStarAnswer },
    problems: ['validation_failed', 'origin_not_allowed', 'page_stats_disabled'],
    limit: perMinute('stats', 60),
  },
  me: {
    method: 'GET',
    path: '/auth/me',
    purpose: {
      ko: '현재 세션을 돌려줍니다. 로그인하지 않았어도 200으로 응답합니다.',
      en: 'Return the current session. Without a session the status is 200, too.',
    },
    parameters: {},
    callers: ['browser'],
    session: 'optional',
    answers: { 200: schemas.meAnswer },
    problems: [],
    limit: perMinute('me', 60_000),
  },
  logout: {
    method: 'POST',
    path: '/auth/logout',
    purpose: {
      ko: '로그아웃합니다. {"scope":"all"}이면 모든 기기에서 로그아웃합니다.',
      en: 'Log out, on all devices with {"scope":"all"}.',
    },
    parameters: {},
    callers: ['browser'],
    session: 'optional',
    body: Type.Object({
      scope: Type.Optional(Type.Union([Type.Literal('one'), Type.Literal('all')])),
    }),
    answers: { 200: Type.Object({ ok: Type.Literal(true), revoked: Type.Boolean() }) },
    problems: ['validation_failed'],
    limit: perMinute('logout', 600),
  },
} as const satisfies Record<string, GuardedRoute>;

function perMinute(name: string, calls: number): RateLimit {
  return { name, calls, windowS: 60 };
}

function batchBytesMax(): number {
  return 524_288;
}

function svcUid() {
  return {
    kind: 'path',
    required: true,
    purpose: { ko: '통합 회원 번호', en: 'The member’s id' },
  } as const satisfies PathParameter;
}

function pathPlatform() {
  return {
    kind: 'path',
    required: true,
    purpose: { ko: '플랫폼 코드', en: 'The platform’s code' },
  } as const satisfies PathParameter;
}

function operatorsPlatform() {
  return {
    kind: 'opaque',
    purpose: {
      ko: '운영자 키로 호출할 때 기준이 되는 플랫폼',
      en: 'Platform on whose behalf an operator’s key calls',
    },
  } as const satisfies OpaqueParameter;
}
