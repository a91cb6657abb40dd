import { readFileSync } from 'node:fs';
import { Value } from 'typebox/value';
import { axisFile, type AxisFile, type AxisEntry, type FieldEntry } from './axis-file.ts';
import type { AxisDefinition, AxisField } from './definition.ts';
import { recordSourcesOf, type Enumeration } from './enumeration.ts';

const faultsShownMax = 10;
const walkDepthMax = 4;

/** The 69 operations of the portal that have a readable code, from `axes.json`. */
export const axisDefinitions: readonly AxisDefinition[] = readDefinitions(
  JSON.parse(readFileSync(new URL('axes.json', import.meta.url), 'utf8')),
);

/** The definition of a readable code; undefined for any other code. */
export function axisDefinition(code: string): AxisDefinition | undefined {
  return byCode.get(code);
}

/** Reads a definition file and checks its shape and its references. Throws one error with all faults. */
export function readDefinitions(file: unknown): readonly AxisDefinition[] {
  if (!Value.Check(axisFile, file)) {
    const faults = Array.from(Value.Errors(axisFile, file)).slice(0, faultsShownMax);
    throw new Error(
      `The axis definitions do not match axis-file.ts: ${faults
        .map(({ instancePath, message }) => `${instancePath} ${message}`)
        .join('; ')}.`,
    );
  }
  const definitions = file.axes.map((entry) => definitionOf(entry, file.families));
  const faults = definitions.flatMap((definition) => faultsOf(definition, definitions));
  if (faults.length > 0) throw new Error(`The axis definitions disagree: ${faults.join('; ')}.`);
  return definitions;
}

const byCode: ReadonlyMap<string, AxisDefinition> = new Map(
  axisDefinitions.map((definition) => [definition.code, definition]),
);

function definitionOf(entry: AxisEntry, families: AxisFile['families']): AxisDefinition {
  const family = families[entry.family];
  if (family === undefined) throw new Error(`Axis ${entry.code} has an unknown family.`);
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

/** Checks that every name which a definition uses is defined, and that its loops can run. */
function faultsOf(axis: AxisDefinition, all: readonly AxisDefinition[]): string[] {
  const faults: string[] = [];
  const names = new Set(axis.fields.map(({ name }) => name));
  if (names.size < axis.fields.length) faults.push(`${axis.code} defines a field twice`);
  for (const name of namesUsed(axis)) {
    if (!names.has(name)) faults.push(`${axis.code} has no field ${name}`);
  }
  for (const other of axesUsed(axis)) {
    const definition = all.find(({ code }) => code === other.axis);
    const fields = definition?.fields.map(({ name }) => name) ?? [];
    for (const name of other.fields) {
      if (!fields.includes(name)) faults.push(`${axis.code} needs ${other.axis}.${name}`);
    }
  }
  if (loopsOf(axis).some((loop) => loop.kind === 'walk' && loop.parameters.length > walkDepthMax)) {
    faults.push(`${axis.code} walks deeper than ${walkDepthMax} levels`);
  }
  if (hasLoopInsideInnermost(axis.enumeration) || hasLoopInsideInnermost(axis.fallback ?? [])) {
    faults.push(`${axis.code} has a loop inside one that must be the innermost`);
  }
  if (all.filter(({ code }) => code === axis.code).length > 1)
    faults.push(`${axis.code} is defined twice`);
  return faults;
}

/** True if a loop that depends on the answers to its own requests is not the innermost. */
function hasLoopInsideInnermost(enumeration: Enumeration): boolean {
  return enumeration.slice(0, -1).some(({ kind }) => kind === 'newest-year' || kind === 'walk');
}

function namesUsed(axis: AxisDefinition): string[] {
  const { sido, sigungu, dong, codes, addresses, lat, lon, join } = axis.region;
  const region = [
    sido,
    sigungu,
    dong,
    ...(codes ?? []),
    ...(addresses ?? []),
    lat,
    lon,
    join?.field,
  ];
  const stamps = loopsOf(axis).flatMap((loop) =>
    'stamp' in loop && loop.stamp !== undefined ? Object.keys(loop.stamp) : [],
  );
  return [...axis.keyFields, ...region.filter((name) => name !== undefined), ...stamps];
}

function axesUsed(axis: AxisDefinition): { axis: string; fields: string[] }[] {
  const joined = axis.region.join;
  const records = loopsOf(axis)
    .flatMap(recordSourcesOf)
    .map((other) => ({ axis: other.axis, fields: Object.values(other.take) }));
  return joined === undefined
    ? records
    : [{ axis: joined.axis, fields: [joined.field] }, ...records];
}

function loopsOf(axis: AxisDefinition): Enumeration {
  return [...axis.enumeration, ...(axis.fallback ?? [])];
}
