import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Origin } from '../../data/axis.ts';
import type { Collectors } from '../../data/snapshot/layout.ts';
import { knownFindings } from './findings.ts';
import { collectPaths } from './job-store.ts';
import { runLimits } from './limits.ts';
import { hasResponses, ResponseStore } from './response-store.ts';
import type { Runs, RunState } from './runs.ts';

/** Folder with the responses of a run. */
export function runFolder(data: string, code: string, run: number): string {
  return join(collectPaths(data).raw, code, String(run));
}

/** Deletes the runs of an axis past `runsKept`, but for the last that was published, with their responses. */
export function forgetOldRuns(data: string, runs: Runs, code: string, origin: Origin): void {
  const done = runs.lastDone(code, origin)?.id;
  for (const id of runs.ids(code).slice(runLimits.runsKept)) {
    if (id === done) continue;
    rmSync(runFolder(data, code, id), { recursive: true, force: true });
    runs.forget(id);
  }
}

/**
 * Recognises the requests without a record in the last published run: an empty response to one is believed at
 * once.
 */
export function emptyBefore(
  data: string,
  runs: Runs,
  code: string,
  origin: Origin,
): (key: string) => boolean {
  const previous = runs.lastDone(code, origin);
  if (previous === null) return () => false;
  const folder = runFolder(data, code, previous.id);
  if (!hasResponses(folder)) return () => false;
  using store = new ResponseStore(folder, runs.now, true);
  const empty = store.emptyKeys();
  return (key) => empty.has(key);
}

/** Records that the previous run found lost; 0 where it found none. */
export function lostBefore(database: DatabaseSync, code: string): number {
  return (
    knownFindings(database, code).find(
      ({ kind }) => kind === 'rows_lost' || kind === 'rows_lost_twice',
    )?.count ?? 0
  );
}

/** The states of all collections; those in `published` are done once this is in the snapshot. */
export function collectorsOf(runs: Runs, published: Iterable<string>, now: number): Collectors {
  const states = new Map<string, RunState>(runs.latest().map(({ axis, state }) => [axis, state]));
  for (const code of published) states.set(code, 'done');
  const among = (...wanted: RunState[]): number =>
    [...states.values()].filter((state) => wanted.includes(state)).length;
  return {
    lastRun: new Date(now).toISOString(),
    succeeded: among('done'),
    failed: among('failed', 'interrupted'),
    waitingForQuota: among('parked'),
  };
}
