import { regionsOn, type Region } from '../../data/regions/region-table.ts';
import { dayMs, hourMs, koreanDay, koreanHour } from '../../data/korean-time.ts';
import type {
  NameMap,
  HoursLoop,
  Loop,
  RegionForm,
  RegionsLoop,
  SpansLoop,
  ValuesLoop,
} from './enumeration.ts';

/** Parameters of one iteration of a loop, and the fields of its records that they fill. */
export interface Choice {
  readonly parameters: Readonly<Record<string, string>>;
  readonly stamps: Readonly<Record<string, string>>;
}

/** Times of a collection and of the one before it, in milliseconds since 1970. */
export interface CollectionTime {
  readonly now: number;
  /** Time of the last complete collection of the axis; null for the first collection. */
  readonly since: number | null;
}

/** Loops whose values are known without a request. */
type FixedLoop = Exclude<Loop, { kind: 'records' | 'list' | 'walk' | 'newest-year' }>;

/** Choices for all iterations of a loop; `outer` has the parameters of the loops around it. */
export function choicesOf(
  loop: FixedLoop,
  outer: Readonly<Record<string, string>>,
  time: CollectionTime,
): readonly Choice[] {
  switch (loop.kind) {
    case 'values':
      return valuesOf(loop);
    case 'regions':
      return regionsOf(loop, outer, time).map((value) => choice({ [loop.parameter]: value }));
    case 'years':
      return yearsFrom(loop.first, yearOf(time.now) + loop.ahead).map((year) =>
        choice({ [loop.parameter]: String(year) }),
      );
    case 'year-span':
      return [
        choice({
          [loop.from]: `${yearOf(time.now) - loop.back}0101`,
          [loop.to]: `${yearOf(time.now) + loop.ahead}1231`,
        }),
      ];
    case 'days':
      return [
        choice({
          [loop.from]: withoutDashes(koreanDay(time.now - loop.back * dayMs)),
          [loop.to]: withoutDashes(koreanDay(time.now + loop.ahead * dayMs)),
        }),
      ];
    case 'spans':
      return spansOf(loop, time);
    default:
      return hoursOf(loop, time);
  }
}

/** Years of a `newest-year` loop, the newest first. */
export function yearsNewestFirst(back: number, now: number): number[] {
  return Array.from({ length: back + 1 }, (_, index) => yearOf(now) - index);
}

/** Values of the fields in a loop's `stamp`. */
export function stampsOf(
  stamp: NameMap | undefined,
  values: Readonly<Record<string, string>>,
): Record<string, string> {
  const stamps: Record<string, string> = {};
  for (const [field, source] of Object.entries(stamp ?? {})) {
    const value = values[source];
    if (value !== undefined) stamps[field] = value;
  }
  return stamps;
}

function valuesOf(loop: ValuesLoop): Choice[] {
  return loop.values.split(' ').map((tuple) => {
    const values = tuple.split(',');
    const parameters: Record<string, string> = {};
    loop.parameters.forEach((name, index) => {
      const value = values[index] ?? '-';
      if (value !== '-') parameters[name] = value;
    });
    return choice(parameters, stampsOf(loop.stamp, parameters));
  });
}

function regionsOf(
  loop: RegionsLoop,
  outer: Readonly<Record<string, string>>,
  time: CollectionTime,
): string[] {
  const day = loop.on === undefined ? undefined : outer[loop.on];
  const days =
    day === undefined
      ? [koreanDay(time.now), koreanDay(time.now - adoptionLagMs)]
      : [toIsoDay(day), koreanDay(Date.parse(toIsoDay(day)) + termBeginsMs)];
  return [...new Set(days.flatMap((day) => regionValues(loop.form, regionsOn(day))))].sort();
}

/** The slowest services adopted new region codes about two years late (observed in 2026-09). */
const adoptionLagMs = 2 * 365 * dayMs;
/** Elections use the region names of the councils to be elected, whose terms begin within five weeks (2026-06-03). */
const termBeginsMs = 35 * dayMs;

function regionValues(form: RegionForm, regions: readonly Region[]): string[] {
  const sidos = regions.filter(({ level }) => level === 'sido');
  if (form === 'sido-code') return sidos.map(({ code }) => code);
  if (form === 'sido-name') return sidos.map(({ name }) => name);
  if (form === 'sido-short') return sidos.map(({ short }) => short);
  const parents = new Set(regions.map(({ parent }) => parent));
  // Services list 세종 as a sigungu, and the 일반구 of a city in place of the city.
  const sejong = sidos.some(({ code }) => code === '36') ? ['36110'] : [];
  const parts = regions.filter(({ level, code }) => level === 'sigungu' && !parents.has(code));
  return [...parts.map(({ code }) => code), ...sejong];
}

function spansOf(loop: SpansLoop, time: CollectionTime): Choice[] {
  const last = time.now - loop.until * dayMs - (koreanHour(time.now) < loop.hour ? dayMs : 0);
  const lastDay = koreanDay(last);
  const firstNew = time.since === null ? loop.first : koreanDay(time.since - correctionMs);
  const choices: Choice[] = [];
  for (let day = firstNew < loop.first ? loop.first : firstNew; day <= lastDay;) {
    const end = isoDay(Date.parse(day) + (loop.days - 1) * dayMs);
    choices.push(
      choice({
        [loop.from]: withoutDashes(day),
        [loop.to]: withoutDashes(end < lastDay ? end : lastDay),
      }),
    );
    day = isoDay(Date.parse(end) + dayMs);
  }
  return choices;
}

/** Observations are corrected for a few days after publication, so these days are requested again. */
const correctionMs = 7 * dayMs;

function hoursOf(loop: HoursLoop, time: CollectionTime): Choice[] {
  const hourOf = (moment: number) => Math.floor((moment - loop.delayMinutes * 60_000) / hourMs);
  const newest = hourOf(time.now);
  const next = time.since === null ? newest : Math.min(hourOf(time.since) + 1, newest);
  const first = Math.max(next, newest - loop.hours + 1);
  return Array.from({ length: newest - first + 1 }, (_, index) => {
    const moment = (first + index) * hourMs;
    const hour = String(koreanHour(moment)).padStart(2, '0');
    return choice({ [loop.date]: withoutDashes(koreanDay(moment)), [loop.time]: `${hour}00` });
  });
}

function choice(
  parameters: Readonly<Record<string, string>>,
  stamps: Readonly<Record<string, string>> = {},
): Choice {
  return { parameters, stamps };
}

function yearOf(moment: number): number {
  return Number(koreanDay(moment).slice(0, 4));
}

function yearsFrom(first: number, last: number): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}

function withoutDashes(day: string): string {
  return day.replaceAll('-', '');
}

function toIsoDay(day: string): string {
  return `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6, 8)}`;
}

function isoDay(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}
