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

/** Columns of an answer. */
export function shownFields(fields: readonly Field[], added: AddedFields): ShownField[] {
  return [...fields, ...fieldsToAdd(added)];
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

/** A record with the selected fields and the added ones. */
export function shownRow(
  row: Row,
  fields: readonly Field[] | null,
  added: AddedFields,
  { distance, stored }: AddedValues,
): Row {
  const shown: Record<string, Value> = fields === null ? { ...row } : {};
  for (const { name } of fields ?? []) shown[name] = row[name] ?? null;
  if (added.hasDistance) shown['_distance'] = distance;
  if (added.hasRegion) {
    shown['_sido'] = stored?._sido ?? null;
    shown['_sigungu'] = stored?._sigungu ?? null;
  }
  if (added.hasId) shown['_id'] = stored?._id ?? null;
  return shown;
}

function fieldsToAdd({ hasDistance, hasRegion, hasId }: AddedFields): ShownField[] {
  return [
    ...(hasDistance ? [{ name: '_distance', label: '거리(m)', type: 'number' as const }] : []),
    ...(hasRegion
      ? [
          { name: '_sido', label: '시도 코드', type: 'string' as const },
          { name: '_sigungu', label: '시군구 코드', type: 'string' as const },
        ]
      : []),
    ...(hasId ? [{ name: '_id', label: '레코드 ID', type: 'string' as const }] : []),
  ];
}
