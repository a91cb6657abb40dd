import type { adminContract } from '../../contract/admin.ts';
import type { Answer } from '../../contract/route.ts';
import { instantText } from '../../members/instant.ts';
import { memberLimits } from '../../members/limits.ts';
import { dayText, seoulDay } from '../../members/seoul-day.ts';
import type { EventTotal, Platform } from '../../members/store/entities.ts';
import type { AdminCall, AdminHandlers } from './call.ts';

/** Handler that reads the latest events, requests and keys of every platform, silent ones first. */
export const platformHealth = {
  async health(call: HealthCall) {
    const { context, traffic } = call;
    const today = seoulDay(context.now());
    const { events } = context.store.read;
    const allTotals = await events.totals();
    const recentTotals = await events.totalsSince(today - daysShown + 1);
    const platforms = await context.platforms.all();
    const items = await Promise.all(
      platforms.map(async (platform) => {
        const isOwn = ({ platformId }: EventTotal) => platformId === platform.id;
        return {
          ...signsOfLife(platform, allTotals.filter(isOwn), today),
          events_by_day: countsByDay(recentTotals.filter(isOwn), today),
          ...requestsOf(call, platform),
          keys: await keysOf(call, platform),
        };
      }),
    );
    const sorted = items.toSorted((one, other) => urgency(other) - urgency(one));
    return { items: sorted, since: instantText(traffic.since) };
  },
} as const satisfies Partial<AdminHandlers>;

type HealthCall = Pick<AdminCall, 'context' | 'traffic'>;
type Health = Answer<typeof adminContract.health>['items'][number];

const daysShown = 28;
/** More than a weekend, over which a platform may be quiet. */
const silentFromDays = 3;

function signsOfLife(
  { code, name, disabled }: Platform,
  allTotals: readonly EventTotal[],
  today: number,
) {
  const lastEvent = lastDay(allTotals.filter(({ event }) => event !== 'register'));
  const lastRegistration = lastDay(allTotals.filter(({ event }) => event === 'register'));
  // Registrations are rare on a platform that all of its users have joined.
  const last = lastEvent ?? lastRegistration;
  const silentDays = last === null ? null : Math.max(0, today - last);
  return {
    platform: code,
    name,
    state: stateOf(disabled, silentDays),
    silent_days: silentDays,
    last_event: lastEvent === null ? null : dayText(lastEvent),
    last_registration: lastRegistration === null ? null : dayText(lastRegistration),
  };
}

function stateOf(isDisabled: boolean, silentDays: number | null): Health['state'] {
  if (isDisabled) return 'disabled';
  if (silentDays === null) return 'unused';
  return silentDays >= silentFromDays ? 'silent' : 'live';
}

/**
 * Silent platforms first, the longest silence at the top; then unused, live, and disabled platforms.
 */
function urgency({
  state,
  silent_days: silentDays,
}: Pick<Health, 'state' | 'silent_days'>): number {
  if (state === 'silent') return 100_000 + silentDays!;
  if (state === 'unused') return 50_000;
  return state === 'live' ? silentDays! : -1;
}

function lastDay(totals: readonly EventTotal[]): number | null {
  return totals.length === 0 ? null : Math.max(...totals.map(({ day }) => day));
}

/** Oldest day first, today last. */
function countsByDay(totals: readonly EventTotal[], today: number): readonly number[] {
  const counts = Array.from({ length: daysShown }, () => 0);
  for (const { day, count } of totals) {
    const at = day - today + daysShown - 1;
    if (at < daysShown) counts[at]! += count;
  }
  return counts;
}

function requestsOf({ traffic }: HealthCall, { id }: Platform) {
  const { calls, refusals, ...latest } = traffic.of(id);
  return {
    last_event_at: instantOrNull(latest.lastEventAt),
    last_registration_at: instantOrNull(latest.lastRegistrationAt),
    last_call_at: instantOrNull(latest.lastCallAt),
    calls,
    refusals: Object.fromEntries(refusals),
    sso: { attempts: latest.ssoAttempts, failures: latest.ssoFailures },
  };
}

async function keysOf({ context }: HealthCall, { id }: Platform) {
  const keys = await context.store.read.keys.live(id, context.now(), memberLimits.pageMax);
  const used = keys.flatMap(({ lastUsedDay }) => lastUsedDay ?? []);
  return {
    valid: keys.length,
    never_used: keys.length - used.length,
    last_used: used.length === 0 ? null : dayText(Math.max(...used)),
  };
}

function instantOrNull(ms: number | null): string | null {
  return ms === null ? null : instantText(ms);
}
