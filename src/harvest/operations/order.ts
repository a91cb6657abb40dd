import { axisDefinitions } from './definitions.ts';
import type { AxisDefinition } from './definition.ts';
import { recordSourcesOf } from './enumeration.ts';

/** Codes of the axes to collect before an axis: their records give its parameters or its regions. */
export function parentsOf(axis: AxisDefinition): string[] {
  const loops = [...axis.enumeration, ...(axis.fallback ?? [])];
  const enumerated = loops.flatMap((loop) => recordSourcesOf(loop).map(({ axis: code }) => code));
  const joined = axis.region.join === undefined ? [] : [axis.region.join.axis];
  return [...new Set([...enumerated, ...joined])];
}

/** Sorts axes so that every parent precedes its children; otherwise their order stays. */
export function collectionOrder(
  axes: readonly AxisDefinition[] = axisDefinitions,
): readonly AxisDefinition[] {
  const byCode = new Map(axes.map((axis) => [axis.code, axis]));
  const ordered = new Set<AxisDefinition>();
  const addWithParents = (axis: AxisDefinition, children: readonly string[]): void => {
    if (ordered.has(axis)) return;
    if (children.includes(axis.code)) {
      throw new Error(`Axes depend on each other: ${[...children, axis.code].join(' → ')}.`);
    }
    for (const code of parentsOf(axis)) {
      const parent = byCode.get(code);
      if (parent !== undefined) addWithParents(parent, [...children, axis.code]);
    }
    ordered.add(axis);
  };
  for (const axis of axes) addWithParents(axis, []);
  return [...ordered];
}
