import type { adminContract } from '../contract/admin.ts';
import type { Body } from '../contract/route.ts';
import { audit, type Operator } from './audit.ts';
import { momentOf } from './body.ts';
import type { MemberContext } from './context.ts';
import { unknownPlatform } from './platforms.ts';
import { invalid } from './problem.ts';

/**
 * Ends the sessions that one platform or all platforms issued, with `before` only those issued earlier. A single write
 * lets the next check of each session fail. 422 `unknown_platform`; `validation_failed` if scope and platform
 * contradict each other, or `before` is malformed or in the future.
 */
export async function endManySessions(
  context: MemberContext,
  {
    scope,
    platform: code,
    before: given,
  }: Omit<Body<typeof adminContract.endManySessions>, 'reason'>,
  operator: Operator,
): Promise<void> {
  const before = pastMoment(context, given);
  if ((scope === 'platform') !== isGiven(code)) throw scopeMismatch();
  await context.store.write(async (tx) => {
    const platform = (await tx.platforms.all()).find((one) => one.code === code);
    if (scope === 'platform' && platform === undefined) throw unknownPlatform();
    await tx.sessions.endOfPlatform(platform?.id ?? null, before);
    const detail = { scope, before: isGiven(given) ? given : null };
    await audit(context, tx, operator, {
      action: 'sessions_ended',
      subject: platform?.code ?? 'all',
      detail,
    });
  });
}

/** Milliseconds since 1970; null for none. A future moment would end sessions that do not exist yet. */
function pastMoment(context: MemberContext, text: string | null | undefined): number | null {
  if (!isGiven(text)) return null;
  const moment = momentOf(text);
  if (moment !== null && moment <= context.now()) return moment;
  throw invalid(
    'validation_failed',
    '/before',
    { ko: '지난 시각이 아닙니다.', en: 'This is not a moment in the past.' },
    {
      ko: '2026-11-22T09:00:00+09:00처럼 시간대까지 적은 지난 시각을 보내세요.',
      en: 'Send a past moment with its time zone, such as 2026-11-22T09:00:00+09:00.',
    },
  );
}

function isGiven(text: string | null | undefined): text is string {
  return text !== undefined && text !== null && text !== '';
}

function scopeMismatch() {
  return invalid(
    'validation_failed',
    '/platform',
    { ko: '범위와 플랫폼이 맞지 않습니다.', en: 'Scope and platform contradict each other.' },
    {
      ko: '한 플랫폼은 scope를 platform으로 하고 코드를 적으세요. 모두 끝내려면 플랫폼을 비우세요.',
      en: 'For one platform send the scope platform and its code. For all of them leave the platform out.',
    },
  );
}
