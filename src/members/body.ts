import { memberLimits } from './limits.ts';
import { invalid } from './problem.ts';

/**
 * A platform's id of its user: a string, or the text of a number. Null for anything else, and for integers so large
 * that JSON rounds them, since two users would get one id.
 */
export function localUserIdOf(value: unknown): string | null {
  const isExact = typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  const text = isExact ? String(value) : value;
  if (typeof text !== 'string' || text === '') return null;
  if (text.length > memberLimits.localUserIdLengthMax || !text.isWellFormed()) return null;
  return unprintable.test(text) ? null : text;
}

export function requireLocalUserId(value: unknown, pointer = '/local_user_id'): string {
  const text = localUserIdOf(value);
  if (text !== null) return text;
  const most = memberLimits.localUserIdLengthMax;
  throw invalid(
    'validation_failed',
    pointer,
    { ko: '플랫폼의 회원 번호가 아닙니다.', en: 'This is not a valid user id.' },
    { ko: `1자 이상 ${most}자 이하로 보내세요.`, en: `Send 1 to ${most} characters.` },
  );
}

/** Milliseconds of an ISO 8601 date-time with an offset; null for anything else. */
export function momentOf(value: unknown): number | null {
  if (typeof value !== 'string' || !isoMoment.test(value)) return null;
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? null : ms;
}

export function requireMoment(text: string, pointer: string): number {
  const moment = momentOf(text);
  if (moment !== null) return moment;
  throw invalid(
    'validation_failed',
    pointer,
    { ko: '시각이 올바르지 않습니다.', en: 'The time is malformed.' },
    {
      ko: '2026-12-01T00:00:00+09:00처럼 시간대와 함께 보내세요.',
      en: 'Send it with its offset, such as 2026-12-01T00:00:00+09:00.',
    },
  );
}

/** True for a value that is nested too deeply or has a property `__proto__`. */
export function isUnsafe(value: unknown, depthMax: number = memberLimits.depthMax): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depthMax === 0) return true;
  if (Object.hasOwn(value, '__proto__')) return true;
  return Object.values(value).some((inner) => isUnsafe(inner, depthMax - 1));
}

const isoMoment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})$/;
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
