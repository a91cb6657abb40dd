import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Origin } from '../../data/axis.ts';
import type { Collectors } from '../../data/snapshot/layout.ts';
import { storedFindings } from './findings.ts';
import { collectPaths } from './job-store.ts';
import { runLimits } from './limits.ts';
import { hasResponses, ResponseStore } from './response-store.ts';
import type { Run, Runs, RunState } from './runs.ts';

/** Folder with the responses of a run. */
export function runFolder(data: string, code: string, run: number): string {
  return join(collectPaths(data).raw, code, String(run));
}

/** Deletes the runs of an axis beyond `runsKept` with their responses; the last published run stays. */
export function deleteOldRuns(data: string, runs: Runs, code: string, origin: Origin): void {
  const done = runs.lastDone(code, origin)?.id;
  for (const id of runs.ids(code).slice(runLimits.runsKept)) {
    if (id === done) continue;
    rmSync(runFolder(data, code, id), { recursive: true, force: true });
    runs.delete(id);
  }
}

/**
 * Returns a test for keys of requests: true if the last published run had records, false if it had none, null if it
 * did not send the request. A response that was empty in that run, too, needs no second copy.
 */
export function createRecordsTest(
  data: string,
  runs: Runs,
  code: string,
  origin: Origin,
): (key: string) => boolean | null {
  const previous = runs.lastDone(code, origin);
  if (previous === null) return () => null;
  const folder = runFolder(data, code, previous.id);
  if (!hasResponses(folder)) return () => null;
  using store = new ResponseStore(folder, runs.now, { mustExist: true });
  const hasRecords = store.hasRecordsByKey();
  return (key) => hasRecords.get(key) ?? null;
}

/** Number of records lost in the run before this one; 0 if none were, or if its data was published. */
export function previousLoss(database: DatabaseSync, runs: Runs, { axis, id }: Run): number {
  const previousId = runs.ids(axis).find((each) => each < id);
  // A loss whose data was published is accepted already.
  if (previousId === undefined || runs.get(previousId).state === 'done') return 0;
  return (
    storedFindings(database, axis).find(
      ({ kind }) => kind === 'rows_lost' || kind === 'rows_lost_twice',
    )?.count ?? 0
  );
}

/** Counts the sources by the state of their last run. Those in `published` count as done: they soon are. */
export function countCollectors(runs: Runs, published: Iterable<string>, now: number): Collectors {
  const states = new Map<string, RunState>(runs.latest().map(({ axis, state }) => [axis, state]));
  for (const code of published) states.set(code, 'done');
  const countOf = (...included: RunState[]): number =>
    [...states.values()].filter((state) => included.includes(state)).length;
  return {
    lastRun: new Date(now).toISOString(),
    succeeded: countOf('done'),
    failed: countOf('failed', 'interrupted'),
    waitingForQuota: countOf('parked'),
  };
}
