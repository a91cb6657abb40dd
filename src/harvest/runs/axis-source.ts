import { rmSync } from 'node:fs';
import type { StoredAxis } from '../../data/axis.ts';
import type { WrittenAxis } from '../../data/snapshot/axis-writer.ts';
import type { PortalClient } from '../client/portal-client.ts';
import type { GateFinding } from './gates.ts';
import type { Collection, Source } from './source.ts';
import { builtFolder, type StoredAxes } from './stored-axes.ts';

/** Function that returns an operation of the portal, or a dataset by its number, as a source. */
export type AxisSource = (context: AxisContext) => Source<BuiltAxis>;

/** A built axis, with the other tables of the same dataset. */
export interface BuiltAxis extends WrittenAxis {
  readonly otherTables?: readonly WrittenAxis[];
  /** True if the axis equals the served one, so that only the other tables are published. */
  readonly isServed?: boolean;
}

/** Services that the sources of a session share. */
export interface AxisContext {
  readonly data: string;
  readonly stored: StoredAxes;
  /** Null reads stored responses and fetches nothing. */
  readonly client: PortalClient | null;
}

/**
 * The collection of an axis that was built in its folder; without data if the axis equals the served one.
 * `predecessor` is the served axis of the same origin; null for none.
 */
export function builtCollection(
  { data, stored }: AxisContext,
  written: WrittenAxis,
  predecessor: StoredAxis | null,
  findings: readonly GateFinding[],
): Collection<WrittenAxis> {
  const { code } = written.stored.axis;
  function discard(): void {
    stored.unmarkBuilt(code);
    rmSync(builtFolder(data, code), { recursive: true, force: true });
  }
  const isServed = stored.isServed(written);
  if (isServed) discard();
  else stored.markBuilt(code);
  const { rows } = written.stored;
  const hasPrevious = predecessor !== null;
  return { data: isServed ? null : written, rows, findings, hasPrevious, discard };
}
