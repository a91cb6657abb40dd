import { isDeepStrictEqual } from 'node:util';
import { koreanDay } from '../../data/korean-time.ts';
import type { DemandReport } from './ranking.ts';

/** One response of the search trend service: up to five keywords over the same periods. */
export interface Measurement {
  readonly from: string;
  readonly to: string;
  readonly timeUnit: TimeUnit;
  /** The first keyword is the reference of the others. */
  readonly groups: readonly KeywordMeasure[];
}

export interface KeywordMeasure {
  readonly keyword: string;
  /** Sum of the ratios over all complete periods; 0 if the response has none. */
  readonly sum: number;
  /** Largest ratio of one period, at most 100. */
  readonly peak: number;
}

export type TimeUnit = 'date' | 'week' | 'month';

/** A file of raw responses: a list of `{request, response, measuredAt}`, with or without the name of the anchor. */
interface MeasurementFile {
  readonly anchor: string | null;
  readonly measurements: readonly Measurement[];
}

/** Reads raw responses. Reports unusable ones; throws if the file has no list of them. */
export function readMeasurements(document: unknown, report: DemandReport): MeasurementFile {
  const list = Array.isArray(document) ? document : memberOf(document, 'measurements');
  if (!Array.isArray(list)) {
    throw new Error(
      'The file is JSON but has no measurements: give a list of {request, response, measuredAt}, ' +
        'or {"anchor": "…", "measurements": […]}.',
    );
  }
  if (list.length > measurementsMax) {
    throw new Error(
      `The file has ${list.length} measurements; at most ${measurementsMax} are read. Split it.`,
    );
  }
  const anchor = memberOf(document, 'anchor');
  const measurements: Measurement[] = [];
  let firstAudience: unknown;
  for (const [index, item] of list.entries()) {
    const measurement = readMeasurement(item);
    if (typeof measurement === 'string') {
      report({ kind: 'measurement_refused', row: index + 1, detail: measurement });
      continue;
    }
    const currentAudience = [
      measurement.timeUnit,
      ...audienceKeys.map((key) => audienceOf(item, key)),
    ];
    firstAudience ??= currentAudience;
    if (!isDeepStrictEqual(firstAudience, currentAudience)) {
      throw new Error(
        `Measurement ${index + 1} has another time unit, device, gender or age than the first. ` +
          'One index needs one audience: measure again with equal settings, or load two rankings.',
      );
    }
    measurements.push(measurement);
  }
  return { anchor: typeof anchor === 'string' ? anchor.trim() : null, measurements };
}

/** Requests of 30 days at the service's quota of 1,000 a day. */
const measurementsMax = 30_000;
/** The service's limit of keyword groups in one request. */
const groupsMax = 5;
/** Number of days from the first day of the service, 2016-01-01, until 2043. */
const periodsMax = 10_000;
const audienceKeys = ['device', 'gender', 'ages'] as const;
const timeUnits: ReadonlySet<unknown> = new Set(['date', 'week', 'month']);

function readMeasurement(item: unknown): Measurement | string {
  const response = memberOf(item, 'response') ?? item;
  const failure = memberOf(response, 'errorMessage');
  if (typeof failure === 'string') return `the service returned an error: ${failure.trim()}`;
  const from = memberOf(response, 'startDate');
  const to = memberOf(response, 'endDate');
  const timeUnit = memberOf(response, 'timeUnit');
  const results = memberOf(response, 'results');
  if (!isDate(from) || !isDate(to) || !timeUnits.has(timeUnit) || !Array.isArray(results)) {
    return 'not a response of the search trend service: startDate, endDate, timeUnit or results is missing';
  }
  if (results.length === 0 || results.length > groupsMax) {
    return `${results.length} groups; a measurement has one to ${groupsMax}`;
  }
  // The set has exactly the members of the type.
  const unit = timeUnit as TimeUnit;
  const measuredOn = measuredDay(memberOf(item, 'measuredAt'));
  const groups: KeywordMeasure[] = [];
  for (const result of results) {
    const group = readGroup(result, unit, measuredOn);
    if (typeof group === 'string') return group;
    groups.push(group);
  }
  return { from, to, timeUnit: unit, groups };
}

function readGroup(result: unknown, unit: TimeUnit, measuredOn: string | null) {
  const keyword = memberOf(result, 'title');
  const data = memberOf(result, 'data');
  if (typeof keyword !== 'string' || keyword.trim() === '') return 'a group has no title';
  if (!Array.isArray(memberOf(result, 'keywords'))) {
    return `"${keyword}" has no search words: a response of the shopping service is no search trend`;
  }
  if (!Array.isArray(data) || data.length > periodsMax) return `"${keyword}" has no list of ratios`;
  let sum = 0;
  let peak = 0;
  for (const point of data) {
    const period = memberOf(point, 'period');
    const ratio = memberOf(point, 'ratio');
    if (!isDate(period) || typeof ratio !== 'number' || !(ratio >= 0 && ratio <= 100)) {
      return `"${keyword}" has a ratio that is not between 0 and 100`;
    }
    if (measuredOn !== null && endOf(period, unit) > measuredOn) continue;
    sum += ratio;
    peak = Math.max(peak, ratio);
  }
  return { keyword: keyword.trim(), sum, peak };
}

/** First day after a period. Until then the period is incomplete and its ratio too low. */
function endOf(period: string, unit: TimeUnit): string {
  const end = new Date(`${period}T00:00:00Z`);
  if (unit === 'month') end.setUTCMonth(end.getUTCMonth() + 1);
  else end.setUTCDate(end.getUTCDate() + (unit === 'week' ? 7 : 1));
  return end.toISOString().slice(0, 10);
}

/** Day of a measurement in Korean time; null if it is unknown. */
function measuredDay(measuredAt: unknown): string | null {
  const time = typeof measuredAt === 'string' ? Date.parse(measuredAt) : NaN;
  if (Number.isNaN(time)) return null;
  return koreanDay(time);
}

function audienceOf(item: unknown, key: (typeof audienceKeys)[number]): unknown {
  const value = memberOf(memberOf(item, 'request'), key) ?? '';
  if (!Array.isArray(value)) return value;
  return value.length === 0 ? '' : value.map(String).sort();
}

function isDate(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value);
}

function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[key];
}
