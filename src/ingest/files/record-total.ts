import type { RecordTotal } from './table.ts';

/** True for the name under which a response declares the number of all records. */
export function isTotalName(name: string): boolean {
  return totalName.test(name);
}

/**
 * Number of records in a response and the larger number that it declares; undefined if it declares none. `values` are
 * texts by their path, such as `response.body.totalCount`; only those around the records are read. `recordPath` is null
 * for a single record.
 */
export function totalOfResponse(
  values: Iterable<readonly [path: string, text: string]>,
  recordPath: string | null,
  separator: '.' | '/',
  records: number,
): RecordTotal | undefined {
  let declared: number | null = null;
  for (const [path, text] of values) {
    const cut = path.lastIndexOf(separator);
    const name = path.slice(cut + 1).replace(/^.*:/u, '');
    const parent = path.slice(0, Math.max(0, cut)).replace(headList, '');
    const isAround = parent === '' || recordPath?.startsWith(`${parent}${separator}`) !== false;
    if (!isAround || !isTotalName(name)) continue;
    const number = Number(text.replace(/[",\s]/gu, ''));
    if (!Number.isSafeInteger(number)) continue;
    // The portal's tables also declare the size of the whole table; a query can match less.
    if (name === 'matchCount') {
      declared = number;
      break;
    }
    declared ??= number;
  }
  return declared === null || declared <= records ? undefined : { records, declared };
}

const totalName = /^(?:matchCount|(?:list_?)?total_?(?:count|cnt)|tot_?(?:count|cnt))$/iu;
/** Services of Gyeonggi write the total in a list of its own, `head`, beside the list of records. */
const headList = /(?:^|\.)head$/u;
