import { jsonOf, refusalBody, xmlOf, type Page } from '../envelope.ts';
import { families, type Family } from '../family.ts';
import type { Fault } from '../faults/fault.ts';
import { gatewayError, gatewayErrors, type GatewayShape } from '../gateway-error.ts';
import { slice, type Listing, type Row } from '../listing.ts';
import type { FamilyName, Operation } from '../operation.ts';
import type { Question } from '../question.ts';
import { Refusal } from '../refusal.ts';
import { jsonReply, xmlReply, type Reply } from '../reply.ts';

/** Records of an operation for a query; throws a Refusal. */
export type Source = (query: ReadonlyMap<string, string>) => Listing<Row>;

/** Answers an operation of apis.data.go.kr or api.data.go.kr; the key was checked before. */
export function answerOperation(
  operation: Operation,
  source: Source,
  question: Question,
  fault: Fault | null,
): Reply {
  const usual = families[operation.family];
  const json = wantsJson(operation.family, question.query);
  try {
    refuseMissing(operation, question.query);
    const { number, size } = pageOf(operation, usual, question.query);
    const all = source(question.query);
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

/** Whether the switch of the family is set. NEC and others ignore the switches of their neighbours. */
export function wantsJson(family: FamilyName, query: ReadonlyMap<string, string>): boolean {
  const { json } = families[family];
  return json !== null && query.get(json.parameter)?.toLowerCase() === json.value.toLowerCase();
}

/** Four agencies were still behind the gateway of before 2025 when last seen: 200 and XML whatever was asked. */
export function gatewayShapeOf(family: FamilyName, json: boolean): GatewayShape {
  const old: readonly FamilyName[] = ['sbiz', 'nmc', 'kasi', 'airport'];
  if (old.includes(family)) return 'xml-200';
  return json ? 'json-403' : 'xml-403';
}

/** The number of the page as asked, whatever it may be worth: 1 when it says nothing. */
export function pageAsked(query: ReadonlyMap<string, string>): number {
  const text = query.get('pageNo') ?? query.get('PageNo') ?? query.get('page') ?? '1';
  const page = Number(text);
  return Number.isInteger(page) && page > 0 ? page : 1;
}

/** Larger pages are a mistake, not a wish. */
const sizeAskedMax = 99_998;

function pageOf(
  operation: Operation,
  { page }: Family,
  query: ReadonlyMap<string, string>,
): { number: number; size: number } {
  const number = wholeNumber(page.number, query.get(page.number), 1);
  const size = wholeNumber(page.size, query.get(page.size), page.sizeUsual);
  // The guide of the standard data itself shows page 0; it is the first.
  const first = operation.family === 'std' ? Math.max(1, number) : number;
  if (first < 1 || size < 1 || size > sizeAskedMax) throw new Refusal('10', gatewayErrors['10'][0]);
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
