import { datasetSource, type DatasetOptions } from '../../src/harvest/datasets/dataset-source.ts';
import { createPortalSite } from '../../src/harvest/datasets/portal-site.ts';
import type { Clock } from '../../src/harvest/client/clock.ts';
import type { AxisSource } from '../../src/harvest/runs/axis-source.ts';
import type { AxesReport } from '../../src/harvest/runs/collect-axes.ts';
import { noMatches } from '../../src/ingest/load/title-match.ts';
import { collectFrom, testClock, type CollectFrom } from './collecting.ts';

/** A catalog without entries. */
const noCatalog = { byNumber: () => null, byTitle: () => noMatches };

export interface CollectDatasets extends CollectFrom {
  readonly datasetOptions?: Partial<DatasetOptions>;
}

/** Collects datasets over loopback with a clock that never really waits. */
export function collectDatasets(
  data: string,
  numbers: readonly string[],
  { datasetOptions, ...options }: CollectDatasets,
): Promise<AxesReport> {
  const clock = options.clock ?? testClock();
  const datasets = datasetsFrom(options.gateway, numbers, { clock, ...datasetOptions });
  return collectFrom(data, [], { ...options, clock, datasets });
}

/** Sources of the sample portal's datasets. */
export function datasetsFrom(
  gateway: string,
  numbers: readonly string[],
  { clock, ...datasetOptions }: Partial<DatasetOptions> & { readonly clock: Clock },
): AxisSource[] {
  const limits = { callsPerSecond: 100_000 };
  const all: DatasetOptions = {
    catalog: noCatalog,
    site: createPortalSite({ gateway, clock, random: () => 0.5, limits }),
    history: false,
    choice: null,
    upstream: null,
    hasKey: false,
    ...datasetOptions,
  };
  return numbers.map((number) => datasetSource(number, all));
}
