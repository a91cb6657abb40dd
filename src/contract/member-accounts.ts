import { queryPlatform, pathPlatform, perMinute, svcUid } from './member-parameters.ts';
import * as schemas from './member-schemas.ts';
import type { GuardedRoute } from './route.ts';
import { Type } from './type.ts';

/** Routes of the members service about the life of an account: its email address, its export, its end. */
export const accountRoutes = {
  changeMembership: {
    method: 'PATCH',
    path: '/members/{svc_uid}/memberships/{platform}',
    purpose: {
      ko: '연결의 이메일이나 local_user_id를 바꿉니다. 현재 값을 함께 보냅니다.',
      en: 'Change the email or the local_user_id of a membership. Send the current value with it, as expected_email or expected_local_user_id.',
    },
    parameters: { svc_uid: svcUid(), platform: pathPlatform() },
    callers: ['server'],
    scope: 'members:register',
    body: Type.Object({
      email: Type.Optional(Type.String()),
      expected_email: Type.Optional(Type.String()),
      email_verified: Type.Optional(Type.Boolean()),
      local_user_id: Type.Optional(schemas.localUserId),
      expected_local_user_id: Type.Optional(schemas.expectedLocalUserId),
    }),
    answers: { 200: schemas.membershipAnswer },
    problems: [
      'platform_mismatch',
      'unknown_platform',
      'member_not_found',
      'version_conflict',
      'forbidden_content',
      'email_taken',
      'local_user_id_taken',
      'invalid_email',
      'validation_failed',
    ],
    limit: perMinute('register', 6_000),
  },
  endMembership: {
    method: 'DELETE',
    path: '/members/{svc_uid}/memberships/{platform}',
    purpose: {
      ko: '회원이 플랫폼을 떠납니다. 연결과 그 세션이 끝나고, 연결이 더 없는 회원은 삭제됩니다.',
      en: 'End a membership and its sessions when its user leaves. A member without another membership is erased.',
    },
    parameters: { svc_uid: svcUid(), platform: pathPlatform() },
    callers: ['server'],
    scope: 'members:privacy',
    body: Type.Object({
      expected_local_user_id: Type.Optional(schemas.expectedLocalUserId),
    }),
    answers: { 200: schemas.leaveAnswer },
    problems: [
      'platform_mismatch',
      'unknown_platform',
      'member_not_found',
      'member_erased',
      'ambiguous_svc_uid',
      'version_conflict',
      'validation_failed',
    ],
    limit: perMinute('leave', 600),
  },
  leave: {
    method: 'POST',
    path: '/members/leave',
    purpose: {
      ko: 'local_user_id로 연결을 끝냅니다. 계정을 닫은 직후 서버에서 호출합니다.',
      en: 'End the membership of a local_user_id. Servers call it right after they close an account.',
    },
    parameters: {},
    callers: ['server'],
    scope: 'members:privacy',
    body: Type.Object({
      local_user_id: schemas.localUserId,
      platform: Type.Optional(Type.String()),
      requested_at: Type.Optional(Type.String()),
    }),
    answers: { 200: schemas.leaveAnswer },
    problems: [
      'platform_mismatch',
      'unknown_platform',
      'member_not_found',
      'forbidden_content',
      'validation_failed',
    ],
    limit: perMinute('leave', 600),
  },
  exportMember: {
    method: 'GET',
    path: '/members/{svc_uid}/export',
    purpose: {
      ko: '회원에 관해 이 플랫폼의 것으로 저장된 모든 데이터를 돌려줍니다.',
      en: 'Return all data that is stored about a member for the platform.',
    },
    parameters: { svc_uid: svcUid(), platform: queryPlatform() },
    callers: ['server'],
    scope: 'members:privacy',
    answers: { 200: schemas.exportAnswer },
    problems: ['member_not_found', 'platform_mismatch', 'unknown_platform', 'validation_failed'],
    limit: perMinute('export', 60),
  },
  eraseMember: {
    method: 'DELETE',
    path: '/members/{svc_uid}',
    purpose: {
      ko: '이 플랫폼의 것으로 저장된 회원의 데이터를 지웁니다. 다른 플랫폼이 함께 쓰지 않는 회원은 삭제됩니다.',
      en: 'Erase the platform’s data of a member, and the member itself unless other platforms share it.',
    },
    parameters: { svc_uid: svcUid(), platform: queryPlatform() },
    callers: ['server'],
    scope: 'members:privacy',
    body: Type.Object({
      expected_local_user_id: Type.Optional(schemas.expectedLocalUserId),
    }),
    answers: { 200: schemas.leaveAnswer },
    problems: [
      'member_not_found',
      'member_erased',
      'ambiguous_svc_uid',
      'version_conflict',
      'platform_mismatch',
      'unknown_platform',
      'validation_failed',
    ],
    limit: perMinute('leave', 600),
  },
} as const satisfies Record<string, GuardedRoute>;
