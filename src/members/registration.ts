import { isObject, type JsonObject } from '../kernel/json-object.ts';
import { isUnsafe, localUserIdOf, momentOf } from './body.ts';
import { canonicalEmail, typedForm } from './email.ts';
import { memberLimits } from './limits.ts';
import { findForbidden } from './forbidden-content.ts';
import { isForbiddenLocalId } from './forbidden-local-id.ts';
import type { BilingualText } from '../contract/language.ts';
import { resolveVersion, isPurposeCode } from './consent-purpose.ts';
import type { Statement } from './consent-records.ts';
import type { ConsentPurpose } from './store/consent-entities.ts';
import type { Platform } from './store/entities.ts';
import type { MemberReads } from './store/store.ts';
import { storedText } from './stored-text.ts';

/** A registration after all checks. Only a wrong email or platform is refused; other faults become warnings. */
export interface Registration {
  readonly email: string;
  /** The email as typed; null if that is the canonical form. */
  readonly emailTyped: string | null;
  readonly localUserId: string | null;
  /** JSON text; null for none. */
  readonly extra: string | null;
  /** True or false if the platform stated that the address is verified or not; null without a statement. */
  readonly emailVerified: boolean | null;
  /** Time of the first attempt, for a retry; never in the future. */
  readonly requestedAt: number | null;
  readonly consents: readonly Statement[];
  readonly warnings: readonly Warning[];
}

/** A part of a body that was ignored. */
export interface Warning {
  readonly code: string;
  readonly pointer: string;
  readonly message: BilingualText;
}

/**
 * Reads a body of `POST /members/register`; 422 `invalid_email` is the only refusal. The schema of the contract is not
 * used: platforms register users during sign-up, where a lost registration is worse than a lost detail.
 */
export async function readRegistration(
  reads: MemberReads,
  platform: Pick<Platform, 'id'>,
  body: JsonObject,
  now: number,
  purposes: readonly ConsentPurpose[],
): Promise<Registration> {
  const warnings: Warning[] = [];
  const email = canonicalEmail(body['email']);
  const requestedAt = readRequestedAt(body['requested_at'], now, warnings);
  return {
    email,
    // canonicalEmail accepts only strings.
    emailTyped: typedForm(body['email'] as string, email),
    localUserId: await readLocalUserId(reads, platform, body['local_user_id'], now, warnings),
    extra: readExtra(body['extra'], now, warnings),
    emailVerified: readFlag(body['email_verified'], warnings),
    requestedAt,
    // Consents of a retry were given at the first attempt.
    consents: readConsents(body['consents'], purposes, requestedAt ?? now, warnings),
    warnings,
  };
}

async function readLocalUserId(
  reads: MemberReads,
  platform: Pick<Platform, 'id'>,
  value: unknown,
  now: number,
  warnings: Warning[],
): Promise<string | null> {
  const id = localUserIdOf(value);
  if (id !== null && (await isForbiddenLocalId(reads, platform.id, id, now))) {
    warnings.push(
      warning('local_user_id_dropped', '/local_user_id', {
        ko: 'local_user_id가 카드 번호나 주민등록번호로 보여 비워 두었습니다. 다른 번호를 보내세요.',
        en: 'local_user_id looks like a card or resident registration number and was left empty. Send another id.',
      }),
    );
    return null;
  }
  if (id === null) {
    warnings.push(
      warning('local_user_id_missing', '/local_user_id', {
        ko: 'local_user_id가 없거나 읽을 수 없어 비워 두었습니다.',
        en: 'local_user_id is missing or unreadable and was left empty.',
      }),
    );
  }
  return id;
}

function readExtra(value: unknown, now: number, warnings: Warning[]): string | null {
  if (value === undefined || value === null) return null;
  const text = isObject(value) && !isUnsafe(value) ? JSON.stringify(value) : null;
  if (text !== null && Buffer.byteLength(text) <= memberLimits.extraBytesMax) {
    if (findForbidden(value, now) === null) return text === '{}' ? null : text;
    warnings.push(
      warning('extra_dropped', '/extra', {
        ko: 'extra에 카드 번호나 주민등록번호로 보이는 값이 있어 저장하지 않았습니다.',
        en: 'extra contains what looks like a card or resident registration number; it was not stored.',
      }),
    );
    return null;
  }
  warnings.push(
    warning('extra_dropped', '/extra', {
      ko: `extra는 ${memberLimits.extraBytesMax}바이트 이하, 깊이 ${memberLimits.depthMax} 이하의 객체여야 해서 저장하지 않았습니다.`,
      en: `extra must be an object of up to ${memberLimits.extraBytesMax} bytes and ${memberLimits.depthMax} levels; it was not stored.`,
    }),
  );
  return null;
}

function readFlag(value: unknown, warnings: Warning[]): boolean | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value;
  warnings.push(
    warning('email_verified_ignored', '/email_verified', {
      ko: 'email_verified는 true나 false여야 해서 쓰지 않았습니다.',
      en: 'email_verified must be true or false; it was not used.',
    }),
  );
  return null;
}

function readRequestedAt(value: unknown, now: number, warnings: Warning[]): number | null {
  if (value === undefined || value === null) return null;
  const moment = momentOf(value);
  if (moment !== null) return Math.min(moment, now);
  warnings.push(
    warning('requested_at_ignored', '/requested_at', {
      ko: 'requested_at은 시간대가 있는 ISO 8601 시각이어야 해서 쓰지 않았습니다.',
      en: 'requested_at must be an ISO 8601 date-time with an offset; it was not used.',
    }),
  );
  return null;
}

function readConsents(
  value: unknown,
  purposes: readonly ConsentPurpose[],
  now: number,
  warnings: Warning[],
): Registration['consents'] {
  if (value === undefined || value === null) return [];
  const list: readonly unknown[] = Array.isArray(value) ? value : [null];
  return list.slice(0, memberLimits.consentsMax + 1).flatMap((given, at) => {
    const consent = at < memberLimits.consentsMax ? consentOf(given, now) : null;
    const known = consent && resolveVersion(purposes, consent);
    if (known !== null && typeof known === 'object') return [known];
    const pointer = Array.isArray(value) ? `/consents/${at}` : '/consents';
    warnings.push(
      known === null
        ? warning('consent_dropped', pointer, {
            ko: '동의는 purpose(문자열)와 granted(true/false)가 있어야 하고 16개까지이며, 카드 번호나 주민등록번호를 담을 수 없습니다. 저장하지 않았습니다.',
            en: 'A consent needs a purpose (string) and granted (true or false), at most 16, and no card or resident registration number; it was not stored.',
          })
        : warning(known, pointer, {
            ko: '운영자가 정한 동의 목적이나 동의문 버전이 아니어서 저장하지 않았습니다.',
            en: 'The operator defined no such purpose, or no such version of its text; the consent was not stored.',
          }),
    );
    return [];
  });
}

function consentOf(given: unknown, now: number): Statement | null {
  if (!isObject(given)) return null;
  const { purpose, granted, version, given_at: givenAt } = given;
  if (typeof purpose !== 'string' || !isPurposeCode(purpose)) return null;
  if (typeof granted !== 'boolean') return null;
  const textVersion =
    typeof version === 'string' ? storedText(version, memberLimits.consentVersionLengthMax) : null;
  if (findForbidden([purpose, textVersion], now) !== null) return null;
  const moment = Math.min(momentOf(givenAt) ?? now, now);
  return { purpose, granted, textVersion, givenAt: moment, reminded: false };
}

export function warning(code: string, pointer: string, message: BilingualText): Warning {
  return { code, pointer, message };
}
