import type { FieldType } from '../axis.ts';
import { isPeriod } from './written-date.ts';

/** Milliseconds since 1970 of a date `yyyymmdd` or a date-time `yyyymmddhhmmss`, as if its local time were UTC. */
export function momentMs(type: 'date' | 'datetime', value: number): number {
  if (type === 'date') return dayMs(value);
  return dayMs(Math.floor(value / timeUnits)) + timeMs(value % timeUnits);
}

/** True if the text of a date has no time of day, and that of a date-time no time zone and no fraction of a second. */
export function isExactTime(type: FieldType, text: string): boolean {
  if (isPeriod(text)) return false;
  if (type === 'date') return !hasTime.test(text) && !digitsWithTime.test(text);
  return !hasTime.test(text) || wholeSeconds.test(text);
}

const hasTime = /[:시]/;
const digitsWithTime = /^(?:\d{12}|\d{14})$/;
const wholeSeconds = /:\d\d(?:\.0+)?$/;
const timeUnits = 1_000_000;

function dayMs(day: number): number {
  return Date.UTC(Math.floor(day / 10_000), (Math.floor(day / 100) % 100) - 1, day % 100);
}

/** Milliseconds since midnight of a time `hhmmss`. */
function timeMs(time: number): number {
  const hours = Math.floor(time / 10_000);
  return (hours * 3_600 + (Math.floor(time / 100) % 100) * 60 + (time % 100)) * 1_000;
}
