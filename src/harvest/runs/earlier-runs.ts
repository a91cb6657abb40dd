import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Origin } from '../../data/axis.ts';
import type { Collectors } from '../../data/snapshot/layout.ts';
import { knownFindings } from './findings.ts';
import { collectPaths } from './job-store.ts';
import { runLimits } from './limits.ts';
import { hasResponses, ResponseStore } from './response-store.ts';
import type { Run, Runs, RunState } from './runs.ts';

/** Where the raw answers of a run lie. */
export function rawFolder(data: string, code: string, run: number): string {
  return join(collectPaths(data).raw, code, String(run));
}

/** Opens the responses of a run. Throws where `isStored` requires them and there are none. */
export function openResponses(
  data: string,
  { axis, id }: Pick<Run, 'axis' | 'id'>,
  { now }: Runs,
  isStored: boolean,
): ResponseStore {
  return new ResponseStore(rawFolder(data, axis, id), now, isStored);
}

/** Deletes the runs of an axis past `runsKept`, but for the last that was published, with their responses. */
export function forgetOldRuns(data: string, runs: Runs, code: string, origin: Origin): void {
  const done = runs.lastDone(code, origin)?.id;
  for (const id of runs.ids(code).slice(runLimits.runsKept)) {
    if (id === done) continue;
    rmSync(rawFolder(data, code, id), { recursive: true, force: true });
    runs.forget(id);
  }
}

/**
 * Tells the requests without a record in the last published run: an empty response to one of them is believed at
 * once.
 */
export function emptyBefore(
  data: string,
  runs: Runs,
  code: string,
  origin: Origin,
): (key: string) => boolean {
  const previous = runs.lastDone(code, origin);
  if (previous === null || !hasResponses(rawFolder(data, code, previous.id))) return () => false;
  using store = openResponses(data, previous, runs, true);
  const empty = store.emptyKeys();
  return (key) => empty.has(key);
}

/** How many records the run before found lost; 0 where it found none. */
export function lostBefore(database: DatabaseSync, code: string): number {
  return (
    knownFindings(database, code).find(
      ({ kind }) => kind === 'rows_lost' || kind === 'rows_lost_twice',
    )?.count ?? 0
  );
}

/** What all axes came to; `published` are done as soon as this is in the snapshot. */
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
