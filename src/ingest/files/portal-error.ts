import type { BilingualText } from '../../contract/language.ts';
import { isNoData, isSuccess, normaliseCode } from '../../data/portal/fault.ts';
import { gatewayWords, odcloudCodes, resultCodes } from '../../data/portal/result-codes.ts';
import { refusalTexts } from './refusal-texts.ts';
import { FileRefused } from './refused.ts';

/** Code and message in the header of a response. */
interface ResponseStatus {
  readonly code: string;
  readonly message: string;
}

/** True for an error code of any service of the portal, but not for success or an empty result. */
export function isErrorCode(code: string): boolean {
  const normalised = normaliseCode(code);
  return !isSuccess(normalised) && !isNoData(normalised) && normalised !== httpOk;
}

/** The refusal of an error response, with the portal's code and its meaning. */
export function portalError(name: string, { code, message }: ResponseStatus): FileRefused {
  const meaning = meanings.get(code) ?? meanings.get(normaliseCode(code)) ?? unknownMeaning;
  return new FileRefused('portal_error', refusalTexts.portalError(name, code, message, meaning));
}

/** The refusal of a plain-text error of the gateway; null for any other text. */
export function plainTextError(name: string, text: string): FileRefused | null {
  const line = text.trim();
  const found = gatewayWords.find(([start]) => line === start || line === `${start}s`);
  return found === undefined ? null : portalError(name, { code: found[0], message: '' });
}

/** Some services use the HTTP status as their code. */
const httpOk = '200';

const unknownMeaning: BilingualText = {
  ko: '포털이 설명하지 않는 코드',
  en: 'the portal gives no meaning for this code',
};

const meanings: ReadonlyMap<string, BilingualText> = new Map([
  ...resultCodes.map(([code, , , meaning]) => [code, meaning] as const),
  ...odcloudCodes.map(([code, , meaning]) => [String(code), meaning] as const),
  ...gatewayWords.map(([start, , , meaning]) => [start, meaning] as const),
  // Codes of Naver’s search trend service: three digits, which are not the portal’s with a zero in front.
  ['010', { ko: '하루 호출 한도를 모두 사용함', en: 'the day’s number of requests is used up' }],
  ['012', { ko: '한꺼번에 너무 많이 호출함', en: 'too many requests were sent at a time' }],
  [
    '024',
    { ko: '애플리케이션 ID나 비밀 키가 잘못됨', en: 'the application’s id or secret key is wrong' },
  ],
  [
    '028',
    { ko: '애플리케이션 ID나 비밀 키가 없음', en: 'the application’s id or secret key is missing' },
  ],
]);
