import type { TProperties } from 'typebox';
import { northStarAnswer } from './member-schemas.ts';
import { count, nullable, oneOf } from './shapes.ts';
import { Type } from './type.ts';

/** Events of a week from Monday to Sunday in Seoul. */
const eventWeek = Type.Object({
  from: Type.String(),
  events: count(),
  registrations: count(),
  by_event: Type.Record(Type.String(), count()),
  by_platform: Type.Record(Type.String(), count()),
});

/** Twelve weeks, oldest first; the last is the current one. */
export const eventWeeksAnswer = Type.Object({ items: Type.Array(eventWeek) });

/** Events of all members, last received first. */
export const feedAnswer = Type.Object({
  items: Type.Array(
    Type.Object({
      number: count(),
      svc_uid: Type.String(),
      event: Type.String(),
      source: Type.String(),
      platform: Type.String(),
      occurred_at: Type.String(),
      received_at: Type.String(),
    }),
  ),
  next_cursor: nullable(Type.String()),
});

/** The service in numbers, for its operators. */
export const overviewAnswer = Type.Object({
  /** Registrations included. */
  total_journey_events: count(),
  by_event: Type.Record(Type.String(), count()),
  by_source: Type.Record(Type.String(), count()),
  by_platform: Type.Record(Type.String(), count()),
  members: count(),
  sessions: count(),
  /** Oldest first. */
  events_by_week: Type.Array(eventWeek),
  north_star: northStarAnswer,
});

/** Activity of every platform, silent ones first. */
export const healthAnswer = platformList(
  {
    platform: Type.String(),
    name: Type.String(),
    /** `unused` never sent anything; `silent` has sent no event for some days. */
    state: oneOf(['live', 'silent', 'unused', 'disabled']),
    /** Days since the latest event, or since the latest registration of a platform without any event. */
    silent_days: nullable(count()),
    last_event: nullable(Type.String()),
    last_registration: nullable(Type.String()),
    /** Events of the last 28 days with today, oldest first; registrations included. */
    events_by_day: Type.Array(count()),
    /** Time of the latest event since the start of the service; likewise the members up to `sso`. */
    last_event_at: nullable(Type.String()),
    last_registration_at: nullable(Type.String()),
    last_call_at: nullable(Type.String()),
    calls: count(),
    refusals: Type.Record(Type.String(), count()),
    sso: Type.Object({ attempts: count(), failures: count() }),
    /** Keys that are valid now. */
    keys: Type.Object({
      valid: count(),
      never_used: count(),
      last_used: nullable(Type.String()),
    }),
  },
  { since: Type.String() },
);

/** Steps of the funnel; each counts users of the previous step. */
export const funnelAnswer = platformList(
  { platform: Type.String(), registered: count(), visited: count(), purchased: count() },
  { from: Type.String(), to: Type.String(), time_zone: Type.String() },
);

/** An entry for each platform, with the range that the numbers cover. */
function platformList<Item extends TProperties, Range extends TProperties>(
  item: Item,
  range: Range,
) {
  return Type.Object({ items: Type.Array(Type.Object(item)), ...range });
}
