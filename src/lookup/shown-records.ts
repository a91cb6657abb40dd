import type { Row, StoredAxis, Value } from '../data/axis.ts';
import type { SelectResult } from '../data/columns/select-records.ts';
import { recordSerialiser } from '../data/snapshot/records.ts';
import { shownFields, shownValues, type RecordForm } from './shown-fields.ts';
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

/** Reads selected records of an axis. */
export function readShownRecords(
  form: RecordForm,
  { rows: ordinals, distances }: Pick<SelectResult, 'rows' | 'distances'>,
  { axis, fields: ownFields }: Pick<StoredAxis, 'axis' | 'fields'>,
  store: LookupStore,
): ShownRecords {
  const { fields, added } = form;
  const records = store.records(axis.code, ordinals);
  const additions = added.hasRegion || added.hasId ? store.additions(axis.code, ordinals) : null;
  const isWhole = fields === null && additions === null && !added.hasDistance;
  const wholeRows = once(() => records.map((json) => JSON.parse(json.toString()) as Row));
  const names = shownFields(form, { fields: ownFields }).map(({ name }) => name);
  const cells = once(() =>
    wholeRows().map((row, at) => {
      const values = { distance: distances?.[at] ?? null, stored: additions?.[at] ?? null };
      return shownValues(row, fields ?? ownFields, added, values);
    }),
  );
  // The JSON of an object would put names such as 2021 first.
  const texts = () => (isWhole ? records : cells().map(recordSerialiser(names)));
  return {
    items: () => Buffer.from(texts().join(',\n')),
    rows: isWhole ? wholeRows : once(() => cells().map((values) => rowOf(names, values))),
    wholeRows,
    isWhole,
  };
}

function rowOf(names: readonly string[], values: readonly Value[]): Row {
  return Object.fromEntries(names.map((name, at) => [name, values[at] ?? null]));
}

function once<Made>(make: () => Made): () => Made {
  let made: { readonly value: Made } | null = null;
  return () => (made ??= { value: make() }).value;
}
