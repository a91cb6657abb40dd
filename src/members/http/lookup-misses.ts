import type { RateLimit } from '../../contract/route.ts';
import { audit } from '../audit.ts';
import { Problem } from '../../kernel/problem.ts';
import type { ServerCall } from './calls.ts';
import type { RateVerdict } from './rate-limiter.ts';

/** Refuses a key that asked for too many members that are not its platform's: 429. */
export function refuseGuesser({ host, caller }: ServerCall): void {
  const verdict = host.limiter.peek(missLimit, caller.kid);
  if (!verdict.allowed) throw tooManyMisses(verdict);
}

/** Counts a question that found nobody; the one that spends the last allowance is told to the operator. */
export async function countMiss({ host, caller }: ServerCall): Promise<void> {
  const { remaining, allowed } = host.limiter.take(missLimit, caller.kid);
  if (!allowed || remaining > 0) return;
  const { context, front } = host;
  const operator = { actor: 'system', reason: `${missLimit.calls} lookups found nobody.` };
  front.log.warning('enumeration_suspected', { key: caller.kid });
  await context.store.write((tx) =>
    audit(context, tx, operator, { action: 'enumeration_suspected', subject: caller.kid }),
  );
}

/** A hundred at once, then one each 36 seconds. */
export const missLimit: RateLimit = { name: 'lookup_misses', calls: 100, windowS: 3_600 };

function tooManyMisses({ retryAfterS }: RateVerdict): Problem {
  const detail = {
    ko: '없는 회원을 너무 많이 찾았습니다. 누가 있는지 알아보는 데 쓸 수 없습니다.',
    en: 'Too many lookups found nobody. This is not for finding out who is a member.',
  };
  return new Problem('rate_limited', detail, { retryAfterS });
}
