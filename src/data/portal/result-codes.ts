import type { BilingualText } from '../../contract/language.ts';

/**
 * Consequence of a fault: after `retry` a later attempt may succeed; `quota` lasts until midnight in Korea; after
 * `request` the same request is always refused; `service` needs the operator.
 */
export type FaultClass = 'retry' | 'quota' | 'request' | 'service';

/** A code of the portal: its class, its names, and its meaning for an operator. */
type ResultCode = readonly [
  code: string,
  faultClass: FaultClass,
  names: string,
  meaning: BilingualText,
];

/** Result codes of the portal: the tables of its guides up to 2024 and the table of 2026. */
export const resultCodes: readonly ResultCode[] = [
  [
    '01',
    'retry',
    'APPLICATION_ERROR',
    { ko: '제공기관 응용 프로그램의 오류', en: 'an error in the agency’s application' },
  ],
  [
    '02',
    'retry',
    'DB_ERROR',
    { ko: '제공기관 데이터베이스의 오류', en: 'an error in the agency’s database' },
  ],
  [
    '04',
    'retry',
    'HTTP_ERROR HTTP_ROUTING_ERROR',
    {
      ko: '포털과 제공기관 사이의 HTTP 오류',
      en: 'an HTTP error between the portal and the agency',
    },
  ],
  [
    '05',
    'retry',
    'SERVICETIMEOUT_ERROR SERVICE_TIMEOUT_ERROR',
    { ko: '제공기관 서비스의 응답 시간 초과', en: 'the agency’s service did not answer in time' },
  ],
  [
    '10',
    'request',
    'INVALID_REQUEST_PARAMETER_ERROR',
    { ko: '요청 매개변수가 잘못됨', en: 'a parameter of the request is wrong' },
  ],
  [
    '11',
    'request',
    'NO_MANDATORY_REQUEST_PARAMETERS_ERROR',
    { ko: '필수 요청 매개변수가 없음', en: 'a parameter of the request is missing' },
  ],
  [
    '12',
    'request',
    'NO_OPENAPI_SERVICE_ERROR',
    {
      ko: '서비스가 없어졌거나 주소가 바뀜',
      en: 'the service does not exist any more, or its path has changed',
    },
  ],
  [
    '20',
    'service',
    'SERVICE_ACCESS_DENIED_ERROR SERVICE_KEY_IS_NULL PERMISSION_DENIED',
    {
      ko: '접근이 거부되었거나 인증키가 없음',
      en: 'access was denied, or the service key was missing',
    },
  ],
  [
    '21',
    'retry',
    'TEMPORARILY_DISABLE_THE_SERVICEKEY_ERROR',
    { ko: '인증키가 일시적으로 중지됨', en: 'the service key is blocked for the time being' },
  ],
  [
    '22',
    'quota',
    'LIMITED_NUMBER_OF_SERVICE_REQUESTS_EXCEEDS_ERROR',
    {
      ko: '하루 호출 한도를 모두 사용함(자정에 초기화)',
      en: 'the day’s number of requests is used up; it starts anew at midnight in Korea',
    },
  ],
  [
    '23',
    'retry',
    'LIMITED_NUMBER_OF_SERVICE_REQUESTS_PER_SECOND_EXCEEDS_ERROR',
    { ko: '초당 호출 한도를 넘음', en: 'too many requests in one second' },
  ],
  [
    '29',
    'service',
    'BLACKLIST_IP_ACCESS_ERROR',
    { ko: '호출한 IP 주소가 차단됨', en: 'the address of the caller is blocked' },
  ],
  [
    '30',
    'service',
    'SERVICE_KEY_IS_NOT_REGISTERED_ERROR',
    {
      ko: '인증키가 이 서비스에 등록되지 않았거나 두 번 인코딩됨',
      en: 'the service key is not registered for this service, or was encoded twice',
    },
  ],
  [
    '31',
    'service',
    'DEADLINE_HAS_EXPIRED_ERROR',
    { ko: '활용 기간이 끝남', en: 'the right to use the service has run out' },
  ],
  [
    '32',
    'service',
    'UNREGISTERED_IP_ERROR',
    { ko: '호출한 IP 주소가 등록되지 않음', en: 'the address of the caller is not registered' },
  ],
  [
    '33',
    'service',
    'UNSIGNED_CALL_ERROR',
    { ko: '서명되지 않은 호출', en: 'the call was not signed' },
  ],
  ['99', 'retry', 'UNKNOWN_ERROR', { ko: '알 수 없는 오류', en: 'an unknown error' }],
];

/** The codes of odcloud, all below zero. */
export const odcloudCodes: readonly (readonly [
  code: number,
  faultClass: FaultClass,
  meaning: BilingualText,
])[] = [
  [-1, 'retry', { ko: '시스템 내부 오류', en: 'an internal error of the system' }],
  [-2, 'request', { ko: '요청 매개변수가 잘못됨', en: 'a parameter of the request is wrong' }],
  [-3, 'request', { ko: '등록되지 않은 서비스', en: 'the service is not registered' }],
  [-4, 'service', { ko: '등록되지 않은 인증키', en: 'the service key is not registered' }],
  [-9, 'request', { ko: '종료된 서비스', en: 'the service has ended' }],
  [-10, 'quota', { ko: '호출 한도를 모두 사용함', en: 'the number of requests is used up' }],
  [-401, 'service', { ko: '유효하지 않은 인증키', en: 'the service key is not valid' }],
  [-999, 'retry', { ko: '알 수 없는 오류', en: 'an unknown error' }],
];

/** Beginnings of the gateway's plain-text errors, which have no envelope, and the codes we give them. */
export const gatewayWords: readonly (readonly [
  start: string,
  faultClass: FaultClass,
  code: string,
  meaning: BilingualText,
])[] = [
  [
    'Unauthorized',
    'service',
    'unauthorized',
    { ko: '유효하지 않은 인증키', en: 'the service key is not valid' },
  ],
  [
    'Forbidden',
    'service',
    'forbidden',
    { ko: '활용신청을 하지 않은 서비스', en: 'the use of this service was not applied for' },
  ],
  [
    'API not found',
    'request',
    'api_not_found',
    {
      ko: '서비스가 없어졌거나 주소가 바뀜',
      en: 'the service does not exist any more, or its path has changed',
    },
  ],
  [
    'API rate limit exceeded',
    'retry',
    'rate_limit',
    { ko: '한꺼번에 너무 많이 호출함', en: 'too many requests at a time' },
  ],
  [
    'API token quota exceeded',
    'quota',
    'token_quota',
    { ko: '하루 호출 한도를 모두 사용함', en: 'the day’s number of requests is used up' },
  ],
  [
    'Error forwarding request to backend server',
    'retry',
    'forwarding',
    { ko: '제공기관 서버에 연결하지 못함', en: 'the agency’s server could not be reached' },
  ],
  [
    'Error receiving response from backend server',
    'retry',
    'receiving',
    { ko: '제공기관 서버가 응답하지 않음', en: 'the agency’s server did not answer' },
  ],
  [
    'Unexpected error',
    'retry',
    'unexpected',
    { ko: '게이트웨이 오류', en: 'an error of the gateway' },
  ],
];
