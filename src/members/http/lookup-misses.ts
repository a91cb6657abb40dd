import type { RateLimit } from '../../contract/route.ts';
import { audit } from '../audit.ts';
import { Problem } from '../../kernel/problem.ts';
import type { ServerCall } from './calls.ts';
import type { RateVerdict } from './rate-limiter.ts';

/** 429 for a key with too many lookups that found no member of its platform. */
export function refuseEnumeration({ host, caller }: Pick<ServerCall, 'host' | 'caller'>): void {
  const verdict = host.limiter.peek(missLimit, caller.kid);
  if (!verdict.allowed) throw tooManyMisses(verdict);
}

/** Counts a lookup without a result. When a key reaches the limit, this is logged and written to the audit log. */
export async function countMiss({
  host,
  caller,
}: Pick<ServerCall, 'host' | 'caller'>): Promise<void> {
  const { remaining, allowed, limit } = host.limiter.take(missLimit, caller.kid);
  if (!allowed || limit === null || remaining > 0) return;
  const { context, server } = host;
  const operator = { actor: 'system', reason: `${limit.calls} lookups found no member.` };
  server.log.warning('enumeration_suspected', { key: caller.kid });
  await context.store.write((tx) =>
    audit(context, tx, operator, { action: 'enumeration_suspected', subject: caller.kid }),
  );
}

/** A hundred at once, then one every 36 seconds. */
export const missLimit: RateLimit = { name: 'lookup_misses', calls: 100, windowS: 3_600 };

function tooManyMisses({ retryAfterS }: RateVerdict): Problem {
  const detail = {
    ko: '없는 회원을 너무 많이 조회했습니다. 회원인지 알아내는 용도로는 쓸 수 없습니다.',
    en: 'Too many lookups found no member. Lookups must not be used to find out who is a member.',
  };
  return new Problem('rate_limited', detail, { retryAfterS });
}
