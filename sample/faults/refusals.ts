import type { GatewayCode } from '../gateway-error.ts';
import { jsonReply, textReply } from '../reply.ts';
import { gatewayReply, noticePage, redirectTo, textFault } from './answers.ts';
import type { Fault } from './fault.ts';

/** Lasting faults at every host. They end at midnight, or when the operator or the portal acts. */
export const refusalFaults = {
  bad_parameter: refusal('10', 'A parameter is invalid: code 10.'),
  missing_parameter: refusal('11', 'A parameter is missing: code 11.'),
  retired: refusal('12', 'The operation was closed: code 12.'),
  access_denied: refusal('20', 'Access is denied: code 20.'),
  key_missing: refusal('20', 'The gateway received no key: code 20.', 'SERVICE_KEY_IS_NULL'),
  permission_denied: refusal('20', 'The key has no permission here: code 20.', 'PERMISSION_DENIED'),
  quota: {
    ...refusal(
      '22',
      'The daily quota is used up from page `fromPage` on: code 22, until midnight in Seoul.',
    ),
    startsAtPage: true,
    untilMidnight: true,
  },
  address_blocked: refusal('29', 'The client’s address is blocked: code 29.'),
  unregistered_key: refusal('30', 'The key is not registered: code 30.'),
  expired_key: refusal('31', 'The key has expired: code 31.'),
  address_unregistered: refusal('32', 'The client’s address is not registered: code 32.'),
  unsigned: refusal('33', 'The call is not signed: code 33.'),
  text_quota: {
    ...textFault('API token quota exceeded', 429),
    isLasting: true,
    startsAtPage: true,
    untilMidnight: true,
  },
  text_unauthorized: { ...textFault('Unauthorized', 401), isLasting: true },
  text_forbidden: { ...textFault('Forbidden', 403), isLasting: true },
  text_not_found: { ...textFault('API not found', 404), isLasting: true },
  hub_forbidden: {
    summary: 'The weather agency’s API hub: status 403 with a `result` and no code.',
    isLasting: true,
    replace: () =>
      jsonReply('{"result":{"status":403,"message":"활용신청이 필요한 API 입니다."}}', 403),
  },
  business_refusal: {
    summary: 'The agency refuses with code 10 and a text of its own.',
    isLasting: true,
    replace: () =>
      jsonReply(
        '{"response":{"header":{"resultCode":"10","resultMsg":"최근 1일 간의 자료만 제공합니다."}}}',
      ),
  },
  redirect_away: {
    summary: 'A redirect to another host: a client that follows it reveals the key.',
    isLasting: true,
    replace: (request) => redirectTo(request, 'https', 'moved.example.com'),
  },
  agency_error: refusal('01', 'The agency’s application fails: code 01.'),
  server_error: {
    summary: 'The agency’s server answers 500 with a page of HTML.',
    isLasting: true,
    replace: () => ({ ...noticePage('처리 중 오류가 발생했습니다.'), status: 500 }),
  },
  maintenance: {
    summary: 'A maintenance page of HTML with status 200.',
    isLasting: true,
    replace: () => noticePage('시스템 점검 중입니다.'),
  },
  down: {
    summary: 'Every connection closes without an answer.',
    isLasting: true,
    replace: () => ({ ...textReply('', 200), delivery: 'reset' }),
  },
} as const satisfies Record<string, Fault>;

function refusal(code: GatewayCode, summary: string, name?: string): Fault {
  return { summary, isLasting: true, replace: gatewayReply(code, name) };
}
