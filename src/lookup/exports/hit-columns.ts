import type { Field, FieldRole, Row, StoredAxis, Value } from '../../data/axis.ts';
import { shownLabel } from '../../data/shown-label.ts';
import { recordSerialiser } from '../../data/snapshot/records.ts';
import { addedName, type ShownField } from '../shown-fields.ts';

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

/** A record, with its id as an added member, in these columns. */
export function hitRow(record: Row, stored: StoredAxis, baseUrl: string): Row {
  const { axis, dataset, origin, page } = hitFacts(record, stored, baseUrl);
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

/** JSON of a record with its own fields, its dataset and the address of its page. */
export function hitObject(record: Row, stored: StoredAxis, baseUrl: string): string {
  const names = stored.fields.map(({ name }) => name);
  const own = recordSerialiser(names)(names.map((name) => record[name] ?? null));
  const facts = JSON.stringify(hitFacts(record, stored, baseUrl));
  return `${facts.slice(0, -1)},"record":${own}}`;
}

function hitFacts(record: Row, { axis, fields }: StoredAxis, baseUrl: string) {
  const id = String(record[addedName('_id', fields)]);
  const page = `${baseUrl}/data/${encodeURIComponent(axis.code)}/${id}`;
  return { axis: axis.code, dataset: axis.title, origin: axis.origin, page };
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
