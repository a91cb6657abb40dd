import type { Question } from '../question.ts';
import { jsonReply, type Reply } from '../reply.ts';
import type { Fault } from './fault.ts';

/** Faults of the doors beside the operations: the web list, the meta API, the search trend service. */
export const doorFaults = {
  list_other_page: {
    what: 'The web list shows its first page, whichever was asked for.',
    stays: false,
    asks: (question) => (isWebList(question) ? withQuery(question, 'currentPage', '1') : question),
  },
  list_ten_a_page: {
    what: 'The web list shows ten datasets a page, however many were asked for.',
    stays: true,
    asks: (question) => (isWebList(question) ? withQuery(question, 'perPage', '10') : question),
  },
  list_item_lost: {
    what: 'The last dataset of a page of the web list is missing.',
    stays: false,
    reply: withoutLastItem,
  },
  meta_first_page: {
    what: 'odcloud answers its first page for every page, as to a key without permission.',
    stays: true,
    asks: (question) =>
      question.host === 'api.odcloud.kr' ? withQuery(question, 'page', '1') : question,
  },
  trend_error: trendFailure(500, 'SE99', 'Internal server error. (내부 서버 에러)', false),
  trend_burst: trendFailure(429, '012', 'Rate limit exceeded. (속도 제한을 초과했습니다.)', false),
  trend_forbidden: trendFailure(403, '024', 'Not permitted. (API 권한이 없습니다.)', true),
  trend_quota: {
    ...trendFailure(429, '010', 'Query limit exceeded. (쿼리 한도를 초과했습니다.)', true),
    untilMidnight: true,
  },
} as const satisfies Record<string, Fault>;

function trendFailure(
  status: number,
  errorCode: string,
  errorMessage: string,
  stays: boolean,
): Fault {
  return {
    what: `Search trend answers ${status}: “${errorMessage}”.`,
    stays,
    reply: (reply) =>
      isTrend(reply) ? jsonReply(JSON.stringify({ errorMessage, errorCode }), status) : reply,
  };
}

function isWebList({ path }: Question): boolean {
  return path === '/tcs/dss/selectDataSetList.do';
}

function isTrend({ body }: Reply): boolean {
  return typeof body === 'string' && body.startsWith('{"startDate":');
}

function withQuery(question: Question, name: string, value: string): Question {
  return { ...question, query: new Map([...question.query, [name, value]]) };
}

function withoutLastItem(reply: Reply): Reply {
  const { body } = reply;
  if (typeof body !== 'string') return reply;
  const at = body.lastIndexOf('<div class="apply-result-item">');
  return at < 0 ? reply : { ...reply, body: `${body.slice(0, at)}</div></body></html>\n` };
}
