import { timingSafeEqual } from 'node:crypto';
import type { scopes } from '../contract/enumerations.ts';
import { audit, type Operator } from './audit.ts';
import { isCheckedSecret, newCheckedSecret, secretHash } from './checked-secret.ts';
import type { MemberContext } from './context.ts';
import { newKeyId } from './identifiers.ts';
import { memberLimits } from './limits.ts';
import { unknownPlatform } from './platforms.ts';
import { Problem } from '../kernel/problem.ts';
import { invalid } from './problem.ts';
import { seoulDay } from './seoul-day.ts';
import type { ApiKey, Platform } from './store/entities.ts';
import type { MemberTransaction } from './store/store.ts';
import { storedText } from './stored-text.ts';

export type Scope = (typeof scopes)[number];

export const environments = ['live', 'test'] as const;
export type KeyEnvironment = (typeof environments)[number];

/** A server that authenticated with a live key. */
export interface KeyCaller {
  readonly kid: string;
  /** Null for the operator's key, which is valid for every platform. */
  readonly platform: Platform | null;
  readonly scopes: readonly string[];
}

/**
 * The caller with this key. The key is read from the store at every request, so a revocation takes effect at the next.
 * 401 `missing_api_key`, `invalid_api_key`, `expired_api_key`, `revoked_api_key`; 403 `platform_disabled`.
 */
export async function authenticateKey(
  context: MemberContext,
  presented: string | undefined,
): Promise<KeyCaller> {
  if (presented === undefined || presented === '') throw refusals.missing();
  const parts = readKey(presented);
  const known = parts === null ? null : context.store.read.keys.presented(parts.kid);
  const key = known instanceof Promise ? await known : known;
  if (parts === null || key === null) throw refusals.invalid();
  if (!timingSafeEqual(key.secretHash, secretHash(presented))) throw refusals.invalid();
  const { kid } = parts;
  const now = context.now();
  // Not compared with the time: setting the clock back must not revive a revoked key.
  if (key.revokedAt !== null) throw refusals.revoked();
  if (key.expiresAt !== null && key.expiresAt <= now) throw refusals.expired();
  const list = context.platforms.at(key.platformsVersion);
  const { all } = list instanceof Promise ? await list : list;
  const platform = all.find(({ id }) => id === key.platformId) ?? null;
  if (platform?.disabled === true) throw platformDisabled();
  const today = seoulDay(now);
  if (key.lastUsedDay === null || key.lastUsedDay < today) {
    // Once a day for each key, and not awaited: a key works even if its use cannot be stored.
    void context.store.write(async ({ keys }) => keys.markUsed(kid, today)).catch(() => {});
  }
  return { kid, platform, scopes: key.scopes };
}

/** 403 `insufficient_scope` when the key lacks the scope. */
export function requireScope(caller: KeyCaller, scope: Scope): void {
  if (caller.scopes.includes(scope)) return;
  throw new Problem('insufficient_scope', {
    ko: `이 키에는 ${scope} 권한이 없습니다. 운영자에게 그 권한이 있는 키를 요청하세요.`,
    en: `This key lacks the scope ${scope}. Request a key with it from the operator.`,
  });
}

/** The platform with the code from a body; 422 `unknown_platform`, 403 `platform_mismatch` or `platform_disabled`. */
export async function requirePlatform(
  context: MemberContext,
  caller: KeyCaller,
  code: unknown,
): Promise<Platform> {
  if (typeof code !== 'string') {
    throw invalid(
      'validation_failed',
      '/platform',
      { ko: 'platform이 없습니다.', en: 'The platform is missing.' },
      { ko: '플랫폼 코드를 문자열로 보내세요.', en: 'Send the platform’s code as a string.' },
    );
  }
  // This platform was read, and checked, together with the key.
  if (caller.platform?.code === code) return caller.platform;
  const platform = await context.platforms.byCode(code);
  if (platform === null) throw unknownPlatform();
  if (caller.platform !== null && caller.platform.id !== platform.id) {
    throw platformMismatch(caller.platform.code, code);
  }
  if (platform.disabled) throw platformDisabled();
  return platform;
}

function platformMismatch(keyPlatform: string, bodyPlatform: string): Problem {
  return invalid(
    'platform_mismatch',
    '/platform',
    {
      ko: `이 키는 ${keyPlatform} 플랫폼의 키인데 본문의 platform은 ${bodyPlatform}입니다.`,
      en: `The key belongs to ${keyPlatform}, and the platform in the body is ${bodyPlatform}.`,
    },
    {
      ko: `platform에 이 키의 플랫폼(${keyPlatform})을 적거나, ${bodyPlatform} 플랫폼의 키를 쓰세요.`,
      en: `Send ${keyPlatform} as the platform, or use a key of ${bodyPlatform}.`,
    },
  );
}

/** Flags a key that was sent by a page: every visitor can read it in the page's script. */
export async function flagKeyInBrowser(context: MemberContext, presented: string): Promise<void> {
  const parts = readKey(presented);
  const key = parts === null ? null : await context.store.read.keys.byId(parts.kid);
  if (key === null || !timingSafeEqual(key.secretHash, secretHash(presented))) return;
  const today = seoulDay(context.now());
  if (key.browserSeenDay === today) return;
  await context.store.write(async ({ keys }) => keys.markSeenInBrowser(key.kid, today));
}

interface KeyRequest {
  /** Null for an operator's key. */
  readonly platform: string | null;
  readonly scopes: readonly Scope[];
  readonly environment?: KeyEnvironment;
  readonly label?: string;
  readonly expiresAt?: number | null;
}

export interface IssuedKey {
  /** Shown only once: the store has only its hash. */
  readonly secret: string;
  readonly key: ApiKey;
}

export async function issueKey(
  context: MemberContext,
  request: KeyRequest,
  operator: Operator,
): Promise<IssuedKey> {
  const platform =
    request.platform === null ? null : await context.platforms.byCode(request.platform);
  if (request.platform !== null && platform === null) throw unknownPlatform();
  return context.store.write((tx) =>
    insertKey(context, tx, operator, {
      action: 'key_issued',
      rights: {
        platformId: platform?.id ?? null,
        environment: request.environment ?? 'live',
        label: storedText(request.label ?? '', 100),
        scopes: [...new Set(request.scopes)],
        expiresAt: request.expiresAt ?? null,
      },
      liveKeysMax: memberLimits.keysPerPlatformMax,
    }),
  );
}

/**
 * Issues a new key with the same rights and the same end, if the old one has an end. The old key works for `overlapMs`
 * more, so that servers can switch. A key is rotated once: its end is that of the overlap then, not the one of its issue.
 */
export async function rotateKey(
  context: MemberContext,
  kid: string,
  overlapMs: number,
  operator: Operator,
): Promise<IssuedKey> {
  const overlap = Math.min(Math.max(overlapMs, 0), memberLimits.keyOverlapMsMax);
  return context.store.write(async (tx) => {
    const old = await requireKey(tx, kid);
    if (old.revokedAt !== null) throw revokedKey(kid);
    const now = context.now();
    if (keyStatus(old, now) === 'expired') throw expiredKey(kid);
    if (old.replacedBy !== null) throw replacedKey(kid, old.replacedBy);
    // Old keys stay live during the overlap: a platform with the maximum of keys can still rotate all of them.
    const liveKeysMax = 2 * memberLimits.keysPerPlatformMax;
    const rotation = { action: 'key_rotated', rights: old, liveKeysMax };
    const issued = await insertKey(context, tx, operator, rotation);
    const end = now + overlap;
    const expiresAt = Math.min(old.expiresAt ?? end, end);
    await tx.keys.update({ ...old, expiresAt, replacedBy: issued.key.kid });
    return issued;
  });
}

/** Revokes a key; the next request with it is refused. `leaked` also records that others have seen it. */
export async function revokeKey(
  context: MemberContext,
  kid: string,
  operator: Operator,
  { leaked = false }: { readonly leaked?: boolean } = {},
): Promise<void> {
  await context.store.write(async (tx) => {
    const key = await requireKey(tx, kid);
    const now = context.now();
    const leakedAt = leaked ? (key.leakedAt ?? now) : key.leakedAt;
    await tx.keys.update({ ...key, revokedAt: key.revokedAt ?? now, leakedAt });
    const action = leaked ? 'key_leaked' : 'key_revoked';
    await audit(context, tx, operator, { action, subject: kid });
  });
}

interface NewKey {
  readonly action: string;
  readonly rights: Pick<ApiKey, 'platformId' | 'environment' | 'label' | 'scopes' | 'expiresAt'>;
  /** Live keys that the platform may have with the new one. */
  readonly liveKeysMax: number;
}

async function insertKey(
  context: MemberContext,
  tx: MemberTransaction,
  operator: Operator,
  { action, rights, liveKeysMax }: NewKey,
): Promise<IssuedKey> {
  const now = context.now();
  const live = await tx.keys.live(rights.platformId, now, liveKeysMax);
  if (live.length >= liveKeysMax) {
    throw tooManyKeys(live.length);
  }
  const kid = newKeyId();
  const secret = newCheckedSecret(`svck_${rights.environment}_${kid}_`);
  const key: ApiKey = {
    kid,
    platformId: rights.platformId,
    environment: rights.environment,
    label: rights.label,
    scopes: rights.scopes,
    secretHash: secretHash(secret),
    createdAt: now,
    expiresAt: rights.expiresAt,
    revokedAt: null,
    leakedAt: null,
    lastUsedDay: null,
    browserSeenDay: null,
    replacedBy: null,
  };
  await tx.keys.insert(key);
  const detail = { platform_id: key.platformId, scopes: key.scopes, expires_at: key.expiresAt };
  await audit(context, tx, operator, { action, subject: kid, detail });
  return { secret, key };
}

async function requireKey(tx: MemberTransaction, kid: string): Promise<ApiKey> {
  const key = await tx.keys.byId(kid);
  if (key !== null) return key;
  throw keyNotFound();
}

export function keyNotFound(): Problem {
  return new Problem('not_found', {
    ko: '이 번호의 키가 없습니다. 키 목록에서 번호를 확인하세요.',
    en: 'There is no key with this id. Look it up in the list of keys.',
  });
}

type KeyStatus = 'live' | 'ending' | 'expired' | 'revoked';

/** `ending` is a live key with an end, such as one that was rotated. */
export function keyStatus(key: ApiKey, now: number): KeyStatus {
  if (key.revokedAt !== null) return 'revoked';
  if (key.expiresAt === null) return 'live';
  return key.expiresAt <= now ? 'expired' : 'ending';
}

function readKey(presented: string): { readonly kid: string } | null {
  const match = /^svck_(?:live|test)_([a-z2-7]{10})_/.exec(presented);
  return match !== null && isCheckedSecret(presented, match[0]) ? { kid: match[1]! } : null;
}

function revokedKey(kid: string): Problem {
  return new Problem('validation_failed', {
    ko: `폐기된 키 ${kid}은(는) 교체할 수 없습니다. 새 키를 발급하세요.`,
    en: `The key ${kid} is revoked and cannot be rotated. Issue a new one.`,
  });
}

function expiredKey(kid: string): Problem {
  return new Problem('validation_failed', {
    ko: `기한이 지난 키 ${kid}은(는) 교체할 수 없습니다. 새 키를 발급하세요.`,
    en: `The key ${kid} has expired and cannot be rotated. Issue a new one.`,
  });
}

function replacedKey(kid: string, next: string): Problem {
  return new Problem('validation_failed', {
    ko: `키 ${kid}은(는) 이미 ${next}(으)로 교체되었습니다. ${next}을(를) 교체하세요.`,
    en: `The key ${kid} was already rotated to ${next}. Rotate that one instead.`,
  });
}

function tooManyKeys(count: number): Problem {
  return new Problem('validation_failed', {
    ko: `플랫폼에 사용 가능한 키가 이미 ${count}개 있어 더 발급할 수 없습니다. 먼저 하나를 폐기하세요.`,
    en: `The platform has ${count} live keys, which is the maximum. Revoke one first.`,
  });
}

function platformDisabled(): Problem {
  return new Problem('platform_disabled', {
    ko: '운영자가 중지한 플랫폼입니다. 운영자에게 문의하세요.',
    en: 'The operator has disabled this platform. Contact the operator.',
  });
}

const refusals = {
  missing: () =>
    new Problem('missing_api_key', {
      ko: 'x-api-key 헤더에 서버용 키를 보내세요.',
      en: 'Send the API key of your server in the header x-api-key.',
    }),
  invalid: () =>
    new Problem('invalid_api_key', {
      ko: '등록되지 않은 API 키입니다. 빠진 글자가 없는지 확인하세요.',
      en: 'This API key is unknown. Check that no character is missing.',
    }),
  revoked: () =>
    new Problem('revoked_api_key', {
      ko: '폐기된 API 키입니다. 운영자에게 새 키를 받으세요.',
      en: 'This API key was revoked. Get a new one from the operator.',
    }),
  expired: () =>
    new Problem('expired_api_key', {
      ko: '기한이 지난 API 키입니다. 교체된 키를 쓰세요.',
      en: 'This API key has expired. Use the key that replaced it.',
    }),
} as const;
