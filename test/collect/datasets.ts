import { datasetOf, type DatasetWays } from '../../src/collect/download/dataset.ts';
import { createPortalSite } from '../../src/collect/download/portal-site.ts';
import type { CollectReport } from '../../src/collect/run/outcome.ts';
import { fileDatasets, type FileDataset } from '../../sample/files/datasets.ts';
import { collectFrom, testClock, type CollectFrom } from './collecting.ts';

/** The sample portal’s FILE datasets, and those of them that it gives out. */
export const sampleFiles: readonly FileDataset[] = fileDatasets(20_261_121);
export const givenNumbers = sampleFiles
  .filter(({ from }) => from === 'portal')
  .map(({ number }) => number);

/** A catalog that lists nothing. */
export const noCatalog = { byNumber: () => null, byTitle: () => null };

export interface CollectDatasets extends CollectFrom {
  readonly ways?: Partial<DatasetWays>;
}

/** Collects datasets over loopback without ever waiting by the machine's clock. */
export function collectDatasets(
  data: string,
  numbers: readonly string[],
  { ways, ...options }: CollectDatasets,
): Promise<CollectReport> {
  const clock = options.clock ?? testClock();
  const site = createPortalSite({
    gateway: options.gateway,
    clock,
    random: () => 0.5,
    limits: { callsPerSecond: 100_000, answerTimeoutMs: 250 },
  });
  const all: DatasetWays = {
    catalog: noCatalog,
    site,
    now: () => clock.now(),
    history: false,
    choice: null,
    door: null,
    hasKey: false,
    ...ways,
  };
  const datasets = numbers.map((number) => datasetOf(number, all));
  return collectFrom(data, [], { ...options, clock, datasets });
}
