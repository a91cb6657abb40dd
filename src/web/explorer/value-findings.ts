import type { Field, StoredAxis } from '../../data/axis.ts';
import { perStore } from '../../lookup/per-store.ts';
import { readSelection } from '../../lookup/selection.ts';
import type { LookupStore } from '../../lookup/store/store.ts';
import { printName } from '../../lookup/where/print.ts';
import { fillerPhones, type FillerPhones } from './filler-phones.ts';

/** A finding about the values of a dataset, computed when its page is first shown. */
export type ValueFinding =
  | { readonly kind: 'keys'; readonly field: Field; readonly count: number }
  | { readonly kind: 'times'; readonly from: Field; readonly to: Field; readonly count: number }
  | {
      readonly kind: 'codes';
      readonly field: Field;
      readonly count: number;
      /** Condition that selects them. */
      readonly where: string;
    }
  | { readonly kind: 'zips'; readonly field: Field; readonly count: number }
  | FillerPhones;

/**
 * Codes that became dates, keys that repeat, times that end just before they begin, zip codes without their first zero,
 * and telephone numbers that only fill their place.
 */
export async function valueFindings(
  stored: StoredAxis,
  store: LookupStore,
): Promise<readonly ValueFinding[]> {
  const known = findingsByAxis(store);
  const { code } = stored.axis;
  let findings = known.get(code);
  if (findings === undefined) known.set(code, (findings = await findFaults(stored, store)));
  return findings;
}

const findingsByAxis = perStore(() => new Map<string, readonly ValueFinding[]>());

async function findFaults(stored: StoredAxis, store: LookupStore): Promise<ValueFinding[]> {
  // Larger datasets would delay the page.
  if (stored.rows > rowsMax) return [];
  return [
    ...(await codesAsDates(stored, store)),
    ...(await repeatedKeys(stored, store)),
    ...(await reversedTimes(stored, store)),
    ...(await shortenedZips(stored, store)),
    ...(await fillerPhones(stored, store)),
  ];
}

const rowsMax = 50_000;

/** The field whose codes a spreadsheet made dates of, if the load found any: `Feb-58` of `2-58`, `03월 12일` of `3-12`. */
async function codesAsDates(stored: StoredAxis, store: LookupStore): Promise<ValueFinding[]> {
  const found = stored.quality?.findings.find(({ kind }) => kind === 'code_as_date');
  if (found === undefined) return [];
  for (const field of stored.fields.filter(({ type }) => type === 'string')) {
    const name = printName(field.name);
    const where = datePatterns.map((pattern) => `${name} like '${pattern}'`).join(' or ');
    const { selection } = readSelection({ where }, stored);
    const { total: count } = await store.select(stored.axis.code, {
      ...selection,
      offset: 0,
      limit: 0,
    });
    // Other texts may have months too.
    if (count === found.count) return [{ kind: 'codes', field, count, where }];
  }
  return [];
}

const datePatterns = [
  '%월%일',
  ...'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ').map((month) => `%${month}%`),
];

/** Fields of zip codes with values of four digits: codes of Seoul begin with 0, which was lost. */
async function shortenedZips(stored: StoredAxis, store: LookupStore): Promise<ValueFinding[]> {
  const findings: ValueFinding[] = [];
  for (const field of stored.fields.filter(mayLackZeros)) {
    const { selection } = readSelection({ where: `${printName(field.name)} like '____'` }, stored);
    const query = { ...selection, offset: 0, limit: 0 };
    const { total: count } = await store.select(stored.axis.code, query);
    if (count > 0) findings.push({ kind: 'zips', field, count });
  }
  return findings;
}

function mayLackZeros({ label, stats: { minLength, maxLength } }: Field): boolean {
  return label.endsWith('우편번호') && Number(minLength) <= 4 && Number(maxLength) >= 5;
}

/** The field that identifies records, if its values repeat; where most do, it identifies something else. */
async function repeatedKeys(
  { axis, fields, rows }: StoredAxis,
  store: LookupStore,
): Promise<ValueFinding[]> {
  const field =
    fields.find(({ role }) => role === 'id') ??
    fields.find(({ label, role }) => role === 'code' && /(?:관리|고유|일련)번호$/.test(label));
  if (field === undefined) return [];
  const { total, nulls } = await store.values(axis.code, {
    column: field.name,
    offset: 0,
    limit: 1,
  });
  const count = rows - nulls - total;
  return count > 0 && count * 2 < rows ? [{ kind: 'keys', field, count }] : [];
}

/** Pairs such as 운영시작시각 and 운영종료시각 whose end is up to an hour before the start: 12:00–11:59. */
async function reversedTimes(
  { axis, fields }: StoredAxis,
  store: LookupStore,
): Promise<ValueFinding[]> {
  const findings: ValueFinding[] = [];
  for (const from of fields.filter(({ label }) => /시작시[각간]$/.test(label)).slice(0, pairsMax)) {
    const to = fields.find(
      ({ label }) => label === from.label.replace(/시작(?=시[각간]$)/, '종료'),
    );
    if (to === undefined) continue;
    const { items } = await store.groups(axis.code, {
      by: [from, to].map(({ name }) => ({ name, column: name, part: 'value' })),
      aggregates: [{ name: 'count', function: 'count', column: null }],
      offset: 0,
      limit: groupsMax,
    });
    const count = items
      .filter((item) => isReversed(minutesOf(item[from.name]), minutesOf(item[to.name])))
      .reduce((sum, item) => sum + Number(item['count']), 0);
    if (count > 0) findings.push({ kind: 'times', from, to, count });
  }
  return findings;
}

const pairsMax = 3;
const groupsMax = 5_000;

/** An end after midnight is not a fault, so only an end that makes nearly a whole day counts. */
function isReversed(from: number, to: number): boolean {
  return to < from && from - to <= 60 && from < 24 * 60;
}

/** Minutes since midnight of `09:00`; NaN for any other text. */
function minutesOf(value: unknown): number {
  const parts = /^([01]?\d|2[0-4]):([0-5]\d)$/.exec(String(value));
  return parts === null ? NaN : Number(parts[1]) * 60 + Number(parts[2]);
}
