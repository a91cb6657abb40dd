/**
 * Consequence of a fault: after `retry` a later attempt may succeed; `quota` lasts until midnight in Korea; after
 * `request` the same request is always refused; `service` needs the operator.
 */
export type FaultClass = 'retry' | 'quota' | 'request' | 'service';

/** A code of the portal: its class, its names, and its meaning for an operator. */
type ResultCode = readonly [code: string, faultClass: FaultClass, names: string, meaning: string];

/** Result codes of the portal: the tables of its guides up to 2024 and the table of 2026. */
export const resultCodes: readonly ResultCode[] = [
  ['01', 'retry', 'APPLICATION_ERROR', 'an error in the agency’s application'],
  ['02', 'retry', 'DB_ERROR', 'an error in the agency’s database'],
  [
    '04',
    'retry',
    'HTTP_ERROR HTTP_ROUTING_ERROR',
    'an HTTP error between the portal and the agency',
  ],
  [
    '05',
    'retry',
    'SERVICETIMEOUT_ERROR SERVICE_TIMEOUT_ERROR',
    'the agency’s service did not answer in time',
  ],
  ['10', 'request', 'INVALID_REQUEST_PARAMETER_ERROR', 'a parameter of the request is wrong'],
  [
    '11',
    'request',
    'NO_MANDATORY_REQUEST_PARAMETERS_ERROR',
    'a parameter of the request is missing',
  ],
  [
    '12',
    'request',
    'NO_OPENAPI_SERVICE_ERROR',
    'the service does not exist any more, or its path has changed',
  ],
  [
    '20',
    'service',
    'SERVICE_ACCESS_DENIED_ERROR SERVICE_KEY_IS_NULL PERMISSION_DENIED',
    'access was denied, or the service key was missing',
  ],
  [
    '21',
    'retry',
    'TEMPORARILY_DISABLE_THE_SERVICEKEY_ERROR',
    'the service key is blocked for the time being',
  ],
  [
    '22',
    'quota',
    'LIMITED_NUMBER_OF_SERVICE_REQUESTS_EXCEEDS_ERROR',
    'the day’s number of requests is used up; it starts anew at midnight in Korea',
  ],
  [
    '23',
    'retry',
    'LIMITED_NUMBER_OF_SERVICE_REQUESTS_PER_SECOND_EXCEEDS_ERROR',
    'too many requests in one second',
  ],
  ['29', 'service', 'BLACKLIST_IP_ACCESS_ERROR', 'the address of the caller is blocked'],
  [
    '30',
    'service',
    'SERVICE_KEY_IS_NOT_REGISTERED_ERROR',
    'the service key is not registered for this service, or was encoded twice',
  ],
  ['31', 'service', 'DEADLINE_HAS_EXPIRED_ERROR', 'the right to use the service has run out'],
  ['32', 'service', 'UNREGISTERED_IP_ERROR', 'the address of the caller is not registered'],
  ['33', 'service', 'UNSIGNED_CALL_ERROR', 'the call was not signed'],
  ['99', 'retry', 'UNKNOWN_ERROR', 'an unknown error'],
];

/** The codes of odcloud, all below zero. */
export const odcloudCodes: readonly (readonly [
  code: number,
  faultClass: FaultClass,
  meaning: string,
])[] = [
  [-1, 'retry', 'an internal error of the system'],
  [-2, 'request', 'a parameter of the request is wrong'],
  [-3, 'request', 'the service is not registered'],
  [-4, 'service', 'the service key is not registered'],
  [-9, 'request', 'the service has ended'],
  [-10, 'quota', 'the number of requests is used up'],
  [-401, 'service', 'the service key is not valid'],
  [-999, 'retry', 'an unknown error'],
];

/** Beginnings of the gateway's plain-text errors, which have no envelope, and the codes we give them. */
export const gatewayWords: readonly (readonly [
  start: string,
  faultClass: FaultClass,
  code: string,
  meaning: string,
])[] = [
  ['Unauthorized', 'service', 'unauthorized', 'the service key is not valid'],
  ['Forbidden', 'service', 'forbidden', 'the use of this service was not applied for'],
  [
    'API not found',
    'request',
    'api_not_found',
    'the service does not exist any more, or its path has changed',
  ],
  ['API rate limit exceeded', 'retry', 'rate_limit', 'too many requests at a time'],
  ['API token quota exceeded', 'quota', 'token_quota', 'the day’s number of requests is used up'],
  [
    'Error forwarding request to backend server',
    'retry',
    'forwarding',
    'the agency’s server could not be reached',
  ],
  [
    'Error receiving response from backend server',
    'retry',
    'receiving',
    'the agency’s server did not answer',
  ],
  ['Unexpected error', 'retry', 'unexpected', 'an error of the gateway'],
];
