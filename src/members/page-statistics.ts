import { Problem } from '../kernel/problem.ts';
import type { MemberContext } from './context.ts';
import { dayText, seoulDay } from './seoul-day.ts';
import { mainRealm } from './platform-configuration.ts';
import { crossPlatform, northStar, type CrossPlatform, type NorthStar } from './statistics.ts';

/** Members by platform, for a page of this origin. 403 `origin_not_allowed`, `page_stats_disabled`. */
export async function pageCrossPlatform(
  context: MemberContext,
  origin: string | null,
): Promise<CrossPlatform> {
  await requirePageStatistics(context, origin);
  return daily(context, 'crossPlatform', () => crossPlatform(context, 'platform'));
}

/** The north star of twelve weeks, for a page of this origin. 403 `origin_not_allowed`, `page_stats_disabled`. */
export async function pageNorthStar(
  context: MemberContext,
  origin: string | null,
): Promise<NorthStar> {
  await requirePageStatistics(context, origin);
  return daily(context, 'northStar', () => northStar(context, 'platform'));
}

/**
 * Requires that all platforms of the origin show statistics to pages and are in the main realm: statistics count the
 * members of all realms.
 */
async function requirePageStatistics(context: MemberContext, origin: string | null): Promise<void> {
  const platforms = origin === null ? [] : await context.platforms.byOrigin(origin);
  if (platforms.length === 0) throw originNotAllowed();
  const isOpen = platforms.every(({ pageStats, realm }) => pageStats && realm === mainRealm);
  if (!isOpen) throw pageStatsDisabled();
}

/**
 * The first answer of a day in Seoul, served to all pages until the day ends. Many visitors thus take one count, and no
 * visitor can compare the numbers before and after an act of a member.
 */
function daily<Answer extends CrossPlatform | NorthStar>(
  { store, now }: MemberContext,
  name: string,
  count: () => Promise<Answer>,
): Promise<Answer> {
  const answers = cache.get(store) ?? new Map<string, DailyAnswer>();
  cache.set(store, answers);
  const day = seoulDay(now());
  const cached = answers.get(name);
  // An answer has the type of its name.
  if (cached?.day === day) return cached.answer as Promise<Answer>;
  const answer = count();
  answers.set(name, { day, answer });
  const forget = () => {
    if (answers.get(name)?.answer === answer) answers.delete(name);
  };
  // Neither a failed count is cached nor, while counts are put off, one of an earlier day.
  answer.then(({ as_of: last }) => {
    if (last !== dayText(day - 1)) forget();
  }, forget);
  return answer;
}

interface DailyAnswer {
  readonly day: number;
  readonly answer: Promise<CrossPlatform | NorthStar>;
}

const cache = new WeakMap<MemberContext['store'], Map<string, DailyAnswer>>();

function originNotAllowed(): Problem {
  return new Problem('origin_not_allowed', {
    ko: '플랫폼에 등록된 출처의 페이지에서만 통계를 볼 수 있습니다.',
    en: 'Only pages of a platform’s registered origin may read statistics.',
  });
}

function pageStatsDisabled(): Problem {
  return new Problem('page_stats_disabled', {
    ko: '운영자가 이 플랫폼의 페이지에 통계를 공개하지 않았거나, 플랫폼이 다른 회원 영역에 있습니다.',
    en: 'The operator has closed the statistics to pages of this platform, or it is in another realm.',
  });
}
