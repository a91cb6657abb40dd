import { queryPlatform, perMinute, svcUid } from './member-parameters.ts';
import * as schemas from './member-schemas.ts';
import type { GuardedRoute, PathParameter } from './route.ts';
import { Type } from './type.ts';

const purpose = {
  kind: 'path',
  required: true,
  purpose: { ko: '동의 목적 코드', en: 'The purpose’s code' },
} as const satisfies PathParameter;

/** Routes of the members service about consents: what a member agreed to on a platform, and to which text. */
export const consentRoutes = {
  consents: {
    method: 'GET',
    path: '/members/{svc_uid}/consents',
    purpose: {
      ko: '회원이 이 플랫폼에서 한 동의와 철회를 돌려줍니다.',
      en: 'Return what a member consented to and withdrew on the platform.',
    },
    parameters: { svc_uid: svcUid(), platform: queryPlatform() },
    callers: ['server'],
    scope: 'members:privacy',
    answers: { 200: schemas.consentsAnswer },
    problems: [
      'member_not_found',
      'member_erased',
      'platform_mismatch',
      'unknown_platform',
      'validation_failed',
    ],
    limit: perMinute('consents', 6_000),
  },
  giveConsent: {
    method: 'PUT',
    path: '/members/{svc_uid}/consents/{purpose}',
    purpose: {
      ko: '회원의 동의를 저장합니다. 같은 동의를 다시 보내도 바뀌지 않고, 수신동의를 재확인했으면 reminded를 함께 보냅니다.',
      en: 'Store a consent of a member. A repeat changes nothing; with reminded the consent counts anew, after the member was reminded of it.',
    },
    parameters: { svc_uid: svcUid(), purpose, platform: queryPlatform() },
    callers: ['server'],
    scope: 'members:register',
    body: Type.Object({
      version: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
      given_at: Type.Optional(Type.String()),
      reminded: Type.Optional(Type.Boolean()),
      expected_local_user_id: Type.Optional(schemas.expectedLocalUserId),
    }),
    answers: { 200: schemas.consentAnswer },
    problems: [
      'member_not_found',
      'member_erased',
      'ambiguous_svc_uid',
      'version_conflict',
      'platform_mismatch',
      'unknown_platform',
      'validation_failed',
      'unknown_purpose',
      'forbidden_content',
      'too_many_consents',
    ],
    limit: perMinute('consents', 6_000),
  },
  withdrawConsent: {
    method: 'DELETE',
    path: '/members/{svc_uid}/consents/{purpose}',
    purpose: {
      ko: '회원이 동의를 철회했음을 저장합니다. 이전 기록은 남습니다.',
      en: 'Store that a member withdrew a consent. The earlier records stay.',
    },
    parameters: { svc_uid: svcUid(), purpose, platform: queryPlatform() },
    callers: ['server'],
    scope: 'members:privacy',
    body: Type.Object({
      withdrawn_at: Type.Optional(Type.String()),
      expected_local_user_id: Type.Optional(schemas.expectedLocalUserId),
    }),
    answers: { 200: schemas.consentAnswer },
    problems: [
      'member_not_found',
      'member_erased',
      'ambiguous_svc_uid',
      'version_conflict',
      'platform_mismatch',
      'unknown_platform',
      'validation_failed',
      'unknown_purpose',
      'forbidden_content',
    ],
    limit: perMinute('consents', 6_000),
  },
} as const satisfies Record<string, GuardedRoute>;
