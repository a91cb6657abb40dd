import { setImmediate } from 'node:timers/promises';
import { dayMs } from '../../data/korean-time.ts';
import type { MemberContext } from '../../members/context.ts';
import { unknownPlatform } from '../../members/platforms.ts';
import { startOfSeoulDay } from '../../members/seoul-day.ts';
import type { Member } from '../../members/store/entities.ts';

/** Criteria for members, as texts; an absent or empty one matches all. */
export interface MemberFilter {
  readonly platform?: string | undefined;
  readonly tier?: string | undefined;
  readonly status?: string | undefined;
  /** Days in Seoul, both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/**
 * The members after the member `after` that match, up to `limit`, in the order they joined. One call reads a bounded
 * number of members, in slices with other requests in between. `next` is the `after` of the next call, null at the end.
 * 422 `unknown_platform`.
 */
export async function filterMembers(
  context: MemberContext,
  filter: MemberFilter,
  after: number,
  limit: number,
): Promise<{ readonly members: readonly Member[]; readonly next: number | null }> {
  const matches = await matcherOf(context, filter);
  const members: Member[] = [];
  let last = after;
  for (let slice = 0; slice < slicesMax; slice++) {
    const read = await context.store.read.members.list(last, sliceRows);
    for (const member of read) {
      last = member.id;
      if (matches(member)) members.push(member);
      if (members.length === limit) return { members, next: last };
    }
    if (read.length < sliceRows) return { members, next: null };
    await setImmediate();
  }
  return { members, next: last };
}

const sliceRows = 1_000;
const slicesMax = 100;

async function matcherOf(
  context: MemberContext,
  { platform: code, tier, status, from, to }: MemberFilter,
): Promise<(member: Member) => boolean> {
  const platform = code ? await context.platforms.byCode(code) : null;
  if (code && platform === null) throw unknownPlatform();
  const mask = platform === null ? 0 : 1 << platform.id;
  const since = startOf(from) ?? 0;
  const until = startOf(to, 1) ?? Number.MAX_SAFE_INTEGER;
  return (member) =>
    (member.platforms & mask) === mask &&
    (!tier || member.tier === tier) &&
    (!status || member.status === status) &&
    member.createdAt >= since &&
    member.createdAt < until;
}

/** Start of a day in Seoul, or of the day `daysLater` days later; null for a text that is not a day. */
function startOf(text: string | undefined, daysLater = 0): number | null {
  const ms = /^\d{4}-\d\d-\d\d$/.test(text ?? '') ? Date.parse(text!) : Number.NaN;
  return Number.isNaN(ms) ? null : startOfSeoulDay(ms / dayMs + daysLater);
}
