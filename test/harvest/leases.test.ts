import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axisDefinition } from '../../src/harvest/operations/definitions.ts';
import { dayMs, hourMs, koreanDay } from '../../src/data/korean-time.ts';
import { isDue } from '../../src/harvest/runs/due.ts';
import { openJobs } from '../../src/harvest/runs/job-store.ts';
import { runLimits } from '../../src/harvest/runs/limits.ts';
import { createStoredQuota } from '../../src/harvest/runs/quota-store.ts';
import { SourceBusy, Runs } from '../../src/harvest/runs/runs.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { noon, testClock } from './collecting.ts';

const plan = { resumableMs: dayMs, planned: 2, since: null };

test('one process collects a source at a time; a run without a heartbeat is taken over', () => {
  using folder = temporaryFolder();
  using database = disposable(openJobs(folder.path));
  const clock = testClock();
  const runs = new Runs(database, () => clock.now());
  const run = runs.begin('nec_code', 'portal', plan);
  assert.throws(() => runs.begin('nec_code', 'portal', plan), SourceBusy);
  // For another machine, only an expired heartbeat shows that its process has ended.
  database.prepare("UPDATE runs SET owner = 'elsewhere/1/x'").run();
  assert.throws(() => runs.begin('nec_code', 'portal', plan), SourceBusy);
  clock.pass(runLimits.leaseMs);
  assert.equal(runs.latest()[0]?.state, 'interrupted');
  assert.equal(runs.begin('nec_code', 'portal', plan).id, run.id);
  runs.end(run.id, { state: 'failed', resumable: true });
  clock.pass(2 * dayMs);
  assert.notEqual(runs.begin('nec_code', 'portal', plan).id, run.id);
});

test('an axis is due when its cycle is over, and a failed run rests for an hour', () => {
  using folder = temporaryFolder();
  using database = disposable(openJobs(folder.path));
  const clock = testClock();
  const runs = new Runs(database, () => clock.now());
  const axis = axisDefinition('nec_code')!;
  const due = (): boolean => isDue(axis, runs, 'portal', clock.now());
  assert.equal(due(), true);
  const run = runs.begin(axis.code, 'portal', plan);
  assert.equal(due(), false);
  runs.end(run.id, { state: 'done', resumable: false });
  assert.equal(due(), false);
  clock.pass(dayMs);
  assert.equal(due(), true);
  const failed = runs.begin(axis.code, 'portal', plan);
  runs.end(failed.id, { state: 'failed', resumable: true });
  assert.equal(due(), false);
  clock.pass(hourMs);
  assert.equal(due(), true);
});

test('an early start is due, a rejected run rests for a cycle, a wrong clock stops nothing', () => {
  using folder = temporaryFolder();
  using database = disposable(openJobs(folder.path));
  const clock = testClock();
  const runs = new Runs(database, () => clock.now());
  const axis = { code: 'nec_code', schedule: 'PT1H' };
  const due = (schedule = 'PT1H') => isDue({ ...axis, schedule }, runs, 'portal', clock.now());
  runs.end(runs.begin(axis.code, 'portal', plan).id, { state: 'done', resumable: false });
  clock.pass(54 * 60_000);
  assert.equal(due(), false);
  clock.pass(5 * 60_000 + 59_000);
  assert.equal(due(), true);
  runs.end(runs.begin(axis.code, 'portal', plan).id, { state: 'failed', resumable: false });
  clock.pass(2 * hourMs);
  assert.equal(due('P7D'), false);
  assert.equal(due(), true);
  clock.pass(22 * hourMs);
  assert.equal(due('PT12H'), true);
  // One run was parked under a clock of 2099, and one was begun under it.
  const later = testClock(Date.parse('2099-01-01T00:00:00Z'));
  const wrong = new Runs(database, () => later.now());
  const run = wrong.begin(axis.code, 'portal', plan);
  const parkedUntil = later.now() + hourMs;
  wrong.end(run.id, { state: 'parked', resumable: true, parkedUntil });
  assert.equal(due(), true);
  assert.notEqual(runs.begin(axis.code, 'portal', plan).id, run.id);
});

test('calls are counted in the job store over restarts, up to the limit and by the day', async () => {
  using folder = temporaryFolder();
  const day = koreanDay(noon);
  {
    using database = disposable(openJobs(folder.path));
    const quota = createStoredQuota(database);
    assert.equal(await quota.take('a/b', day, 2), true);
  }
  using database = disposable(openJobs(folder.path));
  const quota = createStoredQuota(database);
  assert.equal(await quota.used('a/b', day), 1);
  assert.equal(await quota.take('a/b', day, 2), true);
  assert.equal(await quota.take('a/b', day, 2), false);
  await quota.exhaust('c/d', day);
  assert.equal(await quota.used('c/d', day), Number.POSITIVE_INFINITY);
  assert.equal(await quota.take('c/d', day, 10), false);
  assert.equal(await quota.take('c/d', koreanDay(noon + dayMs), 10), true);
});

function disposable(database: ReturnType<typeof openJobs>) {
  return Object.assign(database, { [Symbol.dispose]: () => database.close() });
}
