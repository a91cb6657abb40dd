import type { Origin } from '../../data/axis.ts';
import { dayMs } from '../../data/korean-time.ts';
import { durationMs, isDue } from '../runs/due.ts';
import type { StoredAxes } from '../runs/stored-axes.ts';
import type { Runs } from '../runs/runs.ts';

/** Codes of the datasets that were collected before; loaded files are not among them. */
export function collectedDatasets(runs: Runs): string[] {
  return runs.latest().flatMap(({ axis }) => (axis.startsWith('file_') ? [axis] : []));
}

/** True if a dataset must be collected now, by the cycle of its provider. */
export function isDatasetDue(
  code: string,
  stored: StoredAxes,
  runs: Runs,
  origin: Origin,
  now: number,
): boolean {
  // The sample portal and the real one have different datasets.
  const last = runs.latest().find(({ axis }) => axis === code);
  if (last !== undefined && last.origin !== origin) return false;
  const schedule = scheduleOf(stored.served(code)?.axis.updateCycle ?? null);
  return isDue({ code, schedule, restMs: dayMs }, runs, origin, now);
}

/** Interval between collections: the provider's cycle, but at least a day; a month if the provider gives none. */
export function scheduleOf(updateCycle: string | null): string {
  if (updateCycle === null) return 'P1M';
  return durationMs(updateCycle) < dayMs ? 'P1D' : updateCycle;
}
