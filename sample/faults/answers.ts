import { gatewayError, type GatewayCode, type GatewayShape } from '../gateway-error.ts';
import { element } from '../xml.ts';
import type { PortalRequest } from '../portal-request.ts';
import { htmlReply, jsonReply, textReply, xmlReply, type Reply } from '../reply.ts';
import type { Fault } from './fault.ts';

/** Faults that replace a response and are gone at the next attempt, at every host. */
export const answerFaults = {
  error_xml_200: {
    summary: 'Gateway error 05 as XML with status 200, even if JSON was requested.',
    stays: false,
    instead: () => gatewayError('05', 'xml-200'),
  },
  error_xml_403: {
    summary: 'Gateway error 04 as XML with status 403, even if JSON was requested.',
    stays: false,
    instead: () => gatewayError('04', 'xml-403'),
  },
  error_json_403: {
    summary: 'Gateway error 01 as JSON with status 403.',
    stays: false,
    instead: () => gatewayError('01', 'json-403'),
  },
  no_data: passing('03', 'The gateway reports no records: code 03, with status 200.'),
  db_error: passing('02', 'The database behind the service failed: code 02.'),
  routing_error: passing(
    '04',
    'The gateway found no way to the service: HTTP_ROUTING_ERROR.',
    'HTTP_ROUTING_ERROR',
  ),
  key_paused: passing('21', 'The key cannot be used for a moment: code 21.'),
  per_second: passing(
    '23',
    'Too many requests in this second: code 23, status 429 where the gateway is the new one.',
  ),
  unknown_error: passing('99', 'Gateway error 99, for everything else.'),
  text_rate_limit: plain('API rate limit exceeded', 429),
  text_forwarding: plain('Error forwarding request to backend server', 502),
  text_receiving: plain('Error receiving response from backend server', 504),
  text_unexpected: plain('Unexpected errors', 500),
  header_error: {
    summary: 'The agency answers 200 with result code 99 and no body.',
    stays: false,
    instead: (_, { json }) => unknownError(json),
  },
  html_page: {
    summary: 'A page of HTML with status 200 where data was requested.',
    stays: false,
    instead: () => notice('잠시 후 다시 이용해 주시기 바랍니다.'),
  },
  empty_body: {
    summary: 'Status 200 and not one byte.',
    stays: false,
    instead: (_, { json }) => (json ? jsonReply('') : xmlReply('')),
  },
  redirect: {
    summary: 'Moved to https, and from there back to http, before the answer comes.',
    stays: false,
    attempts: 2,
    instead: (request, { attempt }) =>
      moved(request, attempt === 0 ? 'https' : 'http', request.host),
  },
  reset: {
    summary: 'The connection closes without an answer.',
    stays: false,
    instead: () => ({ ...textReply('', 200), delivery: 'reset' }),
  },
  hang: {
    summary: 'Nothing comes until the caller gives up.',
    stays: false,
    instead: () => ({ ...textReply('', 200), delivery: 'hang' }),
  },
} as const satisfies Record<string, Fault>;

/** An error of the gateway, in the shape in which it answers the requested service. */
export function always(
  code: GatewayCode,
  name?: string,
): (request: PortalRequest, facts: { shape: GatewayShape }) => Reply {
  return (_, { shape }) => gatewayError(code, shape, name);
}

/** The plain text of the gateway. */
export function plain(body: string, status: number): Fault {
  return {
    summary: `The gateway’s plain text “${body}” with status ${status}.`,
    stays: false,
    instead: () => textReply(body, status),
  };
}

/** A page of HTML instead of a response. */
export function notice(sentence: string): Reply {
  return htmlReply(
    `<!DOCTYPE html>\n<html lang="ko"><head><title>안내(예시)</title></head><body><h1>${sentence}</h1></body></html>\n`,
  );
}

/** Addresses on the portal’s own hosts: a caller behind a gateway has to send them through it again. */
export function moved(request: PortalRequest, scheme: 'http' | 'https', host: string): Reply {
  const query = [...request.query].map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  if (request.rawKey !== null) query.unshift(`serviceKey=${request.rawKey}`);
  const search = query.length === 0 ? '' : `?${query.join('&')}`;
  const location = `${scheme}://${host}${request.path}${search}`;
  return { ...htmlReply('<html><body>Moved</body></html>', 301), headers: { location } };
}

function passing(code: GatewayCode, summary: string, name?: string): Fault {
  return { summary, stays: false, instead: always(code, name) };
}

/** As recorded from TAGO: a header alone, without the `response` around it in JSON. */
function unknownError(json: boolean): Reply {
  const header = { resultCode: '99', resultMsg: 'UNKNOWN_ERROR.' };
  if (json) return jsonReply(JSON.stringify({ header }));
  const inside = element('resultCode', '99') + element('resultMsg', 'UNKNOWN_ERROR.');
  return xmlReply(element('response', element('header', inside)));
}
