import { isEmpty, isSuccess, resultCode } from '../../data/portal/fault.ts';
import { gatewayWords, odcloudCodes, resultCodes } from '../../data/portal/result-codes.ts';
import { FileRefused } from './refused.ts';

/** Code and message of a response's header, at any position. */
interface AnswerStatus {
  readonly code: string;
  readonly message: string;
}

/** True for a code of failure in any family of the portal's services: neither success nor an empty result. */
export function isErrorCode(code: string): boolean {
  const known = resultCode(code);
  return !isSuccess(known) && !isEmpty(known) && known !== httpOk;
}

/** A refusal with the portal's code, its meaning and what to do about it. */
export function portalError(name: string, { code, message }: AnswerStatus): FileRefused {
  const known = meanings.get(code) ?? meanings.get(resultCode(code));
  const meaning = known ?? 'the portal gives no meaning for this code';
  const detail = message === '' ? '' : ` (${message})`;
  return new FileRefused(
    'portal_error',
    `${name} is not data but the portal's response ${code}${detail}: ${meaning}. Download it again when that is settled.`,
  );
}

/** The gateway's errors in plain text; null for any other text. */
export function plainTextError(name: string, text: string): FileRefused | null {
  const line = text.trim();
  const found = gatewayWords.find(([start]) => line === start || line === `${start}s`);
  return found === undefined ? null : portalError(name, { code: found[0], message: '' });
}

/** Some answers give the status of HTTP as their code. */
const httpOk = '200';

const meanings: ReadonlyMap<string, string> = new Map([
  ...resultCodes.map(([code, , , meaning]) => [code, meaning] as const),
  ...odcloudCodes.map(([code, , meaning]) => [String(code), meaning] as const),
  ...gatewayWords.map(([start, , , meaning]) => [start, meaning] as const),
  // Codes of the search trend service.
  ['010', 'the day’s number of requests is used up'],
]);
