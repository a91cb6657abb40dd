import type { Family } from './family.ts';
import type { Row, Value } from './listing.ts';
import type { Operation } from './operation.ts';
import { element, xmlText } from './xml.ts';

/** One page of an operation, before it becomes JSON or XML. */
export interface Page {
  /** Null for a page that states none. */
  readonly total: number | null;
  readonly number: number;
  readonly size: number;
  readonly rows: readonly Row[];
}

/** The reference month of the shops. */
const standardMonth = '202609';

/** The page in the family's JSON envelope. */
export function jsonOf(operation: Operation, family: Family, page: Page): string {
  const rows = page.rows.map((row, index) => convertRow(family.values, row, index));
  if (family.rows === 'head-row') return JSON.stringify(headAndRow(operation, family, page, rows));
  const header = headerOf(operation, family, page);
  if (page.total === 0 && family.noData !== null) {
    return wrapResponse(family, { header });
  }
  const counters = countersOf(family, page);
  const body = {
    ...(operation.family === 'kma' ? { dataType: 'JSON' } : {}),
    ...rowsPart(family, rows),
    ...counters,
  };
  return wrapResponse(family, { header, body });
}

/** The page as XML: the same tree for every family, the rows in `items/item`. */
export function xmlOf(family: Family, page: Page): string {
  const [code, message] = resultOf(family, page);
  const header = element('resultCode', code) + element('resultMsg', xmlText(message));
  const head = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<response><header>${header}</header>`;
  if (page.total === 0 && family.noData !== null) return `${head}</response>`;
  const rows = page.rows.map((row) => element('item', fieldsAsXml(family, row)));
  const counters =
    element('numOfRows', page.size) +
    element('pageNo', page.number) +
    (page.total === null ? '' : element('totalCount', page.total));
  const items = rows.length === 0 ? '<items/>' : element('items', rows.join(''));
  return `${head}<body>${items}${counters}</body></response>`;
}

/** A refusal in the agency's own envelope: a header, and a body if the agency writes one. */
export function refusalText(family: Family, json: boolean, code: string, message: string): string {
  const header = { resultCode: code, resultMsg: message };
  if (json) return wrapResponse(family, family.hasResponse ? { header } : { header, body: {} });
  const content = element('resultCode', code) + element('resultMsg', xmlText(message));
  return `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<response><header>${content}</header></response>`;
}

function wrapResponse(family: Family, content: object): string {
  return JSON.stringify(family.hasResponse ? { response: content } : content);
}

function resultOf(family: Family, page: Page): readonly [string, string] {
  return page.total === 0 && family.noData !== null ? family.noData : family.success;
}

function headerOf(operation: Operation, family: Family, page: Page): object {
  const [resultCode, resultMsg] = resultOf(family, page);
  if (operation.family !== 'sbiz') {
    return operation.family === 'std'
      ? { resultCode, resultMsg, type: 'json' }
      : { resultCode, resultMsg };
  }
  return {
    description: operation.title.split(' - ').at(-1) ?? '',
    columns: operation.fields.map(({ label }) => label),
    stdrYm: standardMonth,
    resultCode,
    resultMsg,
  };
}

function countersOf(family: Family, page: Page): object {
  const write = (count: number): Value => (family.counters === 'text' ? String(count) : count);
  const { size, number, total } = page;
  const totalCount = total === null ? {} : { totalCount: write(total) };
  return { numOfRows: write(size), pageNo: write(number), ...totalCount };
}

/** The rows under the key of the family. Families differ in how they write a single row, and an empty list. */
function rowsPart(family: Family, rows: readonly Row[]): object {
  const key = family.rows === 'data' ? 'data' : 'items';
  if (rows.length === 0) {
    if (family.empty === 'missing') return {};
    return { [key]: { text: '', list: [], object: {} }[family.empty] };
  }
  const content = rows.length === 1 && family.isOneRowObject ? rows[0] : rows;
  return { [key]: family.rows === 'items.item' ? { item: content } : content };
}

function headAndRow(
  operation: Operation,
  family: Family,
  page: Page,
  rows: readonly Row[],
): object {
  const [resultCode, resultMsg] = resultOf(family, page);
  if (page.total === 0) return { RESULT: { resultCode, resultMsg } };
  const service = operation.path.split('/').at(-2) ?? '';
  const head = [
    { totalCount: page.total },
    { numOfRows: String(page.size), pageNo: String(page.number), type: 'JSON' },
    { RESULT: { resultCode, resultMsg } },
  ];
  return { [service]: [{ head }, { row: rows }] };
}

function convertRow(values: Family['values'], row: Row, index: number): Row {
  if (values === 'typed' || (values === 'guessed' && index % 2 === 0)) return row;
  const converted: Record<string, Value> = {};
  for (const name in row) {
    const value = row[name] ?? '';
    if (values === 'text') converted[name] = String(value);
    else converted[name] = convertValue(value, values === 'guessed' ? wholeNumber : anyNumber);
  }
  return converted;
}

const wholeNumber = /^[1-9]\d{0,14}$/;
const anyNumber = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,12})?$/;

/** `2300` becomes a number, `0430` stays a text, `127.10` loses its zero, as converters of XML do. */
function convertValue(value: Value, looksLikeNumber: RegExp): Value {
  return typeof value === 'string' && looksLikeNumber.test(value) ? Number(value) : value;
}

function fieldsAsXml(family: Family, row: Row): string {
  let text = '';
  for (const name in row) text += element(name, valueAsXml(family, row[name] ?? ''));
  return text;
}

function valueAsXml({ usesCdata, isEscapedTwice }: Family, value: Value): string | number {
  if (typeof value === 'number' || value === '') return value;
  const text = isEscapedTwice ? xmlText(value) : value;
  return usesCdata && !text.includes(']]>') ? `<![CDATA[${text}]]>` : xmlText(text);
}
