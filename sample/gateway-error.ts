import { element } from './xml.ts';

/** The error codes of the portal's gateway with their names in the guides. */
export const gatewayErrors = {
  '01': ['APPLICATION_ERROR', '어플리케이션 에러'],
  '02': ['DB_ERROR', '데이터베이스 에러'],
  '03': ['NODATA_ERROR', '데이터없음 에러'],
  '04': ['HTTP_ERROR', 'HTTP 에러'],
  '05': ['SERVICETIMEOUT_ERROR', '서비스 연결실패 에러'],
  '10': ['INVALID_REQUEST_PARAMETER_ERROR', '잘못된 요청 파라메터 에러'],
  '11': ['NO_MANDATORY_REQUEST_PARAMETERS_ERROR', '필수 요청 파라메터가 없음'],
  '12': ['NO_OPENAPI_SERVICE_ERROR', '해당 오픈API 서비스가 없거나 폐기됨'],
  '20': ['SERVICE_ACCESS_DENIED_ERROR', '서비스 접근거부'],
  '21': ['TEMPORARILY_DISABLE_THE_SERVICEKEY_ERROR', '일시적으로 사용할 수 없는 서비스키'],
  '22': ['LIMITED_NUMBER_OF_SERVICE_REQUESTS_EXCEEDS_ERROR', '서비스 요청제한횟수 초과에러'],
  '23': [
    'LIMITED_NUMBER_OF_SERVICE_REQUESTS_PER_SECOND_EXCEEDS_ERROR',
    '초당 서비스 요청제한횟수 초과에러',
  ],
  '29': ['BLACKLIST_IP_ACCESS_ERROR', '차단된 IP의 접근'],
  '30': ['SERVICE_KEY_IS_NOT_REGISTERED_ERROR', '등록되지 않은 서비스키'],
  '31': ['DEADLINE_HAS_EXPIRED_ERROR', '활용기간 만료'],
  '32': ['UNREGISTERED_IP_ERROR', '등록되지 않은 IP'],
  '33': ['UNSIGNED_CALL_ERROR', '서명되지 않은 호출'],
  '99': ['UNKNOWN_ERROR', '기타 에러'],
} as const satisfies Record<string, readonly [name: string, korean: string]>;

export type GatewayCode = keyof typeof gatewayErrors;

/** The three formats of gateway errors: until 2024, since 2025, and since 2025 for requests of JSON. */
export type GatewayShape = 'xml-200' | 'xml-403' | 'json-403';

interface GatewayError {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/** Creates an error. `alias` replaces the usual name of its code: 20 has three names and 04 has two. */
export function gatewayError(code: GatewayCode, shape: GatewayShape, alias?: string): GatewayError {
  const [usualName, korean] = gatewayErrors[code];
  const name = alias ?? usualName;
  const isRateLimit = code === '22' || code === '23';
  // An empty result is not a refusal.
  const status = shape === 'xml-200' || code === '03' ? 200 : isRateLimit ? 429 : 403;
  if (shape === 'json-403') {
    const cmmMsgHeader = { errMsg: name, returnAuthMsg: korean, returnReasonCode: code };
    const body = JSON.stringify({ OpenAPI_ServiceResponse: { cmmMsgHeader } });
    return { status, type: 'application/json;charset=UTF-8', body };
  }
  const [error, reason] = shape === 'xml-200' ? ['SERVICE ERROR', name] : [name, korean];
  const header =
    element('errMsg', error) + element('returnAuthMsg', reason) + element('returnReasonCode', code);
  const body = element('OpenAPI_ServiceResponse', element('cmmMsgHeader', header));
  const declaration = shape === 'xml-200' ? '' : '<?xml version="1.0" encoding="UTF-8"?>\n';
  return { status, type: 'text/xml;charset=UTF-8', body: declaration + body };
}
