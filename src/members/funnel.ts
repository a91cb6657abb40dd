import type { adminContract } from '../contract/admin.ts';
import type { Answer } from '../contract/route.ts';
import { dayMs } from '../data/korean-time.ts';
import type { Problem } from '../kernel/problem.ts';
import type { MemberContext } from './context.ts';
import { invalid } from './problem.ts';
import { dayText, seoulDay } from './seoul-day.ts';

type Funnel = Answer<typeof adminContract.funnel>;

/**
 * Users who registered on each platform on the days `from` to `to` in Seoul, those of them who visited it by the end of
 * `to`, and those who also purchased. The default is the last 28 complete days. 422 `validation_failed` for a range that
 * ends before it starts, is longer than a year, or has more registrations than one count may read.
 */
export async function funnel(
  context: MemberContext,
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
): Promise<Funnel> {
  const today = seoulDay(context.now());
  const last = dayOf('to', to) ?? today - 1;
  const first = dayOf('from', from) ?? last - daysDefault + 1;
  if (first > last || last - first >= daysMax) throw invalidRange();
  const totals = await context.store.read.events.totalsSince(first);
  const registrations = totals
    .filter(({ event, day }) => event === 'register' && day <= last)
    .reduce((sum, { count }) => sum + count, 0);
  if (registrations > registrationsMax) throw tooManyRegistrations();
  const counts = await context.store.funnel({ first, last });
  const platforms = await context.platforms.all();
  return {
    from: dayText(first),
    to: dayText(last),
    time_zone: 'Asia/Seoul',
    items: platforms.map(({ id, code }) => {
      const count = counts.find(({ platformId }) => platformId === id);
      const { registered = 0, visited = 0, purchased = 0 } = count ?? {};
      return { platform: code, registered, visited, purchased };
    }),
  };
}

const daysDefault = 28;
const daysMax = 366;
/** Limit for the time of a count, which reads the events of each registered user: about two seconds. */
const registrationsMax = 500_000;

/** Days since 1970 of `2026-11-21`; null if the parameter is absent or empty. */
function dayOf(name: string, text: string | undefined): number | null {
  if (text === undefined || text === '') return null;
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) / dayMs : Number.NaN;
  if (Number.isNaN(day) || dayText(day) !== text) throw invalidDay(name);
  return day;
}

function invalidDay(name: string): Problem {
  return invalid(
    'validation_failed',
    `/${name}`,
    { ko: `${name}이(가) 날짜가 아닙니다.`, en: `${name} is not a day.` },
    { ko: '2026-11-21처럼 입력하세요.', en: 'Write it like 2026-11-21.' },
  );
}

function invalidRange(): Problem {
  return invalid(
    'validation_failed',
    '/from',
    { ko: '기간이 올바르지 않습니다.', en: 'The range is not valid.' },
    {
      ko: `시작일이 종료일보다 늦지 않게, ${daysMax}일까지 고르세요.`,
      en: `Choose a first day that is not after the last one, and at most ${daysMax} days.`,
    },
  );
}

function tooManyRegistrations(): Problem {
  return invalid(
    'validation_failed',
    '/from',
    { ko: '이 기간에는 가입이 너무 많습니다.', en: 'The range has too many registrations.' },
    { ko: '더 짧은 기간을 고르세요.', en: 'Choose a shorter range.' },
  );
}
