/** Korea keeps one offset all year, so days and hours are arithmetic. */
const offsetMs = 9 * 3_600_000;
export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

/** ISO date of a moment in Korea: quotas start anew and dates are meant by it. */
export function koreanDay(moment: number): string {
  return new Date(moment + offsetMs).toISOString().slice(0, 10);
}

/** 0 to 23. */
export function koreanHour(moment: number): number {
  return new Date(moment + offsetMs).getUTCHours();
}

/** The next midnight in Korea: when a spent quota is whole again. */
export function nextKoreanMidnight(moment: number): number {
  return Math.floor((moment + offsetMs) / dayMs) * dayMs + dayMs - offsetMs;
}
