import { gatewayError, type GatewayCode, type GatewayShape } from '../gateway-error.ts';
import { element } from '../xml.ts';
import type { PortalRequest } from '../portal-request.ts';
import { htmlReply, jsonReply, textReply, xmlReply, type Reply } from '../reply.ts';
import type { Fault } from './fault.ts';

/** Temporary faults that replace the response, at every host. */
export const answerFaults = {
  error_xml_200: {
    summary: 'Gateway error 05 as XML with status 200, even if JSON was requested.',
    replace: () => gatewayError('05', 'xml-200'),
  },
  error_xml_403: {
    summary: 'Gateway error 04 as XML with status 403, even if JSON was requested.',
    replace: () => gatewayError('04', 'xml-403'),
  },
  error_json_403: {
    summary: 'Gateway error 01 as JSON with status 403.',
    replace: () => gatewayError('01', 'json-403'),
  },
  no_data: temporaryError('03', 'The gateway reports no records: code 03, with status 200.'),
  db_error: temporaryError('02', 'The database behind the service failed: code 02.'),
  routing_error: temporaryError(
    '04',
    'The gateway cannot reach the service: code 04 as HTTP_ROUTING_ERROR.',
    'HTTP_ROUTING_ERROR',
  ),
  key_paused: temporaryError('21', 'The key is suspended for a moment: code 21.'),
  per_second: temporaryError(
    '23',
    'Too many requests in this second: code 23, with status 429 from a new gateway.',
  ),
  unknown_error: temporaryError('99', 'Gateway error 99, an unknown error.'),
  text_rate_limit: textFault('API rate limit exceeded', 429),
  text_forwarding: textFault('Error forwarding request to backend server', 502),
  text_receiving: textFault('Error receiving response from backend server', 504),
  text_unexpected: textFault('Unexpected errors', 500),
  header_error: {
    summary: 'The agency answers 200 with result code 99 and no body.',
    replace: (_, { json }) => headerOnlyError(json),
  },
  busy_until: {
    summary: 'Status 503 with a date in `Retry-After` that is its own `Date`, three hours ahead.',
    replace: () => busyUntil(),
  },
  html_page: {
    summary: 'A page of HTML with status 200 where data was requested.',
    replace: () => noticePage('잠시 후 다시 이용해 주시기 바랍니다.'),
  },
  empty_body: {
    summary: 'Status 200 with an empty body.',
    replace: (_, { json }) => (json ? jsonReply('') : xmlReply('')),
  },
  redirect: {
    summary: 'A redirect to https, and from there back to http, before the answer.',
    attempts: 2,
    replace: (request, { attempt }) =>
      redirectTo(request, attempt === 0 ? 'https' : 'http', request.host),
  },
  reset: {
    summary: 'The connection closes without an answer.',
    replace: () => ({ ...textReply('', 200), delivery: 'reset' }),
  },
  hang: {
    summary: 'No response until the client gives up.',
    replace: () => ({ ...textReply('', 200), delivery: 'hang' }),
  },
} as const satisfies Record<string, Fault>;

/** Replies with a gateway error, in the format that the requested service gets. */
export function gatewayReply(
  code: GatewayCode,
  name?: string,
): (request: PortalRequest, facts: { shape: GatewayShape }) => Reply {
  return (_, { shape }) => gatewayError(code, shape, name);
}

/** A temporary fault: the gateway answers in plain text. */
export function textFault(body: string, status: number): Fault {
  return {
    summary: `The gateway’s plain text “${body}” with status ${status}.`,
    replace: () => textReply(body, status),
  };
}

/** A page of HTML with one sentence. */
export function noticePage(sentence: string): Reply {
  return htmlReply(
    `<!DOCTYPE html>\n<html lang="ko"><head><title>안내(예시)</title></head><body><h1>${sentence}</h1></body></html>\n`,
  );
}

/** A redirect to another host or scheme, with the key in the query as it was sent. */
export function redirectTo(request: PortalRequest, scheme: 'http' | 'https', host: string): Reply {
  const query = [...request.query].map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  if (request.rawKey !== null) query.unshift(`serviceKey=${request.rawKey}`);
  const search = query.length === 0 ? '' : `?${query.join('&')}`;
  const location = `${scheme}://${host}${request.path}${search}`;
  return { ...htmlReply('<html><body>Moved</body></html>', 301), headers: { location } };
}

/** The clock of this server is three hours ahead. */
function busyUntil(): Reply {
  const date = new Date(Date.now() + 3 * 3_600_000).toUTCString();
  return { ...textReply('busy', 503), headers: { date, 'retry-after': date } };
}

function temporaryError(code: GatewayCode, summary: string, name?: string): Fault {
  return { summary, replace: gatewayReply(code, name) };
}

/** An error in TAGO's form: a header without a body, and in JSON without `response` around the header. */
function headerOnlyError(json: boolean): Reply {
  const header = { resultCode: '99', resultMsg: 'UNKNOWN_ERROR.' };
  if (json) return jsonReply(JSON.stringify({ header }));
  const content = element('resultCode', '99') + element('resultMsg', 'UNKNOWN_ERROR.');
  return xmlReply(element('response', element('header', content)));
}
