export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** UTC+9. Korea has had no summer time since 1988-10-09, so days and hours are arithmetic. */
export const koreanOffsetMs = 9 * hourMs;

/** The date in Korea, such as `2026-11-21`, of milliseconds or an ISO 8601 date-time; a date, month or year stays as it is. */
export function koreanDay(moment: string | number): string {
  if (typeof moment === 'string' && /^\d{4}(?:-\d\d){0,2}$/.test(moment)) return moment;
  return new Date(new Date(moment).getTime() + koreanOffsetMs).toISOString().slice(0, 10);
}

/** The hour in Korea, 0 to 23. */
export function koreanHour(moment: number): number {
  return new Date(moment + koreanOffsetMs).getUTCHours();
}

/** The next midnight in Korea, when quotas start anew. */
export function nextKoreanMidnight(moment: number): number {
  return Math.floor((moment + koreanOffsetMs) / dayMs) * dayMs + dayMs - koreanOffsetMs;
}
