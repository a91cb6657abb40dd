import type { Family } from '../family.ts';
import type { Row } from '../listing.ts';
import type { Operation } from '../operation.ts';
import { withoutQuery, type PortalRequest } from '../portal-request.ts';
import type { Reply } from '../reply.ts';
import type { Fault } from './fault.ts';

/** Temporary faults that send correct records in another observed format. A collector must lose no record in any. */
export const shapeFaults = {
  xml_instead: {
    summary: 'XML although JSON was requested.',
    rewrite: (request, operation) => (operation === null ? request : withoutSwitch(request)),
  },
  cdata: formatFault('Every text of XML stands in a CDATA section.', { usesCdata: true }),
  rows_direct: formatFault('The rows stand in `items` itself, not in `items.item`.', {
    rows: 'items',
  }),
  rows_data: formatFault('The rows stand in `data`.', { rows: 'data' }),
  response_missing: formatFault('There is no `response` around header and body.', {
    hasResponse: false,
  }),
  one_row_object: formatFault('A single row is an object instead of a list.', {
    isOneRowObject: true,
  }),
  items_empty_text: formatFault(
    'Without rows the body has `"items": ""`, under the code of success.',
    { empty: 'text', noData: null },
  ),
  items_missing: formatFault('Without rows the body has no `items`.', {
    empty: 'missing',
    noData: null,
  }),
  item_missing: formatFault('Without rows `items` is an object without `item`.', {
    empty: 'object',
    noData: null,
  }),
  body_missing: formatFault('Without rows there is no body, under the code of success.', {
    noData: ['00', 'NORMAL SERVICE.'],
  }),
  no_data_word: formatFault('Without rows the code is the word `NODATA_ERROR`.', {
    noData: ['NODATA_ERROR', '데이터없음'],
  }),
  no_data_code: formatFault('Without rows the code is `INFO-200`.', {
    noData: ['INFO-200', '해당하는 데이터가 없습니다.'],
  }),
  success_word: formatFault('The code of success is the word `NORMAL_CODE`.', {
    success: ['NORMAL_CODE', 'NORMAL SERVICE.'],
  }),
  success_zeros: formatFault('The code of success is `000`.', { success: ['000', 'OK'] }),
  total_other_type: {
    summary: 'Counters are texts instead of numbers, or numbers instead of texts.',
    family: ({ counters }) => ({ counters: counters === 'text' ? 'number' : 'text' }),
  },
  numbers_as_text: formatFault('Every value is a text in JSON.', { values: 'text' }),
  ids_as_numbers: formatFault(
    'In every other row of JSON, texts that look like whole numbers become numbers.',
    { values: 'guessed' },
  ),
  names_other_case: {
    summary: 'Names of fields are in lower case, or in upper case if they were in lower case.',
    page: (page) => ({ ...page, rows: page.rows.map((row) => renameFields(row, swapCase)) }),
  },
  korean_keys: {
    summary: 'Standard data has its Korean headers as keys, as before 2026.',
    page: (page, _, operation) =>
      operation.family === 'std' ? { ...page, rows: page.rows.map(useLabels(operation)) } : page,
  },
  old_envelope: {
    summary:
      'NEC as in 2020: the root is the operation, and names are in upper case with underscores.',
    reply: (reply, { host, path }) =>
      host === 'apis.data.go.kr' && path.startsWith('/9760000/')
        ? toOldEnvelope(reply, path)
        : reply,
  },
} as const satisfies Record<string, Fault>;

/** A temporary fault that changes the wire format of the family. */
function formatFault(summary: string, changes: Partial<Family>): Fault {
  return { summary, family: () => changes };
}

/** Removes the JSON switches of all families. */
function withoutSwitch(request: PortalRequest): PortalRequest {
  const switches = ['_type', 'dataType', 'resultType', 'returnType', 'type'];
  return switches.reduce(withoutQuery, request);
}

function renameFields(row: Row, rename: (name: string) => string): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [rename(name), value]));
}

function swapCase(name: string): string {
  const small = name.toLowerCase();
  return small === name ? name.toUpperCase() : small;
}

function useLabels({ fields }: Operation): (row: Row) => Row {
  const labels = new Map(fields.map(({ name, label }) => [name, label]));
  return (row) => renameFields(row, (name) => labels.get(name) ?? name);
}

interface NecBody {
  response?: {
    header: { resultCode: string; resultMsg: string };
    body?: {
      items: { item: Record<string, unknown>[] | Record<string, unknown> };
      totalCount: unknown;
      numOfRows: unknown;
      pageNo: unknown;
    };
  };
}

function toOldEnvelope(reply: Reply, path: string): Reply {
  if (typeof reply.body !== 'string' || !reply.body.startsWith('{')) return reply;
  // Safe: the sample portal wrote this JSON.
  const { header, body } = (JSON.parse(reply.body) as NecBody).response ?? {};
  if (header === undefined || body === undefined) return reply;
  const { items, ...counters } = body;
  const item = [items.item]
    .flat()
    .map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [upperSnake(name), value])),
    );
  const root = path.split('/').at(-1) ?? '';
  return { ...reply, body: JSON.stringify({ [root]: { ...header, ...counters, item } }) };
}

function upperSnake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}
