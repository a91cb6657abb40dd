import { hashOf } from '../seeded-random.ts';
import type { Source } from '../hosts/operations.ts';
import { filter, type Listing, type Row } from '../listing.ts';
import { Refusal } from '../refusal.ts';
import { trades, type Trade } from './trades.ts';

/** Rows with the trade codes of a query; all rows if it has none. */
export function filterTrades(rows: Listing<Row>, query: ReadonlyMap<string, string>): Listing<Row> {
  const filters = tradeFilters(query);
  return filters.length === 0
    ? rows
    : filter(rows, (row) => filters.every(([name, code]) => row[name] === code));
}

const tradeParameters = ['indsLclsCd', 'indsMclsCd', 'indsSclsCd'] as const;

function tradeFilters(query: ReadonlyMap<string, string>): [string, string][] {
  return tradeParameters.flatMap((name): [string, string][] => {
    const code = query.get(name) ?? '';
    return code === '' ? [] : [[name, code]];
  });
}

/** Shops of a trade. Their indexes are computed once a trade, without making the shops: there may be a million. */
export function tradeSource(seed: number, stores: Listing<Row>): Source {
  const cache = new Map<string, Uint32Array>();
  return (query) => {
    const level = query.get('divId') ?? '';
    if (!tradeParameters.some((name) => name === level))
      throw new Refusal('10', 'INVALID_REQUEST_PARAMETER_ERROR(divId)');
    const filters = tradeFilters(new Map([...query, [level, query.get('key') ?? '']]));
    const key = filters.join(' ');
    const indexes = cache.get(key) ?? indexesOf(seed, stores.length, filters);
    cache.set(key, indexes);
    return { length: indexes.length, at: (index) => stores.at(indexes[index] ?? -1) };
  };
}

function indexesOf(seed: number, count: number, filters: readonly [string, string][]): Uint32Array {
  const isMatch = trades.map((trade) => {
    const columns = tradeColumns(trade);
    return filters.every(([name, code]) => columns[name] === code);
  });
  const indexes = new Uint32Array(count);
  let length = 0;
  for (let index = 0; index < count; index++)
    if (isMatch[tradeIndex(seed, index)] === true) indexes[length++] = index;
  return indexes.slice(0, length);
}

/** Index of a shop's trade. */
export function tradeIndex(seed: number, index: number): number {
  return hashOf(seed, 'trade', index) % trades.length;
}

/** A trade as the three pairs of columns that every row has. */
export function tradeColumns(trade: Trade): Row {
  return {
    indsLclsCd: trade.largeCode,
    indsLclsNm: trade.largeName,
    indsMclsCd: trade.middleCode,
    indsMclsNm: trade.middleName,
    indsSclsCd: trade.code,
    indsSclsNm: trade.name,
  };
}

const columnsByDepth = {
  large: ['indsLclsCd', 'indsLclsNm'],
  middle: ['indsLclsCd', 'indsLclsNm', 'indsMclsCd', 'indsMclsNm'],
  small: ['indsLclsCd', 'indsLclsNm', 'indsMclsCd', 'indsMclsNm', 'indsSclsCd', 'indsSclsNm'],
} as const;

/** The code table of one level, each code once. */
export function tradeTable(depth: keyof typeof columnsByDepth): Listing<Row> {
  const columns = columnsByDepth[depth];
  const rows = new Map<string, Row>();
  for (const trade of trades) {
    const all = tradeColumns(trade);
    const row = Object.fromEntries(columns.map((name) => [name, all[name] ?? '']));
    rows.set(String(all[columns.at(-2) ?? '']), { ...row, stdrDt: '2026-09-30' });
  }
  return [...rows.values()];
}
