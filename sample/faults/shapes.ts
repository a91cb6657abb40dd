import type { Family } from '../family.ts';
import type { Row } from '../listing.ts';
import type { Operation } from '../operation.ts';
import { withoutQuery, type PortalRequest } from '../portal-request.ts';
import type { Reply } from '../reply.ts';
import type { Fault } from './fault.ts';

/** Correct records in other observed formats of responses; a collector must lose nothing in any of them. */
export const shapeFaults = {
  xml_instead: {
    summary: 'XML although JSON was requested.',
    stays: false,
    rewrite: (request, operation) => (operation === null ? request : withoutSwitch(request)),
  },
  cdata: family('Every text of XML stands in a CDATA section.', { cdata: true }),
  rows_direct: family('The rows stand in `items` itself, not in `items.item`.', { rows: 'items' }),
  rows_data: family('The rows stand in `data`.', { rows: 'data' }),
  response_missing: family('There is no `response` around header and body.', { wrapped: false }),
  one_row_object: family(
    'A single row is the object itself where the operation otherwise gives a list.',
    { oneIsObject: true },
  ),
  items_empty_text: family(
    'No rows are written as `"items": ""`, with a body and the code of success.',
    { empty: 'text', noData: null },
  ),
  items_missing: family('Without rows the body has no `items`.', {
    empty: 'missing',
    noData: null,
  }),
  item_missing: family('Without rows `items` is an object without `item`.', {
    empty: 'object',
    noData: null,
  }),
  body_missing: family('Without rows there is no body, under the code of success.', {
    noData: ['00', 'NORMAL SERVICE.'],
  }),
  no_data_word: family('Without rows the code is the word `NODATA_ERROR`.', {
    noData: ['NODATA_ERROR', '데이터없음'],
  }),
  no_data_code: family('Without rows the code is `INFO-200`.', {
    noData: ['INFO-200', '해당하는 데이터가 없습니다.'],
  }),
  success_word: family('The code of success is the word `NORMAL_CODE`.', {
    success: ['NORMAL_CODE', 'NORMAL SERVICE.'],
  }),
  success_zeros: family('The code of success is `000`.', { success: ['000', 'OK'] }),
  total_other_type: {
    summary: 'Counters are texts where they otherwise are numbers, and the other way round.',
    stays: false,
    family: ({ counters }) => ({ counters: counters === 'text' ? 'number' : 'text' }),
  },
  numbers_as_text: family('Every value is a text in JSON.', { values: 'text' }),
  ids_as_numbers: family(
    'In every other row of JSON, a text that looks like a whole number is one.',
    { values: 'guessed' },
  ),
  names_other_case: {
    summary: 'Names of fields are in small letters, or in capitals where they were small.',
    stays: false,
    page: (page) => ({ ...page, rows: page.rows.map((row) => renamed(row, otherCase)) }),
  },
  korean_keys: {
    summary: 'Standard data has its Korean headers as keys, as clients saw before 2026.',
    stays: false,
    page: (page, _, operation) =>
      operation.family === 'std' ? { ...page, rows: page.rows.map(labelled(operation)) } : page,
  },
  old_envelope: {
    summary:
      'NEC as in 2020: the root is the operation, the names are in capitals with underscores.',
    stays: false,
    reply: (reply, { host, path }) =>
      host === 'apis.data.go.kr' && path.startsWith('/9760000/')
        ? inOldEnvelope(reply, path)
        : reply,
  },
} as const satisfies Record<string, Fault>;

/** A fault that changes the wire format of the family. */
function family(summary: string, habits: Partial<Family>): Fault {
  return { summary, stays: false, family: () => habits };
}

/** Removes the JSON switches of all families. */
function withoutSwitch(request: PortalRequest): PortalRequest {
  const switches = ['_type', 'dataType', 'resultType', 'returnType', 'type'];
  return switches.reduce(withoutQuery, request);
}

function renamed(row: Row, rename: (name: string) => string): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [rename(name), value]));
}

function otherCase(name: string): string {
  const small = name.toLowerCase();
  return small === name ? name.toUpperCase() : small;
}

function labelled({ fields }: Operation): (row: Row) => Row {
  const labels = new Map(fields.map(({ name, label }) => [name, label]));
  return (row) => renamed(row, (name) => labels.get(name) ?? name);
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

function inOldEnvelope(reply: Reply, path: string): Reply {
  if (typeof reply.body !== 'string' || !reply.body.startsWith('{')) return reply;
  // The sample portal wrote this JSON itself.
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
