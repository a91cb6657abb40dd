import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Collectors } from '../../data/snapshot/layout.ts';
import { knownFindings } from './findings.ts';
import { collectPaths } from './job-store.ts';
import { runLimits } from './limits.ts';
import type { Runs, RunState } from './runs.ts';

/** Where the raw answers of a run lie. */
export function rawFolder(data: string, code: string, run: number): string {
  return join(collectPaths(data).raw, code, String(run));
}

/** Forgets the runs of an axis past `runsKept`, with their raw answers. */
export function forgetOldRuns(data: string, runs: Runs, code: string): void {
  for (const id of runs.ids(code).slice(runLimits.runsKept)) {
    rmSync(rawFolder(data, code, id), { recursive: true, force: true });
    runs.forget(id);
  }
}

/** Whether the run before got nothing under a request, twice: then a zero is believed at once. */
export function emptyBefore(
  database: DatabaseSync,
  runs: Runs,
  code: string,
  current: number,
): (key: string) => boolean {
  const before = runs.ids(code).find((id) => id < current);
  if (before === undefined) return () => false;
  const find = database.prepare(
    `SELECT count(*) AS looks FROM answers WHERE run = ? AND key IN (?, ?)
       AND json_extract(facts, '$.rows') = 0`,
  );
  return (key) => Number(find.get(before, `${key}#0`, `${key}#1`)?.['looks']) === 2;
}

/** Whether the run before found that records were lost. */
export function lostBefore(database: DatabaseSync, code: string): boolean {
  return knownFindings(database, code).some(
    ({ kind }) => kind === 'rows_lost' || kind === 'rows_lost_twice',
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
