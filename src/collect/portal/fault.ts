/**
 * What a fault means for us: `retry` passes by itself; `quota` until midnight in Korea; `request` will
 * always be refused; `service` needs a person.
 */
export type FaultClass = 'retry' | 'quota' | 'request' | 'service';

export interface Fault {
  readonly class: FaultClass;
  readonly code: string;
  /** What the portal said; may echo the request, the key in it too. */
  readonly message: string;
}

/** A result code as every agency means it: `0000`, `000` and `0` are `00`, `0022` is `22`. */
export function resultCode(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '';
  const digits = /^0*(\d{1,2})$/.exec(text.trim());
  if (digits !== null) return (digits[1] ?? '').padStart(2, '0');
  const lettered = /^(INFO|ERROR)-0*(\d+)$/.exec(text.trim().toUpperCase());
  return lettered === null ? text.trim().toUpperCase() : `${lettered[1]}-${lettered[2]}`;
}

export function isSuccess(code: string): boolean {
  return successCodes.has(code);
}

/** No records is an answer, not a fault. */
export function isEmpty(code: string): boolean {
  return emptyCodes.has(code);
}

/** The fault of a result code; a code nobody documents is judged by a known name in its message. */
export function faultOfCode(code: string, message: string): Fault {
  const known = classes.get(code) ?? lettered(code);
  if (known !== undefined) return { class: known, code, message };
  const name = nameIn(`${code} ${message}`);
  const named = name === undefined ? undefined : classes.get(name);
  return { class: named ?? 'retry', code: name ?? (code === '' ? 'unknown' : code), message };
}

/** The numeric code of a known error name inside a text, such as `22`; undefined where there is none. */
export function nameIn(text: string): string | undefined {
  return names.find(([name]) => text.includes(name))?.[1];
}

/** odcloud answers its own codes, all below zero. */
export function faultOfOdcloud(code: number, message: string): Fault {
  return { class: odcloud.get(code) ?? 'retry', code: `odcloud_${code}`, message };
}

/** Plain words of the gateway, where there is no envelope at all. */
export function faultOfWords(text: string): Fault | undefined {
  const found = words.find(([start]) => text.startsWith(start));
  return found === undefined ? undefined : { class: found[1], code: found[2], message: found[0] };
}

export function faultOfStatus(status: number, message: string): Fault {
  const code = `http_${status}`;
  if (status === 401 || status === 403) return { class: 'service', code, message };
  const passing = status >= 500 || status === 408 || status === 425 || status === 429;
  return { class: passing ? 'retry' : 'request', code, message };
}

const successCodes: ReadonlySet<string> = new Set(
  '00 INFO-0 NORMAL_CODE NORMAL_SERVICE'.split(' '),
);
const emptyCodes: ReadonlySet<string> = new Set(
  '03 NODATA NO_DATA NODATA_ERROR NO_DATA_ERROR INFO-3 INFO-200 ERROR-3'.split(' '),
);

/** The portal's tables of the guides and of 2026, joined. */
const table: readonly (readonly [code: string, faultClass: FaultClass, names: string])[] = [
  ['01', 'retry', 'APPLICATION_ERROR'],
  ['02', 'retry', 'DB_ERROR'],
  ['04', 'retry', 'HTTP_ERROR HTTP_ROUTING_ERROR'],
  ['05', 'retry', 'SERVICETIMEOUT_ERROR SERVICE_TIMEOUT_ERROR'],
  ['10', 'request', 'INVALID_REQUEST_PARAMETER_ERROR'],
  ['11', 'request', 'NO_MANDATORY_REQUEST_PARAMETERS_ERROR'],
  ['12', 'request', 'NO_OPENAPI_SERVICE_ERROR'],
  ['20', 'service', 'SERVICE_ACCESS_DENIED_ERROR SERVICE_KEY_IS_NULL PERMISSION_DENIED'],
  ['21', 'retry', 'TEMPORARILY_DISABLE_THE_SERVICEKEY_ERROR'],
  ['22', 'quota', 'LIMITED_NUMBER_OF_SERVICE_REQUESTS_EXCEEDS_ERROR'],
  ['23', 'retry', 'LIMITED_NUMBER_OF_SERVICE_REQUESTS_PER_SECOND_EXCEEDS_ERROR'],
  ['29', 'service', 'BLACKLIST_IP_ACCESS_ERROR'],
  ['30', 'service', 'SERVICE_KEY_IS_NOT_REGISTERED_ERROR'],
  ['31', 'service', 'DEADLINE_HAS_EXPIRED_ERROR'],
  ['32', 'service', 'UNREGISTERED_IP_ERROR'],
  ['33', 'service', 'UNSIGNED_CALL_ERROR'],
  ['99', 'retry', 'UNKNOWN_ERROR'],
];
const classes: ReadonlyMap<string, FaultClass> = new Map(
  table.map(([code, faultClass]) => [code, faultClass]),
);
/** `HTTP_ERROR` is no part of another name, but `DB_ERROR` could be: the longest are tried first. */
const names = table
  .flatMap(([code, , all]) => all.split(' ').map((name) => [name, code] as const))
  .sort(([a], [b]) => b.length - a.length);

const odcloud: ReadonlyMap<number, FaultClass> = new Map([
  [-1, 'retry'],
  [-2, 'request'],
  [-3, 'request'],
  [-4, 'service'],
  [-9, 'request'],
  [-10, 'quota'],
  [-401, 'service'],
  [-999, 'retry'],
]);

const words: readonly (readonly [start: string, faultClass: FaultClass, code: string])[] = [
  ['Unauthorized', 'service', 'unauthorized'],
  ['Forbidden', 'service', 'forbidden'],
  ['API not found', 'request', 'api_not_found'],
  ['API rate limit exceeded', 'retry', 'rate_limit'],
  ['API token quota exceeded', 'quota', 'token_quota'],
  ['Error forwarding request to backend server', 'retry', 'forwarding'],
  ['Error receiving response from backend server', 'retry', 'receiving'],
  ['Unexpected error', 'retry', 'unexpected'],
];

/** Codes with letters, as the election commission and the head/row family use them. */
function lettered(code: string): FaultClass | undefined {
  if (['INFO-100', 'INFO-300', 'ERROR-290'].includes(code)) return 'service';
  if (code === 'ERROR-337') return 'quota';
  if (/^ERROR-3\d\d$/.test(code)) return 'request';
  return /^ERROR-[56]\d\d$/.test(code) ? 'retry' : undefined;
}
