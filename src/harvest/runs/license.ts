import type { License } from '../../data/axis.ts';
import { entriesWithNumber } from '../../data/snapshot/entries-with-number.ts';
import { OpenedSnapshot } from '../../data/snapshot/opened.ts';
import type { AxisDefinition } from '../operations/definition.ts';

/** The license of an operation in the served catalog; null if it has none. */
export function licenseOfAxis(
  data: string,
  { type, portalId }: Pick<AxisDefinition, 'type' | 'portalId'>,
): License | null {
  using opened = OpenedSnapshot.current(data);
  if (opened === null || opened.catalog === null) return null;
  const entries = entriesWithNumber(opened.catalog.part, portalId);
  return entries.find((entry) => entry.type === type)?.license ?? null;
}
