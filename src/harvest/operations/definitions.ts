import { readFileSync } from 'node:fs';
import type { AxisFile, AxisEntry, FieldEntry } from './axis-file.ts';
import type { AxisDefinition, AxisField } from './definition.ts';

/** Words for a missing value in every family: Java writes a null this way when it is put into a text. */
const nullWords = ['null'];

// A test checks the file against its schema, because a check here would double the start time of every command.
const file = JSON.parse(readFileSync(new URL('axes.json', import.meta.url), 'utf8')) as AxisFile;

/** The 69 operations of the portal that have a readable code. */
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
  const stampedNames = stampedFields(entry);
  const { pageSize = family.paging.pageSize, ...facts } = entry;
  return {
    type: 'API',
    certain: true,
    assumed: [],
    fallback: null,
    ...family,
    ...facts,
    missing: [...nullWords, ...(family.missing ?? [])],
    service: entry.path.slice(0, entry.path.lastIndexOf('/')),
    parameters: { ...family.parameters, ...entry.parameters },
    paging: { ...family.paging, pageSize },
    fields: entry.fields.map((field) => fieldOf(field, stampedNames)),
    notes: [...(entry.notes ?? []), ...family.notes],
  };
}

/** Names of the fields that requests fill, so that an answer may leave them out. */
function stampedFields(entry: AxisEntry): Set<string> {
  const loops = [...entry.enumeration, ...(entry.fallback ?? [])];
  const stamps = loops.map((loop) => ('stamp' in loop ? loop.stamp : undefined) ?? {});
  return new Set(stamps.flatMap((stamp) => Object.keys(stamp)));
}

function fieldOf(entry: FieldEntry, stampedNames: ReadonlySet<string>): AxisField {
  const defaults = { labelEn: null, labelSource: 'portal', type: 'string', unit: null } as const;
  return { ...defaults, role: null, aliases: [], optional: stampedNames.has(entry.name), ...entry };
}
