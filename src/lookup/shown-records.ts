import type { Field, Row, StoredAxis } from '../data/axis.ts';
import type { SelectResult } from '../data/columns/select-records.ts';
import { shownRow, type AddedFields } from './shown-fields.ts';
import type { LookupStore } from './store/store.ts';

/** Records in the form in which a query shows them; each part is made when it is read first. */
export interface ShownRecords {
  /** JSON objects in UTF-8, joined by `,\n`. */
  readonly items: () => Buffer;
  readonly rows: () => readonly Row[];
  /** The same records with every field, and nothing added. */
  readonly wholeRows: () => readonly Row[];
  /** True if the records are shown as they are stored. */
  readonly isWhole: boolean;
}

interface RecordForm {
  /** Null for all fields. */
  readonly fields: readonly Field[] | null;
  readonly added: AddedFields;
}

/** Reads selected records of an axis. */
export function readShownRecords(
  { fields, added }: RecordForm,
  { rows: ordinals, distances }: Pick<SelectResult, 'rows' | 'distances'>,
  { axis }: Pick<StoredAxis, 'axis'>,
  store: LookupStore,
): ShownRecords {
  const records = store.records(axis.code, ordinals);
  const additions = added.hasRegion || added.hasId ? store.additions(axis.code, ordinals) : null;
  const isWhole = fields === null && additions === null && !added.hasDistance;
  const wholeRows = once(() => records.map((json) => JSON.parse(json.toString()) as Row));
  const rows = isWhole
    ? wholeRows
    : once(() =>
        wholeRows().map((row, at) => {
          const values = { distance: distances?.[at] ?? null, stored: additions?.[at] ?? null };
          return shownRow(row, fields, added, values);
        }),
      );
  const texts = () => (isWhole ? records : rows().map((row) => JSON.stringify(row)));
  return { items: () => Buffer.from(texts().join(',\n')), rows, wholeRows, isWhole };
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => (made ??= { value: make() }).value;
}
