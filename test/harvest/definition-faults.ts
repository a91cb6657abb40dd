import { Value } from 'typebox/value';
import { axisFile } from '../../src/harvest/operations/axis-file.ts';
import type { AxisDefinition } from '../../src/harvest/operations/definition.ts';
import {
  recordSourcesOf,
  type Enumeration,
  type Loop,
} from '../../src/harvest/operations/enumeration.ts';

const walkDepthMax = 4;

/** Places where a definition file does not match its schema. */
export function schemaFaults(file: unknown): string[] {
  return Array.from(
    Value.Errors(axisFile, file),
    ({ instancePath, message }) => `${instancePath} ${message}`,
  );
}

/** Names that definitions use without defining them, and loops that cannot run. */
export function referenceFaults(definitions: readonly AxisDefinition[]): string[] {
  return definitions.flatMap((definition) => faultsOf(definition, definitions));
}

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
  if (hasMisplacedLoop(axis.enumeration) || hasMisplacedLoop(axis.fallback ?? [])) {
    faults.push(`${axis.code} has a loop inside one that must be the innermost`);
  }
  if (all.filter(({ code }) => code === axis.code).length > 1)
    faults.push(`${axis.code} is defined twice`);
  return faults;
}

/** True if a loop that ends by answers to its own requests is not the innermost, as it must be. */
function hasMisplacedLoop(enumeration: Enumeration): boolean {
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
  const stampedFields = loopsOf(axis).flatMap((loop) =>
    'stamp' in loop && loop.stamp !== undefined ? Object.keys(loop.stamp) : [],
  );
  return [...axis.keyFields, ...region.filter((name) => name !== undefined), ...stampedFields];
}

function axesUsed(axis: AxisDefinition): { axis: string; fields: string[] }[] {
  const joined = axis.region.join;
  const recordSources = loopsOf(axis)
    .flatMap(recordSourcesOf)
    .map((other) => ({ axis: other.axis, fields: Object.values(other.take) }));
  return joined === undefined
    ? recordSources
    : [{ axis: joined.axis, fields: [joined.field] }, ...recordSources];
}

function loopsOf(axis: AxisDefinition): readonly Loop[] {
  return [...axis.enumeration, ...(axis.fallback ?? [])];
}
