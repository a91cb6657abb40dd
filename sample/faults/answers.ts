import { gatewayError, type GatewayCode, type GatewayShape } from '../gateway-error.ts';
import { element } from '../xml.ts';
import type { Question } from '../question.ts';
import { htmlReply, jsonReply, textReply, xmlReply, type Reply } from '../reply.ts';
import type { Fault } from './fault.ts';

/** Faults that answer without asking the operation. */
export const answerFaults = {
  error_xml_200: {
    what: 'Gateway error 05 as XML with status 200, even when JSON was asked for.',
    stays: false,
    instead: () => gatewayError('05', 'xml-200'),
  },
  error_xml_403: {
    what: 'Gateway error 04 as XML with status 403, even when JSON was asked for.',
    stays: false,
    instead: () => gatewayError('04', 'xml-403'),
  },
  error_json_403: {
    what: 'Gateway error 01 as JSON with status 403.',
    stays: false,
    instead: () => gatewayError('01', 'json-403'),
  },
  per_second: {
    what: 'Too many requests in this second: code 23, status 429 where the gateway is the new one.',
    stays: false,
    instead: always('23'),
  },
  text_rate_limit: plain('API rate limit exceeded', 429),
  text_forwarding: plain('Error forwarding request to backend server', 502),
  text_receiving: plain('Error receiving response from backend server', 504),
  text_unexpected: plain('Unexpected errors', 500),
  header_error: {
    what: 'The agency answers 200 with result code 99 and no body.',
    stays: false,
    instead: (_, { json }) => unknownError(json),
  },
  html_page: {
    what: 'A page of HTML with status 200 where data was asked for.',
    stays: false,
    instead: () => htmlReply(notice('잠시 후 다시 이용해 주시기 바랍니다.')),
  },
  empty_body: {
    what: 'Status 200 and not one byte.',
    stays: false,
    instead: (_, { json }) => (json ? jsonReply('') : xmlReply('')),
  },
  redirect: {
    what: 'Moved to https, and from there back to http, before the answer comes.',
    stays: false,
    attempts: 2,
    instead: (question, { attempt }) => moved(question, attempt === 0 ? 'https' : 'http'),
  },
  reset: {
    what: 'The connection closes without an answer.',
    stays: false,
    instead: () => ({ ...textReply('', 200), delivery: 'reset' }),
  },
  hang: {
    what: 'Nothing comes until the caller gives up.',
    stays: false,
    instead: () => ({ ...textReply('', 200), delivery: 'hang' }),
  },
  expired_key: {
    what: 'The period of use of the key is over: code 31.',
    stays: true,
    instead: always('31'),
  },
  unregistered_key: {
    what: 'The key was never applied for here: code 30.',
    stays: true,
    instead: always('30'),
  },
  retired: {
    what: 'The operation was closed: code 12.',
    stays: true,
    instead: always('12'),
  },
  quota: {
    what: 'The daily quota is used up from page `fromPage` on: code 22, until midnight in Seoul.',
    stays: true,
    byPage: true,
    untilMidnight: true,
    instead: always('22'),
  },
  text_quota: {
    ...plain('API token quota exceeded', 429),
    stays: true,
    byPage: true,
    untilMidnight: true,
  },
  text_unauthorized: { ...plain('Unauthorized', 401), stays: true },
  text_forbidden: { ...plain('Forbidden', 403), stays: true },
  text_not_found: { ...plain('API not found', 404), stays: true },
  maintenance: {
    what: 'A maintenance page of HTML with status 200, for hours.',
    stays: true,
    instead: () => htmlReply(notice('시스템 점검 중입니다.')),
  },
} as const satisfies Record<string, Fault>;

function always(code: GatewayCode): (question: Question, asked: { shape: GatewayShape }) => Reply {
  return (_, { shape }) => gatewayError(code, shape);
}

function plain(body: string, status: number): Fault {
  return {
    what: `The gateway’s plain text “${body}” with status ${status}.`,
    stays: false,
    instead: () => textReply(body, status),
  };
}

/** As recorded from TAGO: a header alone, without the `response` around it in JSON. */
function unknownError(json: boolean): Reply {
  const header = { resultCode: '99', resultMsg: 'UNKNOWN_ERROR.' };
  if (json) return jsonReply(JSON.stringify({ header }));
  const inside = element('resultCode', '99') + element('resultMsg', 'UNKNOWN_ERROR.');
  return xmlReply(element('response', element('header', inside)));
}

/** Addresses on the portal’s own host: a caller behind a gateway has to send them through it again. */
function moved(question: Question, scheme: 'http' | 'https'): Reply {
  const query = [...question.query].map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  if (question.rawKey !== null) query.unshift(`serviceKey=${question.rawKey}`);
  const search = query.length === 0 ? '' : `?${query.join('&')}`;
  const location = `${scheme}://${question.host}${question.path}${search}`;
  return { ...htmlReply('<html><body>Moved</body></html>', 301), headers: { location } };
}

function notice(sentence: string): string {
  return `<!DOCTYPE html>\n<html lang="ko"><head><title>안내(예시)</title></head><body><h1>${sentence}</h1></body></html>\n`;
}
