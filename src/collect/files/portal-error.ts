import { FileRefused } from './refused.ts';

/** What an answer says about itself: the code and message of its header, wherever they stand. */
interface AnswerStatus {
  readonly code: string;
  readonly message: string;
}

/** Codes that mean an answer is good or holds nothing, in every family of the portal's services. */
export function isErrorCode(code: string): boolean {
  return !/^(?:0{1,4}|INFO-0{1,3}|NORMAL_CODE|NORMAL_SERVICE|200)$/u.test(code.trim());
}

/** Codes of an answer that is in order and holds no record. */
export function isNoDataCode(code: string): boolean {
  return /^(?:0?3|INFO-0?3|INFO-200|ERROR-0?3|NODATA_ERROR|NO_DATA)$/u.test(code.trim());
}

/** A refusal with the portal's code, its meaning and what to do about it. */
export function portalError(name: string, { code, message }: AnswerStatus): FileRefused {
  const known = meanings[code.trim().replace(/^(?=\d$)/u, '0')] ?? plainMeanings[code];
  const meaning = known ?? 'the portal gives no meaning for this code';
  const said = message === '' ? '' : ` (${message})`;
  return new FileRefused(
    'portal_error',
    `${name} is not data but the portal's answer ${code}${said}: ${meaning}. Download it again when that is settled.`,
  );
}

/** The gateway's errors in plain text; null for any other text. */
export function plainTextError(name: string, text: string): FileRefused | null {
  const line = text.trim();
  return Object.hasOwn(plainMeanings, line) ? portalError(name, { code: line, message: '' }) : null;
}

/** The portal's guides up to 2024 and its table of 2026 together. */
const meanings: Readonly<Record<string, string>> = {
  '01': 'an error in the agency’s application',
  '02': 'an error in the agency’s database',
  '03': 'there is no data for the question',
  '04': 'an HTTP error between the portal and the agency',
  '05': 'the agency’s service did not answer in time',
  '10': 'a parameter of the request is wrong',
  '11': 'a parameter of the request is missing',
  '12': 'the service does not exist any more, or its path has changed',
  '20': 'access was denied, or the service key was missing',
  '21': 'the service key is blocked for the time being',
  '22': 'the day’s number of requests is used up; it starts anew at midnight in Korea',
  '23': 'too many requests in one second',
  '29': 'the address of the caller is blocked',
  '30': 'the service key is not registered for this service, or was encoded twice',
  '31': 'the right to use the service has run out',
  '32': 'the address of the caller is not registered',
  '33': 'the call was not signed',
  '99': 'an unknown error',
  '010': 'the day’s number of requests is used up',
  '-1': 'an internal error of the system',
  '-2': 'a parameter of the request is wrong',
  '-3': 'the service is not registered',
  '-4': 'the service key is not registered',
  '-9': 'the service has ended',
  '-10': 'the number of requests is used up',
  '-401': 'the service key is not valid',
  '-999': 'an unknown error',
};

const plainMeanings: Readonly<Record<string, string>> = {
  Unauthorized: 'the service key is not valid',
  Forbidden: 'the use of this service was not applied for',
  'API not found': 'the service does not exist any more, or its path has changed',
  'API rate limit exceeded': 'too many requests at a time',
  'API token quota exceeded': 'the day’s number of requests is used up',
  'Error forwarding request to backend server': 'the agency’s server could not be reached',
  'Error receiving response from backend server': 'the agency’s server did not answer',
  'Unexpected errors': 'an error of the gateway',
};
