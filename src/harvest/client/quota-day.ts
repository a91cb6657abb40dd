import { hourMs, koreanHour, nextKoreanMidnight } from '../../data/korean-time.ts';

/**
 * Time of the first request after a spent quota: some minutes after midnight in Korea. The portal’s clock may be
 * behind ours, and it may reset its quotas late. The jitter keeps clients from all starting at once.
 */
export function nextQuotaStart(moment: number, random: () => number): number {
  return nextKoreanMidnight(moment) + marginMs + Math.floor(random() * jitterMs);
}

/** True within the first hour of a day in Korea, in which a refusal may still concern the day before. */
export function isDayYoung(moment: number): boolean {
  return koreanHour(moment) === 0;
}

/** Pause after a refusal that may concern the day before. */
export const youngDayPauseMs = hourMs / 4;

const marginMs = 5 * 60_000;
const jitterMs = 10 * 60_000;
