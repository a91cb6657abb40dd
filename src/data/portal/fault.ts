import { gatewayWords, odcloudCodes, resultCodes, type FaultClass } from './result-codes.ts';

export interface Fault {
  readonly class: FaultClass;
  readonly code: string;
  /** Message of the portal; it may echo the request, including the service key. */
  readonly message: string;
}

/** Distinguishes a fault from the content that a reader returns instead. */
export function isFault(value: object): value is Fault {
  return 'class' in value && 'code' in value && 'message' in value;
}

/** Normalises the result codes of all agencies: `0000`, `000` and `0` to `00`, `0022` to `22`. */
export function normaliseCode(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '';
  const digits = /^0*(\d{1,2})$/.exec(text.trim());
  if (digits !== null) return (digits[1] ?? '').padStart(2, '0');
  const letterCode = /^(INFO|ERROR)-0*(\d+)$/.exec(text.trim().toUpperCase());
  return letterCode === null ? text.trim().toUpperCase() : `${letterCode[1]}-${letterCode[2]}`;
}

export function isSuccess(code: string): boolean {
  return successCodes.has(code);
}

/** True if the code means that there are no records, which is an answer and not a fault. */
export function isNoData(code: string): boolean {
  return emptyCodes.has(code);
}

/** Fault of a result code. An undocumented code gets the class of a known error name in its message. */
export function faultOfCode(code: string, message: string): Fault {
  const codeClass = classes.get(code) ?? classOfLetterCode(code);
  if (codeClass !== undefined) return { class: codeClass, code, message };
  const name = codeNamedIn(`${code} ${message}`);
  const classOfName = name === undefined ? undefined : classes.get(name);
  return {
    class: classOfName ?? 'retry',
    code: name ?? (code === '' ? 'unknown' : code),
    message,
  };
}

/** True for a code that is documented, or whose message has a documented name of an error. */
export function isKnownCode(code: string, message: string): boolean {
  const isCode = classes.has(code) || classOfLetterCode(code) !== undefined;
  return isCode || codeNamedIn(`${code} ${message}`) !== undefined;
}

/** The numeric code of a known error name inside a text, such as `22`; undefined if there is none. */
export function codeNamedIn(text: string): string | undefined {
  return names.find(([name]) => text.includes(name))?.[1];
}

/** The fault of a code of odcloud, which is negative. */
export function faultOfOdcloud(code: number, message: string): Fault {
  return { class: odcloud.get(code) ?? 'retry', code: `odcloud_${code}`, message };
}

/** The fault of a plain-text body, which has no envelope. */
export function faultOfWords(text: string): Fault | undefined {
  const entry = gatewayWords.find(([start]) => text.startsWith(start));
  return entry === undefined ? undefined : { class: entry[1], code: entry[2], message: entry[0] };
}

export function faultOfStatus(status: number, message: string): Fault {
  const code = `http_${status}`;
  if (status === 401 || status === 403) return { class: 'service', code, message };
  const isTemporary = status >= 500 || status === 408 || status === 425 || status === 429;
  return { class: isTemporary ? 'retry' : 'request', code, message };
}

const successCodes: ReadonlySet<string> = new Set(
  '00 INFO-0 NORMAL_CODE NORMAL_SERVICE'.split(' '),
);
const emptyCodes: ReadonlySet<string> = new Set(
  '03 NODATA NO_DATA NODATA_ERROR NO_DATA_ERROR INFO-3 INFO-200 ERROR-3'.split(' '),
);

const classes: ReadonlyMap<string, FaultClass> = new Map(
  resultCodes.map(([code, faultClass]) => [code, faultClass]),
);
/** Longest first, because a name may be part of a longer one. */
const names = resultCodes
  .flatMap(([code, , all]) => all.split(' ').map((name) => [name, code] as const))
  .sort(([a], [b]) => b.length - a.length);

const odcloud: ReadonlyMap<number, FaultClass> = new Map(
  odcloudCodes.map(([code, faultClass]) => [code, faultClass]),
);

/** Class of a code with letters, as the election commission and the head/row family use them. */
function classOfLetterCode(code: string): FaultClass | undefined {
  if (['INFO-100', 'INFO-300', 'ERROR-290'].includes(code)) return 'service';
  if (code === 'ERROR-337') return 'quota';
  if (/^ERROR-3\d\d$/.test(code)) return 'request';
  return /^ERROR-[56]\d\d$/.test(code) ? 'retry' : undefined;
}
