import type { adminContract } from '../contract/admin.ts';
import type { Answer } from '../contract/route.ts';
import type { Problem } from '../kernel/problem.ts';
import type { MemberContext } from './context.ts';
import { unknownPlatform } from './platforms.ts';
import { invalid } from './problem.ts';
import { dayText, firstDayOfWeek, seoulDay, weekOf } from './seoul-day.ts';
import { eventNames, type EventTotal } from './store/entities.ts';
import { sumOf, sumsBy } from './sums.ts';

/** Narrows events to a platform and to a kind, as texts; an absent or empty one matches all. */
interface EventFilter {
  readonly platform?: string | undefined;
  readonly event?: string | undefined;
}

/**
 * Events of twelve weeks, oldest first; the last is the current, unfinished one. 422 `unknown_platform`, or
 * `validation_failed` for an unknown event.
 */
export async function eventWeeks(
  context: MemberContext,
  { platform: code, event }: EventFilter = {},
): Promise<Answer<typeof adminContract.eventWeeks>['items']> {
  const platforms = await context.platforms.all();
  if (code && platforms.every((platform) => platform.code !== code)) throw unknownPlatform();
  if (event && eventNames.every((name) => name !== event)) throw unknownEvent();
  const codes = new Map(platforms.map((platform) => [platform.id, platform.code]));
  const platformOf = ({ platformId }: EventTotal) => codes.get(platformId) ?? String(platformId);
  const first = firstDayOfWeek(weekOf(seoulDay(context.now())) - weeksShown + 1);
  const totals = (await context.store.read.events.totalsSince(first)).filter(
    (total) => (!code || platformOf(total) === code) && (!event || total.event === event),
  );
  return Array.from({ length: weeksShown }, (_, index) => {
    const from = first + index * 7;
    const own = totals.filter(({ day }) => day >= from && day < from + 7);
    return {
      from: dayText(from),
      events: sumOf(own),
      registrations: sumOf(own.filter((total) => total.event === 'register')),
      by_event: sumsBy(own, (total) => total.event),
      by_platform: sumsBy(own, platformOf),
    };
  });
}

export const weeksShown = 12;

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
