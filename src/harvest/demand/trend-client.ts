import { askDoor, tooMany, type Door } from '../client/fetch-upstream.ts';
import { isFault, readAnswer } from '../protocol/answer.ts';
import type { Fault } from '../../data/portal/fault.ts';
import type { QuotaStore } from '../client/quota.ts';
import type { RawAnswer } from '../client/transport.ts';
import { trendLimits } from './limits.ts';
import type { TimeUnit } from '../../ingest/demand/measurement.ts';

/** What is asked in one call: up to five groups over the same periods. */
export interface TrendRequest {
  readonly startDate: string;
  readonly endDate: string;
  readonly timeUnit: TimeUnit;
  readonly keywordGroups: readonly TrendGroup[];
}

export interface TrendGroup {
  readonly groupName: string;
  readonly keywords: readonly string[];
}

/** `hub` is Naver Cloud's API HUB (from 2026-06-25), `legacy` the old door (until 2027-06-30). */
export type TrendDoorName = keyof typeof trendDoors;

export interface TrendKeys {
  readonly door: TrendDoorName;
  readonly id: string;
  readonly secret: string;
}

export interface TrendClient {
  /** The answer as it came, keys taken out. Throws `PortalError`. */
  ask(request: TrendRequest, signal?: AbortSignal): Promise<{ status: number; body: Uint8Array }>;
}

/** Naver's search trend at either of its doors, which differ in address and headers only. */
export function createTrendClient(
  { door: name, id, secret }: TrendKeys,
  door: Door,
  quota: QuotaStore,
): TrendClient {
  const { target, idHeader, secretHeader, callsPerDay } = trendDoors[name];
  const hide = (text: string): string => text.replaceAll(secret, hidden).replaceAll(id, hidden);
  return {
    async ask(request, signal) {
      const { raw } = await askDoor(
        {
          target,
          headers: {
            'Content-Type': 'application/json',
            'Accept-Encoding': 'gzip',
            [idHeader]: id,
            [secretHeader]: secret,
          },
          body: JSON.stringify(request),
          read: (answer) => readTrend(answer, request, hide),
          advice: adviceFor,
        },
        { ...door, quota: { store: quota, perDay: callsPerDay } },
        signal,
      );
      const text = Buffer.from(raw.body).toString('utf8');
      const clean = hide(text);
      return { status: raw.status, body: clean === text ? raw.body : Buffer.from(clean) };
    },
  };
}

const trendDoors = {
  hub: {
    target: 'naverapihub.apigw.ntruss.com/search-trend/v1/search',
    idHeader: 'X-NCP-APIGW-API-KEY-ID',
    secretHeader: 'X-NCP-APIGW-API-KEY',
    callsPerDay: Number.MAX_SAFE_INTEGER,
  },
  legacy: {
    target: 'openapi.naver.com/v1/datalab/search',
    idHeader: 'X-Naver-Client-Id',
    secretHeader: 'X-Naver-Client-Secret',
    callsPerDay: trendLimits.legacyCallsPerDay,
  },
} as const;

const hidden = '***';

/** An answer is one only when it has the groups that were asked for, in their order. */
function readTrend(
  { status, body }: RawAnswer,
  { keywordGroups }: TrendRequest,
  hide: (text: string) => string,
): { readonly results: readonly unknown[] } | Fault {
  const document = parsed(body);
  const results = memberOf(document, 'results');
  const titles = Array.isArray(results) ? results.map((result) => memberOf(result, 'title')) : null;
  if (status === 200 && titles !== null) {
    const isAsked = titles.length === keywordGroups.length;
    if (isAsked && keywordGroups.every(({ groupName }, at) => titles[at] === groupName)) {
      return { results: titles };
    }
    return {
      class: 'retry',
      code: 'other_groups',
      message: 'other groups came than were asked for',
    };
  }
  return faultOf(status, body, document, hide);
}

function faultOf(
  status: number,
  body: Uint8Array,
  document: unknown,
  hide: (text: string) => string,
): Fault {
  const own =
    memberOf(document, 'errorMessage') ?? memberOf(memberOf(document, 'error'), 'message');
  const code = `http_${status}`;
  if (typeof own === 'string') {
    const message = hide(own).replace(/\s+/g, ' ').slice(0, messageLengthMax);
    if (status === 429) {
      const isDay = memberOf(document, 'errorCode') === dayIsSpent;
      return { class: isDay ? 'quota' : 'retry', code: isDay ? 'quota' : tooMany, message };
    }
    if (status === 401 || status === 403) return { class: 'service', code, message };
    return { class: status === 400 ? 'request' : 'retry', code, message };
  }
  // Not in the words of the service: something on the way answered, as gateways do.
  const reading = readAnswer(body, status);
  if (!isFault(reading))
    return { class: 'retry', code: 'not_data', message: 'no search trend came' };
  const message = hide(reading.message).slice(0, messageLengthMax);
  return { ...reading, message };
}

/** The code of the one refusal that is of a question alone; a service that has moved refuses them all. */
export const keywordsRefused = 'http_400';

/** `errorCode` of “Query limit exceeded” (쿼리 한도를 초과했습니다). */
const dayIsSpent = '010';
const messageLengthMax = 200;

function adviceFor({ class: kind, code }: Fault): string {
  switch (kind) {
    case 'quota':
      return (
        'The day’s calls are spent, or search trend is not ticked for the application: the same command ' +
        'goes on after midnight in Korea.'
      );
    case 'service':
      return code === 'http_403'
        ? 'Tick search trend (검색어트렌드) for the application where its key was made.'
        : 'Check MARU_NAVER_ID, MARU_NAVER_SECRET and MARU_NAVER_DOOR: a key works only at its own door.';
    case 'request':
      return code === keywordsRefused
        ? 'The service refuses these keywords: take out what is no plain word.'
        : 'The service has moved or was closed: look for its address at its door (MARU_NAVER_DOOR).';
    default:
      return 'It passes by itself: run again later, what is stored is not asked for twice.';
  }
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}

function memberOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[key];
}
