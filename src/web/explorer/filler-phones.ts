import type { Field, StoredAxis } from '../../data/axis.ts';
import { readSelection } from '../../lookup/selection.ts';
import type { LookupStore } from '../../lookup/store/store.ts';
import { printName, printWhere } from '../../lookup/where/print.ts';

/** Values of a field of telephone numbers that only fill the place of one, such as `02-000-0000` or `-`. */
export interface FillerPhones {
  readonly kind: 'fillers';
  readonly field: Field;
  readonly count: number;
  /** Condition that selects them. */
  readonly where: string;
}

export async function fillerPhones(
  stored: StoredAxis,
  store: LookupStore,
): Promise<FillerPhones[]> {
  const findings: FillerPhones[] = [];
  for (const field of stored.fields.filter(({ role }) => role === 'phone')) {
    const name = printName(field.name);
    // Texts that end in zeros, and those of less than nine characters.
    const where = `${name} like '%0000' or ${name} not like '_________%'`;
    const { selection } = readSelection({ where }, stored);
    const query = { ...selection, column: field.name, offset: 0, limit: candidatesMax };
    const { items } = await store.values(stored.axis.code, query);
    const fillers = items.filter(({ value }) => isFiller(String(value)));
    if (fillers.length === 0 || fillers.length > fillersMax) continue;
    findings.push({
      kind: 'fillers',
      field,
      count: fillers.reduce((sum, { count }) => sum + count, 0),
      where: printWhere({
        kind: 'in',
        name: { text: field.name, position: 0 },
        values: fillers.map(({ value }) => ({ text: String(value), position: 0 })),
        isNegated: false,
      }),
    });
  }
  return findings;
}

/** True if a telephone number has only zeros after its area code, or too few digits; 119 and 1330 are numbers. */
function isFiller(text: string): boolean {
  if (!/^[-–.()\s\d]+$/.test(text)) return false;
  const digits = text.replace(/\D/g, '');
  if (/^1\d{2,3}$/.test(digits)) return false;
  return digits.length < digitsMin || /^(?:0|0\d|0\d\d)?0{7,8}$/.test(digits);
}

/** Digits of the shortest number without an area code. */
const digitsMin = 7;

const candidatesMax = 1_000;
/** More would make an address that is too long. */
const fillersMax = 40;
