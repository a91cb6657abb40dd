import { withQuery, type PortalRequest } from '../portal-request.ts';
import { jsonReply, type Reply } from '../reply.ts';
import type { Fault, FaultDuration } from './fault.ts';

/** Faults of odcloud, which serves tables of files and lists of the portal. */
export const odcloudFaults = {
  odcloud_internal: odcloudFailure(400, -1, '시스템 내부 오류가 발생하였습니다.', 'temporary'),
  odcloud_unknown: odcloudFailure(400, -999, '알 수 없는 오류가 발생하였습니다.', 'temporary'),
  odcloud_parameter: odcloudFailure(400, -2, '파라미터값이 부적합 합니다.'),
  odcloud_unregistered: odcloudFailure(400, -3, '등록되지 않은 서비스 입니다.'),
  odcloud_key: odcloudFailure(400, -4, '등록되지 않은 인증키 입니다.'),
  odcloud_key_200: odcloudFailure(200, -4, '등록되지 않은 인증키 입니다.'),
  odcloud_closed: odcloudFailure(400, -9, '종료된 서비스 입니다.'),
  odcloud_key_invalid: odcloudFailure(401, -401, '유효하지 않은 인증키 입니다.'),
  odcloud_quota: {
    ...odcloudFailure(400, -10, '트래픽을 초과한 서비스 호출 입니다.'),
    untilMidnight: true,
  },
  odcloud_first_page: {
    summary: 'odcloud answers its first page for every page, as to a key without permission.',
    isLasting: true,
    rewrite: (request) => (isOdcloud(request) ? withQuery(request, 'page', '1') : request),
  },
} as const satisfies Record<string, Fault>;

/** Faults of the catalog: the web list and the monthly list file. */
export const listFaults = {
  list_other_page: {
    summary: 'The web list shows its first page, whichever was requested.',
    rewrite: (request) => (isWebList(request) ? withQuery(request, 'currentPage', '1') : request),
  },
  list_item_lost: {
    summary: 'The last dataset of a page of the web list is missing.',
    reply: removeLastItem,
  },
  list_ten_a_page: {
    summary: 'The web list shows ten datasets a page, however many were requested.',
    isLasting: true,
    rewrite: (request) => (isWebList(request) ? withQuery(request, 'perPage', '10') : request),
  },
  list_old_markup: {
    summary: 'The web list has the markup of 2025.',
    isLasting: true,
    reply: (reply, request) =>
      isWebList(request)
        ? editBody(reply, (html) =>
            html
              .replaceAll('<div class="apply-result-item">', '<ul class="result-list"><li>')
              .replaceAll('class="apply-result-link"', 'class="file-list"'),
          )
        : reply,
  },
  list_other_words: {
    summary: 'The list file names the types 파일데이터, 오픈API and 표준데이터셋.',
    isLasting: true,
    reply: (reply, request) =>
      isListFile(request)
        ? editBody(reply, (text) =>
            text
              .replaceAll(/^(\d+),FILE,/gm, '$1,파일데이터,')
              .replaceAll(/^(\d+),API,/gm, '$1,오픈API,')
              .replaceAll(/^(\d+),STD,/gm, '$1,표준데이터셋,'),
          )
        : reply,
  },
  list_columns_shifted: {
    summary: 'In every hundredth row of the list file, a stray quote shifts the columns.',
    isLasting: true,
    reply: (reply, request) =>
      isListFile(request)
        ? editBody(reply, (text) => {
            const lines = text.split('\r\n');
            return lines
              .map((line, index) => (index % 100 === 50 ? shiftColumns(line) : line))
              .join('\r\n');
          })
        : reply,
  },
} as const satisfies Record<string, Fault>;

/** Faults of the search trend service. */
export const trendFaults = {
  trend_error: trendFailure(500, 'SE99', 'Internal server error. (내부 서버 에러)', 'temporary'),
  trend_burst: trendFailure(
    429,
    '012',
    'Rate limit exceeded. (속도 제한을 초과했습니다.)',
    'temporary',
  ),
  trend_forbidden: trendFailure(403, '024', 'Not permitted. (API 권한이 없습니다.)'),
  trend_quota: {
    ...trendFailure(429, '010', 'Query limit exceeded. (쿼리 한도를 초과했습니다.)'),
    untilMidnight: true,
  },
} as const satisfies Record<string, Fault>;

function odcloudFailure(
  status: number,
  code: number,
  msg: string,
  duration: FaultDuration = 'lasting',
): Fault {
  return {
    summary: `odcloud answers ${status} with code ${code}: “${msg}”.`,
    isLasting: duration === 'lasting',
    replace: (request) =>
      isOdcloud(request) ? jsonReply(JSON.stringify({ code, msg }), status) : null,
  };
}

function trendFailure(
  status: number,
  errorCode: string,
  errorMessage: string,
  duration: FaultDuration = 'lasting',
): Fault {
  return {
    summary: `Search trend answers ${status}: “${errorMessage}”.`,
    isLasting: duration === 'lasting',
    replace: ({ path }) =>
      /^\/(?:search-trend|v1\/datalab)\//.test(path)
        ? jsonReply(JSON.stringify({ errorMessage, errorCode }), status)
        : null,
  };
}

function isOdcloud({ host }: PortalRequest): boolean {
  return host === 'api.odcloud.kr';
}

function isWebList({ path }: PortalRequest): boolean {
  return path === '/tcs/dss/selectDataSetList.do';
}

/** True for a download of the list file, the attachment of dataset 15062804. */
function isListFile({ path, query }: PortalRequest): boolean {
  return (
    path === '/cmm/cmm/fileDownload.do' && query.get('atchFileId')?.endsWith('15062804') === true
  );
}

function editBody(reply: Reply, edit: (text: string) => string): Reply {
  return { ...reply, body: edit(reply.body.toString()) };
}

function removeLastItem(reply: Reply): Reply {
  const { body } = reply;
  if (typeof body !== 'string') return reply;
  const index = body.lastIndexOf('<div class="apply-result-item">');
  return index < 0 ? reply : { ...reply, body: `${body.slice(0, index)}</div></body></html>\n` };
}

/** Adds a quote that joins two cells, as in rows of the real file. */
function shiftColumns(line: string): string {
  const cells = line.split(',');
  return [...cells.slice(0, 5), `"${cells[5]}"${cells[5]}`, '', ...cells.slice(6)].join(',');
}
