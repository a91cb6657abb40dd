import { axisDefinitions } from './definitions.ts';
import type { AxisDefinition } from './definition.ts';
import { recordSourcesOf } from './enumeration.ts';

/** Axes that have to be collected first: those whose records become parameters or give the region. */
export function parentsOf(axis: AxisDefinition): string[] {
  const loops = [...axis.enumeration, ...(axis.fallback ?? [])];
  const enumerated = loops.flatMap((loop) => recordSourcesOf(loop).map(({ axis: code }) => code));
  const joined = axis.region.join === undefined ? [] : [axis.region.join.axis];
  return [...new Set([...enumerated, ...joined])];
}

/** The axes with every parent before its children, otherwise in the given order. */
export function collectionOrder(
  axes: readonly AxisDefinition[] = axisDefinitions,
): readonly AxisDefinition[] {
  const byCode = new Map(axes.map((axis) => [axis.code, axis]));
  const ordered = new Set<AxisDefinition>();
  const place = (axis: AxisDefinition, above: readonly string[]): void => {
    if (ordered.has(axis)) return;
    if (above.includes(axis.code)) {
      throw new Error(`Axes wait for each other: ${[...above, axis.code].join(' → ')}.`);
    }
    for (const code of parentsOf(axis)) {
      const parent = byCode.get(code);
      if (parent !== undefined) place(parent, [...above, axis.code]);
    }
    ordered.add(axis);
  };
  for (const axis of axes) place(axis, []);
  return [...ordered];
}
