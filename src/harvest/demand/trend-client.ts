import { isFault, type Fault } from '../../data/portal/fault.ts';
import type { TimeUnit } from '../../ingest/demand/measurement.ts';
import { createClient, type ClientOptions } from '../client/client.ts';
import type { QuotaStore } from '../client/quota.ts';
import { createRedactor } from '../client/redact.ts';
import type { UpstreamRequest } from '../client/request.ts';
import type { RawResponse } from '../client/transport.ts';
import { readAnswer } from '../protocol/answer.ts';
import { trendLimits } from './limits.ts';

/** One measurement: up to five groups over the same periods. */
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

/** `hub` is Naver Cloud's API HUB (from 2026-06-25), `legacy` the former service (until 2027-06-30). */
export type TrendService = keyof typeof trendServices;

export interface TrendKeys {
  readonly service: TrendService;
  readonly id: string;
  readonly secret: string;
}

export interface TrendClient {
  /** Sends a request; the response does not contain the keys. Throws `PortalError`. */
  measure(request: TrendRequest, signal?: AbortSignal): Promise<RawResponse>;
}

/** Client of Naver's search trend; its two services differ in address and headers only. */
export function createTrendClient(
  { service, id, secret }: TrendKeys,
  quota: QuotaStore,
  options: ClientOptions,
): TrendClient {
  const { path, idHeader, secretHeader, callsPerDay } = trendServices[service];
  const client = createClient({
    ...options,
    limits: { callsPerSecond: trendLimits.callsPerSecond, ...options.limits },
    headers: { 'Content-Type': 'application/json', [idHeader]: id, [secretHeader]: secret },
    redactor: createRedactor([secret, id]),
    quota,
    quotaCode: tooManyRequests,
    advice: adviceFor,
  });
  const upstream: UpstreamRequest = {
    path,
    service: path,
    parameters: {},
    key: null,
    dailyQuota: callsPerDay,
    portalId: null,
  };
  return {
    measure: (request, signal) =>
      client.send(
        { ...upstream, body: JSON.stringify(request) },
        (response) => faultIn(response, request) ?? response,
        { signal },
      ),
  };
}

const trendServices = {
  hub: {
    path: 'naverapihub.apigw.ntruss.com/search-trend/v1/search',
    idHeader: 'X-NCP-APIGW-API-KEY-ID',
    secretHeader: 'X-NCP-APIGW-API-KEY',
    callsPerDay: Number.MAX_SAFE_INTEGER,
  },
  legacy: {
    path: 'openapi.naver.com/v1/datalab/search',
    idHeader: 'X-Naver-Client-Id',
    secretHeader: 'X-Naver-Client-Secret',
    callsPerDay: trendLimits.legacyCallsPerDay,
  },
} as const;

/** The fault of a response; null if it has the requested groups in their order. */
function faultIn({ status, body }: RawResponse, { keywordGroups }: TrendRequest): Fault | null {
  const document = parseJson(body);
  const results = memberOf(document, 'results');
  if (status !== 200 || !Array.isArray(results)) return faultOf(status, body, document);
  const titles = results.map((result) => memberOf(result, 'title'));
  const isRequested =
    titles.length === keywordGroups.length &&
    keywordGroups.every(({ groupName }, at) => titles[at] === groupName);
  const message = 'the response has other groups than the request';
  return isRequested ? null : { class: 'retry', code: 'other_groups', message };
}

function faultOf(status: number, body: Uint8Array, document: unknown): Fault {
  const message =
    memberOf(document, 'errorMessage') ?? memberOf(memberOf(document, 'error'), 'message');
  const code = `http_${status}`;
  if (typeof message === 'string') {
    if (status === 429) {
      const isDailyQuota = memberOf(document, 'errorCode') === dailyQuotaSpent;
      return {
        class: isDailyQuota ? 'quota' : 'retry',
        code: isDailyQuota ? 'quota' : tooManyRequests,
        message,
      };
    }
    if (status === 401 || status === 403) return { class: 'service', code, message };
    return { class: status === 400 ? 'request' : 'retry', code, message };
  }
  // A document without a message is from a gateway in between.
  const reading = readAnswer(body, status);
  if (isFault(reading)) return reading;
  return { class: 'retry', code: 'not_data', message: 'the response has no search trend' };
}

/** Fault code of status 429, for the limit of a second or of a day. */
const tooManyRequests = 'http_429';

/** Fault code of refused keywords; any other refusal concerns all requests. */
export const keywordsRefused = 'http_400';

/** `errorCode` of “Query limit exceeded” (쿼리 한도를 초과했습니다). */
const dailyQuotaSpent = '010';

function adviceFor({ class: kind, code }: Fault): string {
  switch (kind) {
    case 'quota':
      return (
        'The daily quota is spent, or search trend (검색어트렌드) is not enabled for the application: run the ' +
        'same command after midnight in Korea.'
      );
    case 'service':
      return code === 'http_403'
        ? 'Enable search trend (검색어트렌드) for the application that the key belongs to.'
        : 'Check MARU_NAVER_ID, MARU_NAVER_SECRET and MARU_NAVER_DOOR: a key works only with its own service.';
    case 'request':
      return code === keywordsRefused
        ? 'The service refuses these keywords: remove those that are not plain words.'
        : 'The service has moved or was closed: look for its new address, or try the other one (MARU_NAVER_DOOR).';
    default:
      return 'The fault is temporary: run again later; stored responses are not requested again.';
  }
}

function parseJson(body: Uint8Array): unknown {
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
