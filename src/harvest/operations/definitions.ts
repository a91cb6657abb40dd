import { readFileSync } from 'node:fs';
import { Value } from 'typebox/value';
import { axisFile, type AxisFile, type AxisLine, type FieldLine } from './axis-file.ts';
import type { AxisDefinition, AxisField } from './definition.ts';
import { recordSourcesOf, type Enumeration } from './enumeration.ts';

const faultsShownMax = 10;
const walkDepthMax = 4;

/** The 69 operations of the portal that have a readable code, from `axes.json`. */
export const axisDefinitions: readonly AxisDefinition[] = readDefinitions(
  JSON.parse(readFileSync(new URL('axes.json', import.meta.url), 'utf8')),
);

/** The definition of a readable code, or undefined. */
export function axisDefinition(code: string): AxisDefinition | undefined {
  return byCode.get(code);
}

/** Checks shape and meaning of a definition file; throws with every fault at once. */
export function readDefinitions(file: unknown): readonly AxisDefinition[] {
  if (!Value.Check(axisFile, file)) {
    const faults = Array.from(Value.Errors(axisFile, file)).slice(0, faultsShownMax);
    throw new Error(
      `The axis definitions do not match axis-file.ts: ${faults
        .map(({ instancePath, message }) => `${instancePath} ${message}`)
        .join('; ')}.`,
    );
  }
  const definitions = file.axes.map((line) => definitionOf(line, file.families));
  const faults = definitions.flatMap((definition) => faultsOf(definition, definitions));
  if (faults.length > 0) throw new Error(`The axis definitions disagree: ${faults.join('; ')}.`);
  return definitions;
}

const byCode: ReadonlyMap<string, AxisDefinition> = new Map(
  axisDefinitions.map((definition) => [definition.code, definition]),
);

function definitionOf(line: AxisLine, families: AxisFile['families']): AxisDefinition {
  const family = families[line.family];
  if (family === undefined) throw new Error(`Axis ${line.code} has an unknown family.`);
  const stamped = stampedFields(line);
  const { code, title, titleEn, portalId, path, keyFields, keeps, schedule, region } = line;
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
    family: line.family,
    service: path.slice(0, path.lastIndexOf('/')),
    type: line.type ?? 'API',
    provider: family.provider,
    certain: line.certain ?? true,
    keyParameter: family.keyParameter,
    parameters: { ...family.parameters, ...line.parameters },
    json: family.json,
    paging: { ...family.paging, pageSize: line.pageSize ?? family.paging.pageSize },
    rows: family.rows,
    successCodes: family.successCodes,
    emptyCodes: family.emptyCodes,
    missing: family.missing ?? [],
    escaped: family.escaped ?? false,
    fields: line.fields.map((field) => fieldOf(field, stamped)),
    dailyQuota: line.dailyQuota ?? family.dailyQuota,
    expectedRows: line.expectedRows,
    enumeration: line.enumeration,
    fallback: line.fallback ?? null,
    notes: [...(line.notes ?? []), ...family.notes],
  };
}

/** Fields that requests fill are never missing in an answer. */
function stampedFields(line: AxisLine): Set<string> {
  const loops = [...line.enumeration, ...(line.fallback ?? [])];
  const stamps = loops.map((loop) => ('stamp' in loop ? loop.stamp : undefined) ?? {});
  return new Set(stamps.flatMap((stamp) => Object.keys(stamp)));
}

function fieldOf(line: FieldLine, stamped: ReadonlySet<string>): AxisField {
  return {
    name: line.name,
    label: line.label,
    labelEn: line.labelEn ?? null,
    labelSource: line.labelSource ?? 'portal',
    type: line.type ?? 'string',
    unit: line.unit ?? null,
    role: line.role ?? null,
    aliases: line.aliases ?? [],
    optional: line.optional ?? stamped.has(line.name),
  };
}

/** Checks beyond the shape: every name that one part uses, another part defines. */
function faultsOf(axis: AxisDefinition, all: readonly AxisDefinition[]): string[] {
  const faults: string[] = [];
  const names = new Set(axis.fields.map(({ name }) => name));
  if (names.size < axis.fields.length) faults.push(`${axis.code} has a field twice`);
  for (const name of namesUsed(axis)) {
    if (!names.has(name)) faults.push(`${axis.code} has no field ${name}`);
  }
  for (const other of axesUsed(axis)) {
    const known = all.find(({ code }) => code === other.axis);
    const fields = known?.fields.map(({ name }) => name) ?? [];
    for (const name of other.fields) {
      if (!fields.includes(name)) faults.push(`${axis.code} needs ${other.axis}.${name}`);
    }
  }
  if (loopsOf(axis).some((loop) => loop.kind === 'walk' && loop.parameters.length > walkDepthMax)) {
    faults.push(`${axis.code} walks deeper than ${walkDepthMax} levels`);
  }
  if (endsEarly(axis.enumeration) || endsEarly(axis.fallback ?? [])) {
    faults.push(`${axis.code} has a loop inside one that must be the last`);
  }
  if (all.filter(({ code }) => code === axis.code).length > 1) faults.push(`${axis.code} is twice`);
  return faults;
}

/** A loop that follows from the answers of its own requests is the last. */
function endsEarly(enumeration: Enumeration): boolean {
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
