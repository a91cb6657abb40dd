import { lookupContract } from '../../contract/lookup.ts';
import type { RouteParameters } from '../../contract/route.ts';
import { requireAxis } from '../refusals.ts';
import { shownLabel } from '../../data/shown-label.ts';
import type { Field, StoredAxis } from '../../data/axis.ts';
import type { ApiRequest } from '../serve.ts';
import type { Document } from '../../kernel/http/result.ts';
import { jsonContent, snapshotMeta, warningsPart } from '../answers.ts';
import type { LookupStore } from '../store/store.ts';

/** An axis's fields with their Korean names. */
export function fields(
  { axis, format }: RouteParameters<typeof lookupContract.fields>,
  store: LookupStore,
) {
  const stored = requireAxis(axis, store);
  return ({ data, warnings }: ApiRequest<LookupStore>): Document => {
    if (format === 'tableschema') {
      const type = lookupContract.fields.formats.tableschema;
      return { ...jsonContent(tableSchema(stored)), type };
    }
    const items = stored.fields.map(fieldItem);
    return jsonContent(
      {
        axis: stored.axis.code,
        title: stored.axis.title,
        items,
        count: items.length,
        total: items.length,
        schemaFingerprint: stored.schemaFingerprint,
        meta: snapshotMeta(data),
        ...warningsPart(warnings),
      },
      { 'X-Total-Count': String(items.length) },
    );
  };
}

function fieldItem(field: Field, position: number): object {
  const { name, label, labelEn, labelSource, type, unit, role, searchable, stats } = field;
  return { name, label, labelEn, labelSource, type, unit, position, role, searchable, stats };
}

/** Frictionless Table Schema (https://specs.frictionlessdata.io/table-schema/). */
function tableSchema({ axis, fields }: StoredAxis): object {
  return {
    fields: fields.map(({ name, label, labelSource, type, unit, stats }) => ({
      name,
      title: shownLabel({ name, label, labelSource }),
      type,
      ...(type === 'date' || type === 'datetime' ? { format: 'any' } : {}),
      ...(unit === null ? {} : { unit }),
      ...(stats.examples[0] === undefined ? {} : { example: stats.examples[0] }),
    })),
    missingValues: [''],
    ...(axis.keyFields.length === 0 ? {} : { primaryKey: axis.keyFields }),
  };
}
