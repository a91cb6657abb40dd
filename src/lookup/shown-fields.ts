import type { Field, Row, StoredAxis, Value } from '../data/axis.ts';
import { invalidParameter } from './refusals.ts';
import { columnsOf } from './selection.ts';
import { whereProblem } from './where/refusal.ts';
import { parseList } from './where/terms.ts';

/** A column of an answer: a field of the axis, or one that Maru adds. */
export type ShownField = Pick<Field, 'name' | 'label' | 'type'> &
  Partial<Pick<Field, 'labelSource' | 'unit' | 'stats'>>;

/** Choice of the fields that Maru adds to records, in their order. */
export interface AddedFields {
  readonly hasDistance: boolean;
  readonly hasRegion: boolean;
  readonly hasId: boolean;
}

/** The fields that `select` names, in its order; null for all. Throws 400. */
export function selectedFields(select: string | undefined, stored: StoredAxis): Field[] | null {
  if (select === undefined) return null;
  const parameter = 'select';
  const columns = columnsOf(stored);
  const names = parseList(select, { parameter, itemsMax: stored.fields.length }).map(({ name }) => {
    const column = columns.find(name, parameter);
    if (column.type === 'region' || column.name === '_total') {
      const reason = {
        ko: '_sido와 _sigungu는 with=region으로 받습니다.',
        en: 'with=region adds _sido and _sigungu.',
      };
      throw whereProblem(parameter, { position: name.position, reason, value: name.text });
    }
    return column.name;
  });
  const byName = new Map(stored.fields.map((field) => [field.name, field]));
  return [...new Set(names)].flatMap((name) => byName.get(name) ?? []);
}

/** Reads the list `with`: `region`, `id` or both. Throws 400. */
export function readAddedFields(list: string | undefined): Omit<AddedFields, 'hasDistance'> {
  const items = list === undefined ? [] : list.split(',').map((item) => item.trim().toLowerCase());
  if (items.some((item) => item !== 'region' && item !== 'id')) {
    throw invalidParameter('with', {
      ko: 'region, id 또는 region,id를 쓰세요.',
      en: 'Send region, id or region,id.',
    });
  }
  return { hasRegion: items.includes('region'), hasId: items.includes('id') };
}

/** Columns of an answer: the selected fields, or all of them, then the added ones. */
export function shownFields(
  { fields, added }: RecordForm,
  stored: Pick<StoredAxis, 'fields'>,
): ShownField[] {
  const columns = addedColumns.filter(({ choice }) => added[choice]);
  return [
    ...(fields ?? stored.fields),
    ...columns.map(({ name, label, type }) => ({
      name: addedName(name, stored.fields),
      label,
      type,
    })),
  ];
}

/** Form in which a query shows records. */
export interface RecordForm {
  /** Null for all fields. */
  readonly fields: readonly Field[] | null;
  readonly added: AddedFields;
}

/** Name of a column that Maru adds to others. It is numbered if one of them has the name: `_id_2`. */
export function addedName(name: string, others: readonly { readonly name: string }[]): string {
  const taken = new Set(others.map((other) => other.name));
  let free = name;
  for (let copy = 2; taken.has(free); copy++) free = `${name}_${copy}`;
  return free;
}

/** Values that are added to one record. */
interface AddedValues {
  readonly distance: number | null;
  readonly stored: {
    readonly _id: string;
    readonly _sido: string | null;
    readonly _sigungu: string | null;
  } | null;
}

/** Values of a record in the columns of an answer. */
export function shownValues(
  row: Row,
  fields: readonly Field[],
  added: AddedFields,
  values: AddedValues,
): Value[] {
  const shown = fields.map(({ name }) => row[name] ?? null);
  for (const { choice, valueOf } of addedColumns) if (added[choice]) shown.push(valueOf(values));
  return shown;
}

interface AddedColumn extends ShownField {
  readonly choice: keyof AddedFields;
  readonly valueOf: (values: AddedValues) => Value;
}

const addedColumns: readonly AddedColumn[] = [
  {
    name: '_distance',
    label: '거리(m)',
    type: 'number',
    choice: 'hasDistance',
    valueOf: ({ distance }) => distance,
  },
  {
    name: '_sido',
    label: '시도 코드',
    type: 'string',
    choice: 'hasRegion',
    valueOf: ({ stored }) => stored?._sido ?? null,
  },
  {
    name: '_sigungu',
    label: '시군구 코드',
    type: 'string',
    choice: 'hasRegion',
    valueOf: ({ stored }) => stored?._sigungu ?? null,
  },
  {
    name: '_id',
    label: '레코드 ID',
    type: 'string',
    choice: 'hasId',
    valueOf: ({ stored }) => stored?._id ?? null,
  },
];
