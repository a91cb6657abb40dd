import { metaRows, metaTables } from '../catalog/meta-api.ts';
import type { KeyRegistry } from '../keys.ts';
import { generate, filter, slice, type Listing, type Row, type Value } from '../listing.ts';
import type { PortalRequest } from '../portal-request.ts';
import { jsonReply, xmlReply, type Reply } from '../reply.ts';
import { element, xmlText } from '../xml.ts';
import type { HostHandler } from './host-handler.ts';
import type { PublishedDatasets } from './published-datasets.ts';

/** The API that odcloud generates for files and lists of the portal, with its Swagger document. */
export function odcloudHandler(datasets: PublishedDatasets): HostHandler {
  return (request, keys) => {
    if (request.host === 'infuser.odcloud.kr') return swaggerReply(datasets, request);
    if (request.host !== 'api.odcloud.kr') return null;
    const [, api, number = '', version, key = ''] = decodeText(request.path).split('/');
    const rows = api === 'api' && version === 'v1' ? tableRows(datasets, number, key) : null;
    if (rows === null) return failure(400, -3, '등록되지 않은 서비스 입니다.');
    const refusal = refuseKey(request, keys, number);
    return refusal ?? pageReply(rows, request);
  };
}

/** An error of odcloud: a number and a sentence. */
function failure(status: number, code: number, msg: string): Reply {
  return jsonReply(JSON.stringify({ code, msg }), status);
}

function refuseKey(request: PortalRequest, keys: KeyRegistry, number: string): Reply | null {
  const header = request.headers.authorization?.replace(/^Infuser /, '');
  const raw =
    request.rawKey ?? (header === undefined ? null : encodeURIComponent(decodeText(header)));
  if (raw === null) return failure(401, -401, '유효하지 않은 인증키 입니다.');
  if (!keys.isValid(raw)) return failure(400, -4, '등록되지 않은 인증키 입니다.');
  return keys.countRequest(`odcloud ${number}`) === null
    ? null
    : failure(400, -10, '트래픽을 초과한 서비스 호출 입니다.');
}

/** Decodes a text that may be percent-encoded or plain. */
function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function tableRows(datasets: PublishedDatasets, number: string, key: string): Listing<Row> | null {
  if (number === '15077093') return metaRows(datasets, key);
  const table = datasets.files
    .get(number)
    ?.versions.find(({ detailKey }) => detailKey === key)?.table;
  if (table === undefined || table === null) return null;
  const { header, rows } = table();
  return generate(rows.length, (index) =>
    Object.fromEntries(
      header.map((name, position): [string, Value] => [name, rows[index]?.[position] ?? '']),
    ),
  );
}

const perPageMax = 1000;

function pageReply(all: Listing<Row>, { query }: PortalRequest): Reply {
  const page = Number(query.get('page') ?? '1');
  const perPage = Number(query.get('perPage') ?? '10');
  if (!(Number.isInteger(page) && page > 0 && Number.isInteger(perPage) && perPage > 0))
    return failure(400, -2, '파라미터값이 부적합 합니다.');
  const size = Math.min(perPage, perPageMax);
  const matching = conditions(query).reduce<Listing<Row>>(
    (rows, condition) => filter(rows, condition),
    all,
  );
  const data = slice(matching, (page - 1) * size, page * size);
  const counters = {
    page,
    perPage: size,
    totalCount: all.length,
    currentCount: data.length,
    matchCount: matching.length,
  };
  if (query.get('returnType')?.toUpperCase() === 'XML') return xmlReply(asXml(data, counters));
  const { totalCount, currentCount, matchCount } = counters;
  return jsonReply(
    JSON.stringify({ currentCount, data, matchCount, page, perPage: size, totalCount }),
  );
}

function asXml(data: readonly Row[], counters: Readonly<Record<string, number>>): string {
  const items = data.map((row) =>
    element(
      'item',
      Object.entries(row)
        .map(([name, value]) => `<col name="${xmlText(name)}">${xmlText(String(value))}</col>`)
        .join(''),
    ),
  );
  const numbers = Object.entries(counters).map(([name, value]) => element(name, value));
  return `<?xml version="1.0" encoding="UTF-8"?>\n<results>${numbers.join('')}<data>${items.join('')}</data></results>`;
}

/** Reads conditions such as `cond[title::LIKE]=주차장`. */
function conditions(query: ReadonlyMap<string, string>): ((row: Row) => boolean)[] {
  return [...query].flatMap(([name, operand]) => {
    const [, field = '', operator = ''] = /^cond\[(.+)::(\w+)\]$/.exec(name) ?? [];
    const compare = operators[operator];
    return compare === undefined ? [] : [(row: Row) => compare(String(row[field] ?? ''), operand)];
  });
}

const operators: Readonly<Record<string, (value: string, operand: string) => boolean>> = {
  EQ: (value, operand) => value === operand,
  NEQ: (value, operand) => value !== operand,
  GT: (value, operand) => value > operand,
  GTE: (value, operand) => value >= operand,
  LT: (value, operand) => value < operand,
  LTE: (value, operand) => value <= operand,
  LIKE: (value, operand) => value.includes(operand),
};

/** Answers `/oas/docs?namespace=990000001/v1` with a path and the columns of each version. */
function swaggerReply(datasets: PublishedDatasets, { path, query }: PortalRequest): Reply {
  if (path !== '/oas/docs') return failure(404, -3, '등록되지 않은 서비스 입니다.');
  const number = (query.get('namespace') ?? '').split('/')[0] ?? '';
  const versions = versionsOf(datasets, number);
  if (versions.length === 0) return failure(404, -3, '등록되지 않은 서비스 입니다.');
  const paths = versions.map(({ key, summary }) => [
    `/${number}/v1/${key}`,
    { get: { summary, description: '예시', produces: ['application/json', 'application/xml'] } },
  ]);
  const definitions = versions.map(({ key, columns }) => [
    `${key}_model`,
    {
      type: 'object',
      properties: Object.fromEntries(columns.map((name) => [name, { type: 'string' }])),
    },
  ]);
  return jsonReply(
    JSON.stringify({
      swagger: '2.0',
      info: { title: `${number} (예시)`, version: '1.0.0' },
      host: 'api.odcloud.kr',
      basePath: '/api',
      schemes: ['https', 'http'],
      paths: Object.fromEntries(paths),
      definitions: Object.fromEntries(definitions),
    }),
  );
}

function versionsOf(
  datasets: PublishedDatasets,
  number: string,
): { key: string; summary: string; columns: readonly string[] }[] {
  if (number === '15077093') {
    return Object.entries(metaTables).map(([key, { summary, columns }]) => ({
      key,
      summary,
      columns,
    }));
  }
  const file = datasets.files.get(number);
  return (file?.versions ?? []).flatMap(({ detailKey, date, table }) =>
    table === null
      ? []
      : [{ key: detailKey, summary: `${file?.title}_${date}`, columns: table().header }],
  );
}
