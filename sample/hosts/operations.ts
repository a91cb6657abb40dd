import { jsonOf, refusalBody, xmlOf, type Page } from '../envelope.ts';
import { families, type Family } from '../family.ts';
import type { Fault } from '../faults/fault.ts';
import { gatewayError, gatewayErrors, type GatewayShape } from '../gateway-error.ts';
import { slice, type Listing, type Row } from '../listing.ts';
import type { FamilyName, Operation } from '../operation.ts';
import type { PortalRequest } from '../portal-request.ts';
import { Refusal } from '../refusal.ts';
import { jsonReply, xmlReply, type Reply } from '../reply.ts';

/** Records of an operation for a query; throws a Refusal. */
export type Source = (query: ReadonlyMap<string, string>) => Listing<Row>;

/** Answers an operation of apis.data.go.kr or api.data.go.kr; the key is already checked. */
export function answerOperation(
  operation: Operation,
  source: Source,
  request: PortalRequest,
  fault: Fault | null,
): Reply {
  const usual = families[operation.family];
  const json = wantsJson(operation.family, request.query);
  try {
    refuseMissing(operation, request.query);
    const { number, size } = pageOf(operation, usual, request.query);
    const all = source(request.query);
    const listing = fault?.listing?.(all) ?? all;
    const from = (number - 1) * size;
    const whole: Page = {
      total: listing.length,
      number,
      size,
      rows: slice(listing, from, from + size),
    };
    const page = fault?.page?.(whole, listing, operation) ?? whole;
    const family = { ...usual, ...fault?.family?.(usual) };
    return json ? jsonReply(jsonOf(operation, family, page)) : xmlReply(xmlOf(family, page));
  } catch (error) {
    if (error instanceof Refusal) return refusalOf(operation, json, error);
    throw error;
  }
}

/** True if the JSON switch of the family is set. NEC and others ignore the switches of other families. */
export function wantsJson(family: FamilyName, query: ReadonlyMap<string, string>): boolean {
  const { json } = families[family];
  return json !== null && query.get(json.parameter)?.toLowerCase() === json.value.toLowerCase();
}

/** Four agencies were still behind the gateway of 2024 when last seen: it answers 200 and XML always. */
export function gatewayShapeOf(family: FamilyName, json: boolean): GatewayShape {
  const old: readonly FamilyName[] = ['sbiz', 'nmc', 'kasi', 'airport'];
  if (old.includes(family)) return 'xml-200';
  return json ? 'json-403' : 'xml-403';
}

/** The requested page number; 1 if there is none or it is not a positive integer. */
export function requestedPage(query: ReadonlyMap<string, string>): number {
  const text = query.get('pageNo') ?? query.get('PageNo') ?? query.get('page') ?? '1';
  const page = Number(text);
  return Number.isInteger(page) && page > 0 ? page : 1;
}

/** Larger page sizes are refused. */
const requestedSizeMax = 99_998;

function pageOf(
  operation: Operation,
  { page }: Family,
  query: ReadonlyMap<string, string>,
): { number: number; size: number } {
  const number = wholeNumber(page.number, query.get(page.number), 1);
  const size = wholeNumber(page.size, query.get(page.size), page.sizeUsual);
  // The guide of the standard data itself shows page 0; it is the first.
  const first = operation.family === 'std' ? Math.max(1, number) : number;
  if (first < 1 || size < 1 || size > requestedSizeMax)
    throw new Refusal('10', gatewayErrors['10'][0]);
  return { number: first, size: Math.min(size, operation.sizeMax ?? page.sizeMax) };
}

function wholeNumber(name: string, text: string | undefined, usual: number): number {
  if (text === undefined || text === '') return usual;
  if (!/^\d{1,9}$/.test(text)) throw new Refusal('10', `${gatewayErrors['10'][0]}(${name})`);
  return Number(text);
}

function refuseMissing(operation: Operation, query: ReadonlyMap<string, string>): void {
  const missing = operation.required.find((name) => (query.get(name) ?? '') === '');
  if (missing !== undefined) throw new Refusal('11', `${gatewayErrors['11'][0]}(${missing})`);
}

/** Some agencies refuse in their own envelope, for the others the gateway does. */
function refusalOf(operation: Operation, json: boolean, { code, message }: Refusal): Reply {
  const own: readonly FamilyName[] = ['kma', 'kto', 'sbiz', 'nec', 'cltr'];
  if (!own.includes(operation.family))
    return gatewayError(code === '11' ? '11' : '10', gatewayShapeOf(operation.family, json));
  const body = refusalBody(families[operation.family], json, code, message);
  return json ? jsonReply(body) : xmlReply(body);
}
