import { isNoData, isSuccess, normaliseCode } from '../../data/portal/fault.ts';
import { gatewayWords, odcloudCodes, resultCodes } from '../../data/portal/result-codes.ts';
import { FileRefused } from './refused.ts';

/** Code and message in the header of a response. */
interface AnswerStatus {
  readonly code: string;
  readonly message: string;
}

/** True for an error code of any service of the portal, but not for success or an empty result. */
export function isErrorCode(code: string): boolean {
  const known = normaliseCode(code);
  return !isSuccess(known) && !isNoData(known) && known !== httpOk;
}

/** The refusal of an error response, with the portal's code and its meaning. */
export function portalError(name: string, { code, message }: AnswerStatus): FileRefused {
  const known = meanings.get(code) ?? meanings.get(normaliseCode(code));
  const meaning = known ?? 'the portal gives no meaning for this code';
  const detail = message === '' ? '' : ` (${message})`;
  return new FileRefused(
    'portal_error',
    `${name} is not data but the portal's response ${code}${detail}: ${meaning}. Solve this, then download the file again.`,
  );
}

/** The refusal of a plain-text error of the gateway; null for any other text. */
export function plainTextError(name: string, text: string): FileRefused | null {
  const line = text.trim();
  const found = gatewayWords.find(([start]) => line === start || line === `${start}s`);
  return found === undefined ? null : portalError(name, { code: found[0], message: '' });
}

/** Some services use the HTTP status as their code. */
const httpOk = '200';

const meanings: ReadonlyMap<string, string> = new Map([
  ...resultCodes.map(([code, , , meaning]) => [code, meaning] as const),
  ...odcloudCodes.map(([code, , meaning]) => [String(code), meaning] as const),
  ...gatewayWords.map(([start, , , meaning]) => [start, meaning] as const),
  // Codes of Naver’s search trend service: three digits, which are not the portal’s with a zero in front.
  ['010', 'the day’s number of requests is used up'],
  ['012', 'too many requests were sent at a time'],
  ['024', 'the application’s id or secret key is wrong'],
  ['028', 'the application’s id or secret key is missing'],
]);
