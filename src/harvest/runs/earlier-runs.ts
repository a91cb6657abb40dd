import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Origin } from '../../data/axis.ts';
import type { Collectors } from '../../data/snapshot/layout.ts';
import { knownFindings } from './findings.ts';
import { collectPaths } from './job-store.ts';
import { runLimits } from './limits.ts';
import type { Runs, RunState } from './runs.ts';

/** Where the raw answers of a run lie. */
export function rawFolder(data: string, code: string, run: number): string {
  return join(collectPaths(data).raw, code, String(run));
}

/** Forgets the runs of an axis past `runsKept`, with their raw answers; the last that was published stays known. */
export function forgetOldRuns(data: string, runs: Runs, code: string, origin: Origin): void {
  const done = runs.lastDone(code, origin)?.id;
  for (const id of runs.ids(code).slice(runLimits.runsKept)) {
    rmSync(rawFolder(data, code, id), { recursive: true, force: true });
    if (id !== done) runs.forget(id);
  }
}

/** Whether the last run that was published believed that there is nothing under a request: then a zero is believed at once. */
export function emptyBefore(
  database: DatabaseSync,
  runs: Runs,
  code: string,
  origin: Origin,
): (key: string) => boolean {
  const before = runs.lastDone(code, origin)?.id;
  if (before === undefined) return () => false;
  const find = database.prepare(
    `SELECT max(coalesce(json_extract(facts, '$.rows'), 1)) AS most FROM answers
     WHERE run = ? AND key >= ? AND key < ?`,
  );
  // Looks are counted in one digit.
  return (key) => find.get(before, `${key}#0`, `${key}#:`)?.['most'] === 0;
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
