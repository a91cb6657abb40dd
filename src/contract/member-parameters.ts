import type { RawParameter, PathParameter, RateLimit } from './route.ts';

/** A limit on calls per minute. Routes with the same name share the limit. */
export function perMinute(name: string, calls: number): RateLimit {
  return { name, calls, windowS: 60 };
}

/** The path segment that names a member. */
export function svcUid() {
  return {
    kind: 'path',
    required: true,
    purpose: { ko: '통합 회원 번호', en: 'The member’s id' },
  } as const satisfies PathParameter;
}

/** The path segment that names a platform. */
export function pathPlatform() {
  return {
    kind: 'path',
    required: true,
    purpose: { ko: '플랫폼 코드', en: 'The platform’s code' },
  } as const satisfies PathParameter;
}

/** The query parameter with which a call with an operator’s key selects the platform it acts for. */
export function queryPlatform() {
  return {
    kind: 'raw',
    purpose: {
      ko: '운영자 키로 호출할 때 기준이 되는 플랫폼',
      en: 'Platform on whose behalf an operator’s key calls',
    },
  } as const satisfies RawParameter;
}
