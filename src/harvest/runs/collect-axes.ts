import type { WrittenAxis } from '../../data/snapshot/axis-writer.ts';
import type { PortalClient } from '../client/portal-client.ts';
import { axisDefinition } from '../operations/definitions.ts';
import { collectionOrder, parentsOf } from '../operations/order.ts';
import type { AxisSource } from './axis-source.ts';
import { operationSource } from './operation-source.ts';
import type { CollectedSource } from './outcome.ts';
import { axisPublication } from './publish-axes.ts';
import { collectSources, type SessionOptions } from './session.ts';
import type { Source } from './source.ts';
import { StoredAxes } from './stored-axes.ts';

export interface CollectOptions extends Omit<SessionOptions, 'reparse'> {
  /** Null reads the responses of the last run again and fetches nothing. */
  readonly client: PortalClient | null;
  /** Sources of datasets, collected after the operations. */
  readonly datasets?: readonly AxisSource[];
}

export interface AxesReport {
  /** Null when nothing was published. */
  readonly snapshot: string | null;
  readonly axes: readonly CollectedSource[];
  readonly elapsedMs: number;
}

/** Collects axes by their codes, parents that are not stored yet, and datasets. */
export async function collectAxes(
  data: string,
  codes: readonly string[],
  { client, datasets = [], ...options }: CollectOptions,
): Promise<AxesReport> {
  const stored = new StoredAxes(data);
  const context = { data, stored, client };
  const sources = [...withParents(codes, stored), ...datasets].map((open) => {
    const source = open(context);
    return { ...source, servedOrigin: () => servedOrigin(source, options.builder) };
  });
  const session = { ...options, reparse: client === null };
  const publication = axisPublication(data, stored);
  const { sources: axes, ...report } = await collectSources(data, sources, publication, session);
  return { ...report, axes };
}

/** Treats axes that are staged in the same build, such as the calendar, as served. */
function servedOrigin(source: Source<WrittenAxis>, builder: CollectOptions['builder']) {
  const isStaged = builder?.stagedAxes.includes(source.code) === true;
  return source.servedOrigin() ?? (isStaged ? 'file' : null);
}

function withParents(codes: readonly string[], stored: StoredAxes): AxisSource[] {
  const needed = new Set(codes);
  for (const code of needed) {
    const axis = axisDefinition(code);
    if (axis === undefined) throw new Error(`There is no axis ${code} to collect: check its code.`);
    for (const parent of parentsOf(axis)) if (!stored.has(parent)) needed.add(parent);
  }
  return collectionOrder()
    .filter(({ code }) => needed.has(code))
    .map(operationSource);
}
