import { randomFor } from '../seeded-random.ts';
import type { PortalRequest } from '../portal-request.ts';
import { sampleDemandKeys } from '../keys.ts';
import { jsonReply, type Reply } from '../reply.ts';
import { dayKst, type World } from '../world.ts';
import type { HostHandler } from './host-handler.ts';

/** Answers Naver's search trend at the API HUB and at its older address, which differ in their headers only. */
export function demandHandler(
  world: World,
  volumes: Readonly<Record<string, number>>,
  refusedWords: readonly string[],
): HostHandler {
  const volumeOf = (keyword: string): number =>
    volumes[keyword] ?? hiddenVolume(world.seed, keyword);
  return (request, keys) => {
    const headers = credentialHeaders[request.host + request.path];
    if (headers === undefined) return null;
    if (request.method !== 'POST') return failure(405, '001', 'Only POST.');
    const [id, secret] = headers.map((name) => request.headers[name]);
    if (id !== sampleDemandKeys.id || secret !== sampleDemandKeys.secret)
      return failure(401, '024', 'Authentication failed. (인증에 실패했습니다.)');
    if (keys.countRequest('demand') !== null)
      return failure(429, '010', 'Query limit exceeded. (쿼리 한도를 초과했습니다.)');
    const query = readTrendQuery(request, dayKst(world.now(), -1));
    if (typeof query === 'string') return failure(400, '012', query);
    const keywords = query.groups.flatMap((group) => group.keywords);
    return keywords.some((word) => refusedWords.includes(word))
      ? failure(400, '012', 'keywords are wrong.')
      : jsonReply(trendBody({ seed: world.seed, volumeOf }, query));
  };
}

const credentialHeaders: Readonly<Record<string, readonly [id: string, secret: string]>> = {
  'naverapihub.apigw.ntruss.com/search-trend/v1/search': [
    'x-ncp-apigw-api-key-id',
    'x-ncp-apigw-api-key',
  ],
  'openapi.naver.com/v1/datalab/search': ['x-naver-client-id', 'x-naver-client-secret'],
};

/**
 * Monthly searches for a keyword, with which tests compare measurements; responses show only ratios of them. Everyday
 * words have plausible numbers, so that they can be anchors; any other word has 20 to 100,000.
 */
export function hiddenVolume(seed: number, keyword: string): number {
  const random = randomFor(seed, 'volume', keyword);
  const everyday = everydayVolumes[keyword];
  return everyday ?? Math.round(10 ** (1.3 + 3.7 * random.fraction()));
}

/** Invented monthly searches in a plausible order. */
const everydayVolumes: Readonly<Record<string, number>> = {
  날씨: 5_000_000,
  지도: 2_200_000,
  미세먼지: 900_000,
  병원: 420_000,
  버스: 380_000,
  약국: 260_000,
  도서관: 210_000,
  주차장: 120_000,
  박물관: 64_000,
  미술관: 52_000,
  공원: 48_000,
  축제: 41_000,
  지진: 33_000,
  화장실: 14_000,
  문화원: 6200,
  공공데이터: 5100,
  표준데이터: 480,
};

/** Minimum number of searches in the window; keywords with fewer have no data. */
const searchesMin = 60;

interface TrendQuery {
  readonly startDate: string;
  readonly endDate: string;
  readonly timeUnit: 'date' | 'week' | 'month';
  readonly groups: readonly { readonly name: string; readonly keywords: readonly string[] }[];
}

const groupsMax = 5;
const keywordsMax = 20;
const firstDate = '2016-01-01';

/** Parses the body. A returned string is the reason of a refusal. */
function readTrendQuery({ body, headers }: PortalRequest, yesterday: string): TrendQuery | string {
  if (!(headers['content-type'] ?? '').startsWith('application/json')) return 'Content-Type error';
  const query = parseObject(body);
  const { startDate, endDate, timeUnit, keywordGroups } = query;
  if (!isDay(startDate) || !isDay(endDate) || startDate > endDate || startDate < firstDate)
    return 'startDate/endDate is wrong.';
  if (timeUnit !== 'date' && timeUnit !== 'week' && timeUnit !== 'month')
    return 'timeUnit is wrong.';
  if (
    !Array.isArray(keywordGroups) ||
    keywordGroups.length === 0 ||
    keywordGroups.length > groupsMax
  )
    return `keywordGroups must be 1 to ${groupsMax}.`;
  const groups = keywordGroups.map(readGroup);
  if (groups.some((group) => group === null)) return `keywords must be 1 to ${keywordsMax}.`;
  const last = `${yesterday.slice(0, 4)}-${yesterday.slice(4, 6)}-${yesterday.slice(6)}`;
  return {
    startDate,
    endDate: endDate < last ? endDate : last,
    timeUnit,
    groups: groups.filter((group) => group !== null),
  };
}

function parseObject(body: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(body);
    // Safe: every member is unknown and is checked where it is read.
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function isDay(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
}

function readGroup(value: unknown): TrendQuery['groups'][number] | null {
  const { groupName, keywords } = (value ?? {}) as { groupName?: unknown; keywords?: unknown };
  const words = Array.isArray(keywords)
    ? keywords.filter((word): word is string => typeof word === 'string' && word !== '')
    : [];
  if (typeof groupName !== 'string' || words.length === 0 || words.length > keywordsMax)
    return null;
  return { name: groupName, keywords: words };
}

/** The response: ratios to its largest value, with five decimals. Groups with fewer than `searchesMin` have no data. */
function trendBody(model: SearchModel, query: TrendQuery): string {
  const periods = periodsOf(query);
  const series = query.groups.map(({ keywords }) => {
    const values = periods.map(({ days }) =>
      keywords.reduce((sum, keyword) => sum + searches(model, keyword, days), 0),
    );
    return values.reduce((sum, value) => sum + value, 0) < searchesMin ? [] : values;
  });
  const largest = Math.max(1, ...series.flat());
  const results = query.groups.map(({ name, keywords }, position) => ({
    title: name,
    keywords,
    data: (series[position] ?? []).flatMap((value, index) => {
      const ratio = Number(((100 * value) / largest).toFixed(5));
      return ratio === 0 ? [] : [{ period: periods[index]?.from ?? '', ratio }];
    }),
  }));
  const { startDate, endDate, timeUnit } = query;
  return JSON.stringify({ startDate, endDate, timeUnit, results });
}

/** Inputs of the invented numbers of searches. */
interface SearchModel {
  readonly seed: number;
  readonly volumeOf: (keyword: string) => number;
}

/** Searches for a keyword in a period: its volume spread over the days, with a weekly swing and some noise. */
function searches({ seed, volumeOf }: SearchModel, keyword: string, days: readonly Day[]): number {
  const daily = volumeOf(keyword) / 30;
  let sum = 0;
  for (const { date, isWeekend } of days) {
    const noise = 0.94 + 0.12 * randomFor(seed, 'searches', keyword, date).fraction();
    sum += daily * (isWeekend ? 0.85 : 1.06) * noise;
  }
  return sum;
}

interface Day {
  readonly date: string;
  readonly isWeekend: boolean;
}

/**
 * The periods of the window, each with its first day and the days whose searches it counts. A period that begins before
 * the window counts as many days as it has in the window, but from its own first day. Weeks begin on Monday.
 */
function periodsOf(query: TrendQuery): { from: string; days: readonly Day[] }[] {
  const { startDate, endDate, timeUnit } = query;
  const counts = new Map<string, number>();
  for (let date = startDate; date <= endDate; date = plusDays(date, 1)) {
    const from = firstDayOf(date, timeUnit);
    counts.set(from, (counts.get(from) ?? 0) + 1);
  }
  return [...counts].map(([from, count]) => ({
    from,
    days: Array.from({ length: count }, (_, day) => dayOf(plusDays(from, day))),
  }));
}

function dayOf(date: string): Day {
  return { date, isWeekend: [0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay()) };
}

function firstDayOf(date: string, unit: TrendQuery['timeUnit']): string {
  if (unit === 'date') return date;
  if (unit === 'month') return `${date.slice(0, 7)}-01`;
  return plusDays(date, -((new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7));
}

function plusDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

function failure(status: number, errorCode: string, errorMessage: string): Reply {
  return jsonReply(JSON.stringify({ errorMessage, errorCode }), status);
}
