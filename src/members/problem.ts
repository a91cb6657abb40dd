import type { BilingualText } from '../kernel/problem.ts';

/** A refusal or failure of the members service: the one error its callers meet. Never holds an address or a secret. */
export class MemberProblem extends Error {
  readonly code: MemberProblemCode;
  readonly detail: BilingualText;
  readonly errors: readonly MemberProblemError[];
  /** Whole seconds after which a new try makes sense; null where waiting changes nothing. */
  readonly retryAfterS: number | null;

  constructor(code: MemberProblemCode, detail: BilingualText, options: MemberProblemOptions = {}) {
    super(detail.en, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'MemberProblem';
    this.code = code;
    this.detail = detail;
    this.errors = options.errors ?? [];
    this.retryAfterS = options.retryAfterS ?? null;
  }

  get status(): number {
    return memberProblemTable[this.code].status;
  }

  /** Whether the same request can succeed later without a change by the caller. */
  get retryable(): boolean {
    return this.status === 429 || this.status === 503;
  }
}

/** One part of a body at fault; `pointer` is an RFC 6901 pointer into it. */
export interface MemberProblemError {
  readonly pointer: string;
  readonly code: string;
  readonly message: BilingualText;
  readonly fix: BilingualText;
}

export interface MemberProblemOptions {
  readonly errors?: readonly MemberProblemError[];
  readonly retryAfterS?: number;
  readonly cause?: unknown;
}

/** A refusal of one part of a body. */
export function invalid(
  code: MemberProblemCode,
  pointer: string,
  message: BilingualText,
  fix: BilingualText,
): MemberProblem {
  return new MemberProblem(code, message, { errors: [{ pointer, code, message, fix }] });
}

/** What a caller gets for a member that is absent and for one that is not theirs: the same. */
export function memberNotFound(): MemberProblem {
  return new MemberProblem('member_not_found', {
    ko: '이 플랫폼에 연결된 회원을 찾을 수 없습니다.',
    en: 'No member linked to this platform was found.',
  });
}

/** Every code of the members contract with its status and title. */
export const memberProblemTable = {
  malformed_json: { status: 400, ko: 'JSON을 읽을 수 없습니다', en: 'Malformed JSON' },
  browser_call_refused: {
    status: 401,
    ko: '브라우저에서는 부를 수 없습니다',
    en: 'Browser call refused',
  },
  missing_api_key: { status: 401, ko: 'API 키가 없습니다', en: 'Missing API key' },
  invalid_api_key: { status: 401, ko: 'API 키가 올바르지 않습니다', en: 'Invalid API key' },
  expired_api_key: { status: 401, ko: '만료된 API 키입니다', en: 'Expired API key' },
  revoked_api_key: { status: 401, ko: '폐기된 API 키입니다', en: 'Revoked API key' },
  session_required: { status: 401, ko: '로그인이 필요합니다', en: 'Session required' },
  insufficient_scope: { status: 403, ko: '키의 권한이 부족합니다', en: 'Insufficient scope' },
  platform_mismatch: { status: 403, ko: '키의 플랫폼이 아닙니다', en: 'Platform mismatch' },
  platform_disabled: { status: 403, ko: '중지된 플랫폼입니다', en: 'Platform disabled' },
  origin_not_allowed: { status: 403, ko: '허용되지 않은 출처입니다', en: 'Origin not allowed' },
  csrf_rejected: {
    status: 403,
    ko: '위조가 의심되는 요청입니다',
    en: 'Cross-site request rejected',
  },
  uid_mismatch: { status: 403, ko: '본인의 svc_uid가 아닙니다', en: 'svc_uid mismatch' },
  email_unverified: { status: 403, ko: '확인되지 않은 이메일입니다', en: 'Email not verified' },
  sso_not_enabled: { status: 403, ko: '통합 로그인을 쓸 수 없습니다', en: 'SSO not enabled' },
  member_suspended: { status: 403, ko: '정지된 회원입니다', en: 'Member suspended' },
  event_not_allowed: { status: 403, ko: '보낼 수 없는 이벤트입니다', en: 'Event not allowed' },
  not_found: { status: 404, ko: '찾을 수 없습니다', en: 'Not found' },
  member_not_found: { status: 404, ko: '회원을 찾을 수 없습니다', en: 'Member not found' },
  method_not_allowed: {
    status: 405,
    ko: '허용되지 않는 메서드입니다',
    en: 'Method not allowed',
  },
  version_conflict: { status: 409, ko: '그 사이에 값이 바뀌었습니다', en: 'Version conflict' },
  ambiguous_session: { status: 409, ko: '세션이 둘 이상입니다', en: 'Ambiguous session' },
  member_erased: { status: 410, ko: '삭제된 회원입니다', en: 'Member erased' },
  body_too_large: { status: 413, ko: '본문이 너무 큽니다', en: 'Body too large' },
  unsupported_media_type: {
    status: 415,
    ko: 'JSON만 받습니다',
    en: 'Unsupported media type',
  },
  validation_failed: { status: 422, ko: '값이 올바르지 않습니다', en: 'Validation failed' },
  invalid_email: { status: 422, ko: '이메일이 올바르지 않습니다', en: 'Invalid email' },
  unknown_platform: { status: 422, ko: '없는 플랫폼입니다', en: 'Unknown platform' },
  invalid_event: { status: 422, ko: '없는 이벤트입니다', en: 'Invalid event' },
  forbidden_content: {
    status: 422,
    ko: '저장할 수 없는 내용이 있습니다',
    en: 'Forbidden content',
  },
  rate_limited: { status: 429, ko: '요청이 너무 많습니다', en: 'Too many requests' },
  overloaded: { status: 503, ko: '잠시 요청이 몰리고 있습니다', en: 'Overloaded' },
  storage_unavailable: { status: 503, ko: '저장소를 쓸 수 없습니다', en: 'Storage unavailable' },
} as const satisfies Record<string, BilingualText & { readonly status: number }>;

export type MemberProblemCode = keyof typeof memberProblemTable;
