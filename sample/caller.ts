import { families } from './family.ts';
import type { Row } from './listing.ts';
import { operationOf, type Operation } from './operation.ts';
import type { SamplePortal } from './portal.ts';
import { sampleKey } from './keys.ts';
import { dayKst } from './world.ts';

/** The moment that the tests live in: 2026-11-21 12:00 in Seoul. */
export const testMoment = Date.UTC(2026, 10, 21, 3);

/** What the tests ask with: no retries, no judgement. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

export async function askAddress(
  portal: SamplePortal,
  address: string,
  init: RequestInit = {},
): Promise<Answer> {
  const response = await fetch(`${portal.url}/${address}`, { redirect: 'manual', ...init });
  const type = response.headers.get('content-type') ?? '';
  return { status: response.status, type, text: await response.text() };
}

/** Asks an operation with the sample key; `as` chooses JSON where the family has it. */
export function askOperation(
  portal: SamplePortal,
  operation: Operation,
  query: Readonly<Record<string, string>>,
  as: 'json' | 'xml' = 'json',
): Promise<Answer> {
  const { json } = families[operation.family];
  const switched = as === 'json' && json !== null ? { [json.parameter]: json.value } : {};
  const search = new URLSearchParams({ ...switched, ...query });
  const key = encodeURIComponent(sampleKey);
  return askAddress(portal, `${operation.path}?serviceKey=${key}&${search.toString()}`);
}

/** One page of an operation, its rows and its total, whatever the envelope. */
export async function askPage(
  portal: SamplePortal,
  code: string,
  page: number,
  size: number,
  as: 'json' | 'xml' = 'json',
  query: Readonly<Record<string, string>> = usualQuery(code),
): Promise<{ readonly rows: Row[]; readonly total: number }> {
  const operation = operationOf(code);
  const names = families[operation.family].page;
  const paging = { [names.number]: String(page), [names.size]: String(size) };
  const { text } = await askOperation(portal, operation, { ...query, ...paging }, as);
  return text.startsWith('<') ? readXml(text) : readJson(text);
}

/** Parameters with which an operation has something to say. */
export function usualQuery(code: string): Record<string, string> {
  const today = dayKst(testMoment);
  const values: Readonly<Record<string, string>> = {
    divId: code === 'sbiz_stores_by_trade' ? 'indsLclsCd' : 'ctprvnCd',
    key: { gen_storezoneone: '90003', sbiz_stores_by_trade: 'I2' }[code] ?? '11',
    MobileOS: 'ETC',
    MobileApp: 'maru',
    eventStartDate: '20000101',
    dataCd: 'ASOS',
    dateCd: 'DAY',
    startDt: dayKst(testMoment, -20),
    endDt: dayKst(testMoment, -1),
    stnIds: '108',
    stnId: '108',
    fromTmFc: dayKst(testMoment, -3),
    toTmFc: today,
    realmCode: 'A000',
    seq: '9000004',
    solYear: '2026',
    sgId: '20260603',
    sgTypecode: '3',
    sdName: '서울특별시',
    erVotingDiv: '1',
    sgExctDate: '20260603',
    name: '김보기',
    cnddtId: '926030000',
    cityCode: '31010',
    routeId: 'SMB31010R0001',
    pblshYr: '2024',
  };
  const named = operationOf(code).required.map((name) => [name, values[name] ?? '']);
  const present = { base_date: today, base_time: '1100', nx: '60', ny: '127' };
  return { ...Object.fromEntries(named), ...(code === 'kma_ncst' ? present : {}) };
}

interface AnyBody {
  readonly items?: Row[] | { readonly item: Row[] | Row } | '';
  readonly data?: Row[];
  readonly totalCount: string | number;
}

function readJson(text: string): { rows: Row[]; total: number } {
  // The envelopes of the portal, as the tests know them.
  const root = JSON.parse(text) as { response?: { body?: AnyBody }; body?: AnyBody };
  if ('StanReginCd' in root) return readHeadAndRow(root as unknown as HeadAndRow);
  const body = root.response?.body ?? root.body;
  if (body === undefined) return { rows: [], total: 0 };
  const { items = body.data ?? [] } = body;
  const rows = items === '' ? [] : Array.isArray(items) ? items : [items.item].flat();
  return { rows, total: Number(body.totalCount) };
}

interface HeadAndRow {
  readonly StanReginCd: readonly [
    { readonly head: readonly [{ readonly totalCount: number }] },
    { readonly row: Row[] },
  ];
}

function readHeadAndRow({ StanReginCd: [{ head }, { row }] }: HeadAndRow): {
  rows: Row[];
  total: number;
} {
  return { rows: row, total: head[0].totalCount };
}

function readXml(text: string): { rows: Row[]; total: number } {
  const rows = [...text.matchAll(/<item>(.*?)<\/item>/gs)].map(([, inside = '']) =>
    Object.fromEntries(
      [...inside.matchAll(/<(\w+)>(.*?)<\/\1>|<(\w+)\/>/gs)].map((found) => [
        found[1] ?? found[3] ?? '',
        unescaped(found[2] ?? ''),
      ]),
    ),
  );
  return { rows, total: Number(/<totalCount>(\d+)</.exec(text)?.[1] ?? 0) };
}

function unescaped(text: string): string {
  const cdata = /^<!\[CDATA\[(.*)\]\]>$/s.exec(text)?.[1];
  if (cdata !== undefined) return cdata;
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
