import { parseExactly } from '../../ingest/files/json-exact.ts';
import { isObject } from '../../kernel/json-object.ts';
import { xmlTree } from './xml-tree.ts';
import {
  faultOfCode,
  faultOfOdcloud,
  faultOfStatus,
  isKnownCode,
  isNoData,
  isSuccess,
  codeNamedIn,
  normaliseCode,
} from '../../data/portal/fault.ts';
import type { Fault } from '../../data/portal/fault.ts';

/** Content of an answer, in any of the portal's envelopes. */
export interface Envelope {
  readonly rows: readonly RawRow[];
  /** Total of the request's rows, all pages included; null if the portal states none. */
  readonly total: number | null;
  readonly code: string;
  readonly message: string;
}

/** A record as received: JSON values, or strings of XML. */
export type RawRow = Readonly<Record<string, unknown>>;

/** Finds the envelope of a parsed body, JSON or XML alike; undefined for an unknown shape. */
export function openEnvelope(root: unknown): Envelope | Fault | undefined {
  // Some servers put the only answer into a list.
  if (Array.isArray(root) && root.length === 1) return openEnvelope(root[0]);
  if (!isObject(root)) return undefined;
  // SOAP services, and .NET services that wrap the document in a string.
  const { Envelope: soap, string: document } = root;
  if (isObject(soap)) return openEnvelope(soap['Body']);
  if (typeof document === 'string') return openEnvelope(documentIn(document));
  return (
    gatewayAnswer(root) ??
    hubFault(root) ??
    odcloud(root) ??
    headerAndBody(isObject(root['response']) ? root['response'] : root) ??
    headAndRow(root) ??
    bareResult(root) ??
    operationRoot(root)
  );
}

/** The XML in a text; undefined if there is none. */
function documentIn(text: string): unknown {
  try {
    return xmlTree(text.trim());
  } catch {
    return undefined;
  }
}

/** `OpenAPI_ServiceResponse.cmmMsgHeader`, in XML and, since 2026, in JSON. */
function gatewayAnswer(root: RawRow): Envelope | Fault | undefined {
  const outer = root['OpenAPI_ServiceResponse'] ?? root['response'] ?? root;
  const header = isObject(outer) ? outer['cmmMsgHeader'] : undefined;
  if (!isObject(header)) return undefined;
  const message = ['errMsg', 'returnAuthMsg']
    .map((name) => textOf(header[name]))
    .filter((text) => text !== '')
    .join(': ');
  const code = normaliseCode(header['returnReasonCode']);
  // The gateway itself reports that some services have no records.
  if (isNoData(code)) return { ...noRecords, code, message };
  return faultOfCode(code === '' ? (codeNamedIn(message) ?? '') : code, message);
}

/** `{"result":{"status":403,"message":…}}`: a refusal of the weather agency’s own hub. */
function hubFault(root: RawRow): Fault | undefined {
  const { result } = root;
  const status = isObject(result) ? result['status'] : undefined;
  if (!isObject(result) || typeof status !== 'number' || status < 400) return undefined;
  return faultOfStatus(status, textOf(result['message']));
}

/** `data[]` at the root with counts, or a negative `code` with `msg`; in XML under `results`. */
function odcloud(root: RawRow): Envelope | Fault | undefined {
  const outer = isObject(root['results']) ? root['results'] : root;
  const code = Number(outer['code']);
  if ('code' in outer && 'msg' in outer && code < 0) {
    return faultOfOdcloud(code, textOf(outer['msg']));
  }
  if (!('data' in outer) || !('totalCount' in outer || 'currentCount' in outer)) return undefined;
  // `matchCount` counts the rows under a condition, `totalCount` the whole table.
  const total = countOf(outer['matchCount']) ?? countOf(outer['totalCount']);
  return { rows: rowsIn(outer['data']), total, code: '00', message: '' };
}

/** `header` and `body`, with or without `response` around them; the body may be missing. */
function headerAndBody(outer: RawRow): Envelope | Fault | undefined {
  const { header, body } = outer;
  if (!isObject(header)) return undefined;
  const code = normaliseCode(header['resultCode'] ?? header['ResultCode'] ?? header['code']);
  const message = textOf(header['resultMsg'] ?? header['ResultMsg'] ?? header['message']);
  const content = isObject(body) ? body : {};
  const items = content['items'] ?? content['data'] ?? content['item'];
  return envelopeOrFault(code, message, {
    rows: rowsIn(items),
    total: countOf(content['totalCount']),
  });
}

/** Envelope of the interior ministry: `{Service}: [{head: […]}, {row: […]}]`; in XML, `head` and `row` are siblings. */
function headAndRow(root: RawRow): Envelope | Fault | undefined {
  const [outer] = Object.values(root);
  const parts = (Array.isArray(outer) ? outer : [outer]).filter(isObject);
  const head = parts.find((part) => 'head' in part)?.['head'];
  if (head === undefined) return undefined;
  const facts: Record<string, unknown> = Object.assign(
    {},
    ...(Array.isArray(head) ? head : [head]).filter(isObject),
  );
  const result = isObject(facts['RESULT']) ? facts['RESULT'] : {};
  const row = parts.find((part) => 'row' in part)?.['row'];
  const code = normaliseCode(result['resultCode'] ?? result['CODE']);
  return envelopeOrFault(code, textOf(result['resultMsg'] ?? result['MESSAGE']), {
    rows: rowsIn(row),
    total: countOf(facts['totalCount'] ?? facts['list_total_count']),
  });
}

/** Envelope with a result alone: `RESULT: {…}`, or `resultCode` at the root. */
function bareResult(root: RawRow): Envelope | Fault | undefined {
  const result = isObject(root['RESULT']) ? root['RESULT'] : root;
  const code = normaliseCode(result['resultCode'] ?? result['CODE']);
  if (code === '') return undefined;
  const message = textOf(result['resultMsg'] ?? result['MESSAGE']);
  return envelopeOrFault(code, message, noRecords);
}

const noRecords = { rows: [], total: 0 } as const;

/** `{operation}: {item: […]}`, the election commission's envelope of 2020–2023. */
function operationRoot(root: RawRow): Envelope | Fault | undefined {
  const [[, outer] = ['', undefined], ...others] = Object.entries(root);
  if (others.length > 0 || !isObject(outer) || !('item' in outer)) return undefined;
  const code = normaliseCode(outer['resultCode'] ?? outer['RESULT_CODE'] ?? '00');
  return envelopeOrFault(code, textOf(outer['resultMsg'] ?? outer['RESULT_MSG']), {
    rows: rowsIn(outer),
    total: countOf(outer['totalCount'] ?? outer['TOTAL_COUNT']),
  });
}

function envelopeOrFault(
  code: string,
  message: string,
  content: Omit<Envelope, 'code' | 'message'>,
): Envelope | Fault {
  if (isSuccess(code)) return { ...content, code, message };
  if (isNoData(code)) return { ...content, rows: [], total: 0, code, message };
  // With rows, an unknown code is another spelling of success, such as `SUCCESS` or `200`.
  if (content.rows.length > 0 && !isKnownCode(code, message)) return { ...content, code, message };
  return faultOfCode(code, message);
}

/** Rows of an array or of a single object; `""`, null and undefined have no rows. */
function rowsIn(value: unknown): RawRow[] {
  if (Array.isArray(value)) return value.filter(isObject).map(unwrapped).filter(hasMembers);
  if (typeof value === 'string' && /^\s*[[{]/.test(value)) return rowsInText(value);
  if (!isObject(value)) return [];
  if ('item' in value) return rowsIn(value['item']);
  const members = Object.values(value);
  // PHP writes a list with gaps as an object with the positions as names.
  if (members.every(isObject) && Object.keys(value).every((name) => /^\d+$/.test(name))) {
    return rowsIn(members);
  }
  return [value];
}

/** The record of a row `{item: {…}}`. */
function unwrapped(row: RawRow): RawRow {
  const { item, ...others } = row;
  return isObject(item) && !hasMembers(others) ? item : row;
}

/** False for `{}`, which is not a record. */
function hasMembers(row: RawRow): boolean {
  return Object.keys(row).length > 0;
}

/** Rows of a list that was written as a text of JSON inside the answer. */
function rowsInText(text: string): RawRow[] {
  try {
    const value: unknown = parseExactly(text, (spelling) => spelling);
    return typeof value === 'string' ? [] : rowsIn(value);
  } catch {
    return [];
  }
}

/** Reads a count, written as a number or as text; null for any other value. */
function countOf(value: unknown): number | null {
  if (typeof value === 'string' && value.trim() === '') return null;
  const text = typeof value === 'string' ? value.replaceAll(',', '') : value;
  const count = typeof text === 'string' || typeof text === 'number' ? Number(text) : Number.NaN;
  return Number.isSafeInteger(count) && count >= 0 ? count : null;
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  return typeof value === 'number' ? String(value) : '';
}
