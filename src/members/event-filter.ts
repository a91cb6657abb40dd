import type { Problem } from '../kernel/problem.ts';
import type { MemberContext } from './context.ts';
import { unknownPlatform } from './platforms.ts';
import { invalid } from './problem.ts';
import { eventNames, type EventName, type Platform } from './store/entities.ts';

/** Criteria for events, as texts: the code of a platform and a kind. An absent or empty one matches all. */
export interface EventFilter {
  readonly platform?: string | undefined;
  readonly event?: string | undefined;
}

/** Reads the platform and the kind of event that a filter names. Throws 422 `unknown_platform` or `validation_failed`. */
export async function readEventFilter(
  context: MemberContext,
  { platform: code, event: name }: EventFilter,
): Promise<{ readonly platform: Platform | null; readonly event: EventName | null }> {
  const platform = code ? await context.platforms.byCode(code) : null;
  if (code && platform === null) throw unknownPlatform();
  const event = eventNames.find((known) => known === name) ?? null;
  if (name && event === null) throw unknownEvent();
  return { platform, event };
}

function unknownEvent(): Problem {
  return invalid(
    'validation_failed',
    '/event',
    { ko: '모르는 이벤트입니다.', en: 'This event is unknown.' },
    {
      ko: `${eventNames.join(', ')} 가운데 하나를 고르세요.`,
      en: `Choose one of ${eventNames.join(', ')}.`,
    },
  );
}
