import type { GatewayCode } from '../gateway-error.ts';
import { jsonReply, textReply } from '../reply.ts';
import { always, moved, notice, plain } from './answers.ts';
import type { Fault } from './fault.ts';

/** Refusals that only the operator, midnight or the portal itself ends, at every host. */
export const refusalFaults = {
  bad_parameter: lasting('10', 'A parameter is wrong: code 10.'),
  missing_parameter: lasting('11', 'A parameter is missing: code 11.'),
  retired: lasting('12', 'The operation was closed: code 12.'),
  access_denied: lasting('20', 'Access is denied: code 20.'),
  key_missing: lasting('20', 'The key did not arrive: code 20.', 'SERVICE_KEY_IS_NULL'),
  permission_denied: lasting('20', 'The key has no permission here: code 20.', 'PERMISSION_DENIED'),
  quota: {
    ...lasting(
      '22',
      'The daily quota is used up from page `fromPage` on: code 22, until midnight in Seoul.',
    ),
    byPage: true,
    untilMidnight: true,
  },
  address_blocked: lasting('29', 'The caller’s address is on a black list: code 29.'),
  unregistered_key: lasting('30', 'The key was never applied for here: code 30.'),
  expired_key: lasting('31', 'The period of use of the key is over: code 31.'),
  address_unregistered: lasting('32', 'The caller’s address is not registered: code 32.'),
  unsigned: lasting('33', 'The call is not signed: code 33.'),
  text_quota: {
    ...plain('API token quota exceeded', 429),
    stays: true,
    byPage: true,
    untilMidnight: true,
  },
  text_unauthorized: { ...plain('Unauthorized', 401), stays: true },
  text_forbidden: { ...plain('Forbidden', 403), stays: true },
  text_not_found: { ...plain('API not found', 404), stays: true },
  hub_forbidden: {
    summary: 'The weather agency’s own hub: 403 in a `result` of its own, without a code.',
    stays: true,
    instead: () =>
      jsonReply('{"result":{"status":403,"message":"활용신청이 필요한 API 입니다."}}', 403),
  },
  business_refusal: {
    summary: 'The agency refuses in its own words under code 10.',
    stays: true,
    instead: () =>
      jsonReply(
        '{"response":{"header":{"resultCode":"10","resultMsg":"최근 1일 간의 자료만 제공합니다."}}}',
      ),
  },
  redirect_away: {
    summary: 'Moved to another host for good: a client that follows gives it the key.',
    stays: true,
    instead: (request) => moved(request, 'https', 'moved.example.com'),
  },
  maintenance: {
    summary: 'A maintenance page of HTML with status 200, for hours.',
    stays: true,
    instead: () => notice('시스템 점검 중입니다.'),
  },
  down: {
    summary: 'Every connection closes without an answer, for days.',
    stays: true,
    instead: () => ({ ...textReply('', 200), delivery: 'reset' }),
  },
} as const satisfies Record<string, Fault>;

function lasting(code: GatewayCode, summary: string, name?: string): Fault {
  return { summary, stays: true, instead: always(code, name) };
}
