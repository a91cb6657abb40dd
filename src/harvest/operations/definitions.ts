import { readFileSync } from 'node:fs';
import type { AxisFile, AxisEntry, FieldEntry } from './axis-file.ts';
import type { AxisDefinition, AxisField } from './definition.ts';

/**
 * The 69 operations of the portal that have a readable code, from `axes.json`. A test holds the file to its schema and
 * its references, because the check would double the start of every command.
 */
const file = JSON.parse(readFileSync(new URL('axes.json', import.meta.url), 'utf8')) as AxisFile;
export const axisDefinitions: readonly AxisDefinition[] = file.axes.map((entry) =>
  definitionOf(entry, file.families[entry.family]!),
);

/** The definition of a readable code; undefined for any other code. */
export function axisDefinition(code: string): AxisDefinition | undefined {
  return byCode.get(code);
}

const byCode: ReadonlyMap<string, AxisDefinition> = new Map(
  axisDefinitions.map((definition) => [definition.code, definition]),
);

function definitionOf(entry: AxisEntry, family: AxisFile['families'][string]): AxisDefinition {
  const stamped = stampedFields(entry);
  const { code, title, titleEn, portalId, path, keyFields, keeps, schedule, region } = entry;
  return {
    code,
    title,
    titleEn,
    portalId,
    path,
    keyFields,
    keeps,
    schedule,
    region,
    family: entry.family,
    service: path.slice(0, path.lastIndexOf('/')),
    type: entry.type ?? 'API',
    provider: family.provider,
    certain: entry.certain ?? true,
    keyParameter: family.keyParameter,
    parameters: { ...family.parameters, ...entry.parameters },
    json: family.json,
    paging: { ...family.paging, pageSize: entry.pageSize ?? family.paging.pageSize },
    rows: family.rows,
    successCodes: family.successCodes,
    emptyCodes: family.emptyCodes,
    missing: family.missing ?? [],
    escaped: family.escaped ?? false,
    fields: entry.fields.map((field) => fieldOf(field, stamped)),
    dailyQuota: entry.dailyQuota ?? family.dailyQuota,
    expectedRows: entry.expectedRows,
    enumeration: entry.enumeration,
    fallback: entry.fallback ?? null,
    notes: [...(entry.notes ?? []), ...family.notes],
  };
}

/** Names of the fields that requests fill, so that an answer may leave them out. */
function stampedFields(entry: AxisEntry): Set<string> {
  const loops = [...entry.enumeration, ...(entry.fallback ?? [])];
  const stamps = loops.map((loop) => ('stamp' in loop ? loop.stamp : undefined) ?? {});
  return new Set(stamps.flatMap((stamp) => Object.keys(stamp)));
}

function fieldOf(entry: FieldEntry, stamped: ReadonlySet<string>): AxisField {
  return {
    name: entry.name,
    label: entry.label,
    labelEn: entry.labelEn ?? null,
    labelSource: entry.labelSource ?? 'portal',
    type: entry.type ?? 'string',
    unit: entry.unit ?? null,
    role: entry.role ?? null,
    aliases: entry.aliases ?? [],
    optional: entry.optional ?? stamped.has(entry.name),
  };
}
