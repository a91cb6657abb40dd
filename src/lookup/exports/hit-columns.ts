import type { Field, FieldRole, Row, StoredAxis, Value } from '../../data/axis.ts';
import { shownLabel } from '../../data/shown-label.ts';
import type { ShownField } from '../shown-fields.ts';

/** Columns in which records of different datasets are put together. */
export const hitColumns: readonly ShownField[] = [
  column('axis', '데이터셋 코드'),
  column('dataset', '데이터셋'),
  column('origin', '출처 종류'),
  column('name', '이름'),
  column('address', '주소'),
  column('phone', '전화번호'),
  column('date', '날짜'),
  column('lat', '위도'),
  column('lon', '경도'),
  column('values', '모든 값'),
  column('page', '레코드 주소'),
];

function column(name: string, label: string): ShownField {
  return { name, label, type: 'string' };
}

/** A record, with its member `_id`, in these columns. */
export function hitRow(record: Row, stored: StoredAxis, baseUrl: string): Row {
  const { axis, dataset, origin, page } = hitObject(record, stored, baseUrl);
  const texts = stored.fields.flatMap((field) => {
    const value = record[field.name] ?? null;
    return value === null ? [] : [`${shownLabel(field)}: ${String(value)}`];
  });
  const shared = Object.fromEntries(
    roles.map((role) => [role, valueOf(role, record, stored.fields)]),
  );
  const values = texts.join(' · ');
  return { axis, dataset, origin, ...shared, values, page };
}

/** A record as an object of its own fields, with its dataset and the address of its page. */
export function hitObject(record: Row, { axis }: StoredAxis, baseUrl: string) {
  const { _id: id, ...own } = record;
  const page = `${baseUrl}/data/${encodeURIComponent(axis.code)}/${String(id)}`;
  return { axis: axis.code, dataset: axis.title, origin: axis.origin, page, record: own };
}

const roles = ['name', 'address', 'phone', 'date', 'lat', 'lon'] as const satisfies FieldRole[];

/** The first value of a role; numbers keep their spelling as texts. */
function valueOf(role: FieldRole, record: Row, fields: readonly Field[]): Value {
  for (const field of fields) {
    const value = field.role === role ? (record[field.name] ?? null) : null;
    if (value !== null) return String(value);
  }
  return null;
}
