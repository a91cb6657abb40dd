/** The date in Korea, such as `2026-11-21`, of a moment: ISO 8601 with its zone, or milliseconds. A date alone is one. */
export function koreanDay(moment: string | number): string {
  if (typeof moment === 'string' && /^\d{4}-\d\d-\d\d$/.test(moment)) return moment;
  const time = new Date(moment).getTime();
  return new Date(time + offsetMs).toISOString().slice(0, 10);
}

/** UTC+9, without summer time since 1988. */
const offsetMs = 9 * 3_600_000;
