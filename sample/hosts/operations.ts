import { jsonOf, refusalText, xmlOf, type Page } from '../envelope.ts';
import { families, type Family } from '../family.ts';
import type { Fault } from '../faults/fault.ts';
import { gatewayError, gatewayErrors, type GatewayShape } from '../gateway-error.ts';
import { slice, type Listing, type Row } from '../listing.ts';
import type { FamilyName, Operation } from '../operation.ts';
import type { PortalRequest } from '../portal-request.ts';
import { Refusal } from '../refusal.ts';
import { jsonReply, xmlReply, type Reply } from '../reply.ts';

/** Returns the records of an operation for a query. Throws `Refusal`. */
export type Source = (query: ReadonlyMap<string, string>) => Listing<Row>;

/** Answers an operation of apis.data.go.kr or api.data.go.kr; the key is already checked. */
export function answerOperation(
  operation: Operation,
  source: Source,
  request: PortalRequest,
  fault: Fault | null,
  attempt: number,
): Reply {
  const defaultFormat = families[operation.family];
  const json = wantsJson(operation.family, request.query);
  try {
    requireParameters(operation, request.query);
    const { number, size } = pageOf(operation, defaultFormat, request.query);
    const all = source(request.query);
    const listing = fault?.listing?.(all) ?? all;
    const from = (number - 1) * size;
    const correct: Page = {
      total: listing.length,
      number,
      size,
      rows: slice(listing, from, from + size),
    };
    const page = fault?.page?.(correct, listing, operation, attempt) ?? correct;
    const family = { ...defaultFormat, ...fault?.family?.(defaultFormat) };
    return json ? jsonReply(jsonOf(operation, family, page)) : xmlReply(xmlOf(family, page));
  } catch (error) {
    if (error instanceof Refusal) return refusalReply(operation, json, error);
    throw error;
  }
}

/** True if the JSON parameter of the family is set. The parameters of other families are ignored. */
export function wantsJson(family: FamilyName, query: ReadonlyMap<string, string>): boolean {
  const { json } = families[family];
  return json !== null && query.get(json.parameter)?.toLowerCase() === json.value.toLowerCase();
}

/** Format of gateway errors. Four families use the gateway of 2024, which always sends XML with status 200. */
export function gatewayShapeOf(family: FamilyName, json: boolean): GatewayShape {
  const oldGateway: readonly FamilyName[] = ['sbiz', 'nmc', 'kasi', 'airport'];
  if (oldGateway.includes(family)) return 'xml-200';
  return json ? 'json-403' : 'xml-403';
}

/** The requested page number; 1 if there is none or it is not a positive integer. */
export function requestedPage(query: ReadonlyMap<string, string>): number {
  const text = query.get('pageNo') ?? query.get('PageNo') ?? query.get('page') ?? '1';
  const page = Number(text);
  return Number.isInteger(page) && page > 0 ? page : 1;
}

/** Largest page size that is not refused. */
const requestedSizeMax = 99_998;

function pageOf(
  operation: Operation,
  { page }: Family,
  query: ReadonlyMap<string, string>,
): { number: number; size: number } {
  const number = wholeNumber(page.number, query.get(page.number), 1);
  const size = wholeNumber(page.size, query.get(page.size), page.sizeDefault);
  // The guide of the standard data requests page 0, which is the first page.
  const first = operation.family === 'std' ? Math.max(1, number) : number;
  if (first < 1 || size < 1 || size > requestedSizeMax)
    throw new Refusal('10', gatewayErrors['10'][0]);
  return { number: first, size: Math.min(size, operation.sizeMax ?? page.sizeMax) };
}

function wholeNumber(name: string, text: string | undefined, defaultNumber: number): number {
  if (text === undefined || text === '') return defaultNumber;
  if (!/^\d{1,9}$/.test(text)) throw new Refusal('10', `${gatewayErrors['10'][0]}(${name})`);
  return Number(text);
}

function requireParameters(operation: Operation, query: ReadonlyMap<string, string>): void {
  const missing = operation.required.find((name) => (query.get(name) ?? '') === '');
  if (missing !== undefined) throw new Refusal('11', `${gatewayErrors['11'][0]}(${missing})`);
}

/** A refusal in the envelope of the agency or, for agencies that never refuse, a gateway error. */
function refusalReply(operation: Operation, json: boolean, { code, message }: Refusal): Reply {
  const agencies: readonly FamilyName[] = ['kma', 'kto', 'sbiz', 'nec', 'cltr'];
  if (!agencies.includes(operation.family))
    return gatewayError(code === '11' ? '11' : '10', gatewayShapeOf(operation.family, json));
  const body = refusalText(families[operation.family], json, code, message);
  return json ? jsonReply(body) : xmlReply(body);
}
