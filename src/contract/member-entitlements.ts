import { queryPlatform, perMinute, svcUid } from './member-parameters.ts';
import * as schemas from './member-schemas.ts';
import type { GuardedRoute, PathParameter } from './route.ts';
import { nullable } from './shapes.ts';
import { Type } from './type.ts';

const code = {
  kind: 'path',
  required: true,
  purpose: { ko: '이용권 코드', en: 'The entitlement’s code' },
} as const satisfies PathParameter;

/** Routes of the members service about entitlements: what a member may use, and until when. */
export const entitlementRoutes = {
  entitlements: {
    method: 'GET',
    path: '/members/{svc_uid}/entitlements',
    purpose: {
      ko: '회원이 지금, 또는 at 시각에 가진 이용권과 부여 이력을 돌려줍니다.',
      en: 'Return the entitlements of a member, now or at a moment, with the history of grants.',
    },
    parameters: {
      svc_uid: svcUid(),
      at: {
        kind: 'raw',
        purpose: {
          ko: '기준 시각(ISO 8601). 없으면 지금.',
          en: 'The moment, in ISO 8601; now if absent.',
        },
      },
      platform: queryPlatform(),
    },
    callers: ['server'],
    scope: 'members:entitle',
    answers: { 200: schemas.entitlementsAnswer },
    problems: [
      'member_not_found',
      'member_erased',
      'consent_required',
      'platform_mismatch',
      'unknown_platform',
      'validation_failed',
    ],
    limit: perMinute('entitlements', 6_000),
  },
  grantEntitlement: {
    method: 'PUT',
    path: '/members/{svc_uid}/entitlements/{code}',
    purpose: {
      ko: '이용권을 부여합니다. from부터 같은 플랫폼이 부여한 같은 코드를 대신합니다. 다시 보내도 바뀌지 않습니다.',
      en: 'Grant an entitlement. From its start on, it replaces grants of the same code by the same platform; a repeat changes nothing.',
    },
    parameters: { svc_uid: svcUid(), code, platform: queryPlatform() },
    callers: ['server'],
    scope: 'members:entitle',
    body: Type.Object({
      from: Type.Optional(Type.String()),
      until: Type.Optional(nullable(Type.String())),
      expected_local_user_id: Type.Optional(schemas.expectedLocalUserId),
    }),
    answers: {
      200: Type.Object({ svc_uid: Type.String(), entitlement: schemas.entitlement }),
    },
    problems: [
      'member_not_found',
      'member_erased',
      'ambiguous_svc_uid',
      'version_conflict',
      'platform_mismatch',
      'unknown_platform',
      'validation_failed',
      'unknown_entitlement',
      'invalid_period',
      'too_many_entitlements',
    ],
    limit: perMinute('entitlements', 6_000),
  },
  revokeEntitlement: {
    method: 'DELETE',
    path: '/members/{svc_uid}/entitlements/{code}',
    purpose: {
      ko: '이 플랫폼이 부여한 이용권을 지금 끝냅니다.',
      en: 'End the grants of an entitlement by this platform now.',
    },
    parameters: { svc_uid: svcUid(), code, platform: queryPlatform() },
    callers: ['server'],
    scope: 'members:entitle',
    body: Type.Object({
      expected_local_user_id: Type.Optional(schemas.expectedLocalUserId),
    }),
    answers: {
      200: Type.Object({
        svc_uid: Type.String(),
        /** Number of grants that ended. */
        ended: Type.Integer(),
      }),
    },
    problems: [
      'member_not_found',
      'member_erased',
      'ambiguous_svc_uid',
      'version_conflict',
      'platform_mismatch',
      'unknown_platform',
      'validation_failed',
      'unknown_entitlement',
    ],
    limit: perMinute('entitlements', 6_000),
  },
} as const satisfies Record<string, GuardedRoute>;
