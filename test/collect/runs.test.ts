import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { test } from 'node:test';
import type { HeldAxis } from '../../src/data/axis.ts';
import { createMemoryQuota } from '../../src/collect/portal/quota.ts';
import { dayMs, hourMs, koreanDay } from '../../src/collect/portal/korean-time.ts';
import { openJobs } from '../../src/collect/run/job-store.ts';
import { createStoredQuota } from '../../src/collect/run/quota-store.ts';
import { AxisBusy, Runs } from '../../src/collect/run/runs.ts';
import { runLimits } from '../../src/collect/run/limits.ts';
import { rawFolder } from '../../src/collect/run/earlier-runs.ts';
import { inspect, type Came } from '../../src/collect/run/gates.ts';
import { isDue } from '../../src/collect/run/due.ts';
import { axisDefinition } from '../../src/collect/axes/definitions.ts';
import { OpenedSnapshot } from '../../src/data/snapshot/opened.ts';
import { currentId, readManifest, snapshotIds } from '../../src/data/snapshot/shelf.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { collectFrom, hashesOf, noon, portalAtNoon, testClock } from './collecting.ts';

const stops = 'tago_busstops';
const plan = { resumableMs: dayMs, planned: 2, since: null };

test('a spent quota parks the run until midnight in Korea, and it goes on where it was', async () => {
  using plain = temporaryFolder();
  using parked = temporaryFolder();
  await using portal = await portalAtNoon();
  await collectFrom(plain.path, [stops], { gateway: portal.url });
  const clock = testClock();
  let now = noon;
  await using strict = await portalAtNoon({ clock: () => now, keys: { perDay: 60 } });
  const options = { gateway: strict.url, clock, quota: createMemoryQuota() };
  let days = 0;
  for (let done = false; !done; days++) {
    assert.ok(days < 6, 'It never came to an end.');
    const report = await collectFrom(parked.path, [stops], options);
    const [axis] = report.axes;
    done = axis?.outcome === 'published';
    if (done) break;
    assert.equal(axis?.outcome, 'parked');
    assert.equal(
      axis.parkedUntil,
      new Date(Date.parse('2026-11-21T15:00:00Z') + days * dayMs).toISOString(),
    );
    assert.match(axis.message ?? '', /midnight in Korea/);
    assert.equal(report.snapshot, null);
    clock.pass(dayMs);
    now += dayMs;
  }
  assert.ok(days > 0);
  // What the first calls of each day were refused with is all that comes on top.
  const answered = strict.requests.filter(({ status }) => status === 200);
  assert.equal(answered.length, portal.requests.length);
  assert.deepEqual(hashesOf(parked.path, [stops]), hashesOf(plain.path, [stops]));
});

test('an expired key keeps the last good data, says so, and asks for a person', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon();
  await collectFrom(folder.path, ['std_library'], { gateway: portal.url });
  const good = hashesOf(folder.path, ['std_library']);
  portal.setFaults([{ fault: 'expired_key' }]);
  const clock = testClock(noon + 8 * dayMs);
  const report = await collectFrom(folder.path, ['std_library'], { gateway: portal.url, clock });
  const [axis] = report.axes;
  assert.equal(axis?.outcome, 'failed');
  assert.match(axis.message ?? '', /extend it on https:\/\/www\.data\.go\.kr/);
  assert.deepEqual(
    axis.findings.map(({ kind }) => kind),
    ['not_collected'],
  );
  assert.deepEqual(hashesOf(folder.path, ['std_library']), good);
  const { manifest, quality } = servedQuality(folder.path, 'std_library');
  assert.deepEqual(
    quality.map(({ kind }) => kind),
    ['not_collected'],
  );
  assert.equal(manifest.collectors?.failed, 1);
});

test('each lasting fault ends as its rule says', async (t) => {
  const cases = [
    ['records_none', 'kept', 'no_records'],
    ['records_lost', 'kept', 'rows_lost'],
    ['coordinates_abroad', 'kept', 'coordinates_abroad'],
    ['coordinates_swapped', 'kept', 'coordinates_abroad'],
    ['region_unknown', 'kept', 'regions_unknown'],
    ['field_renamed', 'kept', 'fields_missing'],
    ['field_added', 'published', 'fields_new'],
    ['retired', 'failed', 'not_collected'],
    ['unregistered_key', 'failed', 'not_collected'],
    ['maintenance', 'failed', 'not_collected'],
    ['text_unauthorized', 'failed', 'not_collected'],
  ] as const;
  for (const [fault, outcome, kind] of cases) {
    await t.test(`${fault}: ${outcome} with ${kind}`, async () => {
      using folder = temporaryFolder();
      await using portal = await portalAtNoon();
      await collectFrom(folder.path, ['std_library'], { gateway: portal.url });
      const good = hashesOf(folder.path, ['std_library']);
      portal.setFaults([{ fault }]);
      const clock = testClock(noon + 8 * dayMs);
      const report = await collectFrom(folder.path, ['std_library'], {
        gateway: portal.url,
        clock,
      });
      const [axis] = report.axes;
      assert.equal(axis?.outcome, outcome, JSON.stringify(axis));
      assert.ok(
        axis.findings.some((finding) => finding.kind === kind),
        JSON.stringify(axis.findings),
      );
      if (outcome !== 'published') {
        assert.deepEqual(hashesOf(folder.path, ['std_library']), good);
      }
    });
  }
});

test('a key that is refused ends a run of many pages at once', async () => {
  for (const fault of ['expired_key', 'quota'] as const) {
    using folder = temporaryFolder();
    await using portal = await portalAtNoon({
      scale: { std_library: 60_000 },
      faults: [{ fault, fromPage: 2 }],
    });
    await collectFrom(folder.path, ['std_library'], { gateway: portal.url });
    assert.ok(portal.requests.length <= 1 + runLimits.callsAtOnceMax, fault);
  }
});

test('a retired operation of many questions is left after a few, and nothing is published of it', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon({ faults: [{ fault: 'retired' }] });
  const report = await collectFrom(folder.path, ['gen_storezoneinadmi'], { gateway: portal.url });
  assert.equal(report.snapshot, null);
  assert.equal(report.axes[0]?.outcome, 'failed');
  assert.match(report.axes[0]?.message ?? '', /look on https:.* for its successor/);
  const most = runLimits.refusedFirstMax + runLimits.questionsAtOnceMax;
  assert.ok(portal.requests.length <= most, String(portal.requests.length));
});

test('an axis that another process took over while it waited is not published', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon();
  const report = await collectFrom(folder.path, ['nec_code', 'std_library'], {
    gateway: portal.url,
    onAxis: ({ code }) => {
      if (code !== 'nec_code') return;
      using database = closing(openJobs(folder.path));
      database.prepare("UPDATE runs SET owner = 'elsewhere/1/x' WHERE axis = 'nec_code'").run();
    },
  });
  assert.deepEqual(report.axes.map(({ code, outcome }) => [code, outcome]).toSorted(), [
    ['nec_code', 'failed'],
    ['std_library', 'published'],
  ]);
  assert.equal(hashesOf(folder.path, ['nec_code'])['nec_code'], 'not held');
});

test('a loss that grows from run to run is not believed', () => {
  const fewer = (rows: number, lostBefore: number) =>
    inspect({ ...came, written: { ...held, rows } }, held, lostBefore).map(({ kind }) => kind);
  assert.deepEqual(fewer(600, 0), ['rows_lost']);
  assert.deepEqual(fewer(600, 400), ['rows_lost_twice']);
  assert.deepEqual(fewer(595, 400), ['rows_lost_twice']);
  assert.deepEqual(fewer(10, 400), ['rows_lost']);
});

test('a loss that comes twice is believed, and --accept believes at once without asking again', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon();
  const options = { gateway: portal.url };
  await collectFrom(folder.path, ['std_library'], options);
  portal.setFaults([{ fault: 'records_lost' }]);
  const kept = await collectFrom(folder.path, ['std_library'], {
    ...options,
    clock: testClock(noon + 8 * dayMs),
  });
  assert.equal(kept.axes[0]?.outcome, 'kept');
  const before = portal.requests.length;
  const accepted = await collectFrom(folder.path, ['std_library'], {
    ...options,
    client: null,
    accept: true,
  });
  assert.equal(accepted.axes[0]?.outcome, 'published');
  assert.equal(portal.requests.length, before);
});

test('stored answers are read again without asking, and make the same records', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon();
  const codes = ['gen_storezoneinadmi', 'gen_storezoneone', 'nec_code'];
  await collectFrom(folder.path, codes, { gateway: portal.url });
  const before = hashesOf(folder.path, codes);
  const asked = portal.requests.length;
  const report = await collectFrom(folder.path, codes, { gateway: portal.url, client: null });
  assert.ok(report.axes.every(({ outcome }) => outcome === 'published'));
  assert.equal(portal.requests.length, asked);
  assert.deepEqual(hashesOf(folder.path, codes), before);
});

test('stored answers are those of the last whole run, and one that cannot be read leaves it as it was', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon();
  const codes = ['std_library'];
  await collectFrom(folder.path, codes, { gateway: portal.url });
  const good = hashesOf(folder.path, codes);
  portal.setFaults([{ fault: 'quota', fromPage: 2 }]);
  const clock = testClock(noon + 8 * dayMs);
  const parked = await collectFrom(folder.path, codes, { gateway: portal.url, clock });
  assert.equal(parked.axes[0]?.outcome, 'parked');
  const again = await collectFrom(folder.path, codes, { gateway: portal.url, client: null });
  assert.equal(again.axes[0]?.outcome, 'published');
  assert.deepEqual(hashesOf(folder.path, codes), good);
  using database = closing(openJobs(folder.path));
  const runs = new Runs(database, () => noon);
  const done = runs.lastDone('std_library', 'sample')!;
  rmSync(rawFolder(folder.path, 'std_library', done.id), { recursive: true });
  const lost = await collectFrom(folder.path, codes, { gateway: portal.url, client: null });
  assert.equal(lost.axes[0]?.outcome, 'failed');
  assert.equal(runs.lastDone('std_library', 'sample')?.id, done.id);
});

test('an empty question is asked twice once, and then once a run', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon({ faults: [{ fault: 'records_none' }] });
  const counts: number[] = [];
  for (let day = 0; day < 3; day++) {
    const before = portal.requests.length;
    const clock = testClock(noon + day * 40 * dayMs);
    await collectFrom(folder.path, ['nec_code'], { gateway: portal.url, clock });
    counts.push(portal.requests.length - before);
  }
  assert.deepEqual(counts, [2, 1, 1]);
});

test('an axis that accumulates keeps what the portal forgets', async () => {
  using folder = temporaryFolder();
  const code = 'gen_wthrwrnlist';
  let now = noon;
  await using portal = await portalAtNoon({ clock: () => now });
  const first = await collectFrom(folder.path, [code], { gateway: portal.url });
  now += 40 * dayMs;
  const clock = testClock(now);
  const second = await collectFrom(folder.path, [code], { gateway: portal.url, clock });
  assert.ok(first.axes[0]!.rows > 0);
  assert.ok(second.axes[0]!.rows > first.axes[0]!.rows);
});

test('sample data never replaces real data', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon();
  await collectFrom(folder.path, ['nec_code'], { gateway: portal.url, origin: 'portal' });
  const id = currentId(folder.path);
  const report = await collectFrom(folder.path, ['nec_code'], { gateway: portal.url });
  assert.equal(report.axes[0]?.outcome, 'skipped');
  assert.equal(currentId(folder.path), id);
  assert.equal(snapshotIds(folder.path).length, 1);
});

test('one process collects an axis at a time, and a run without a sign of life may be taken', () => {
  using folder = temporaryFolder();
  using database = closing(openJobs(folder.path));
  const clock = testClock();
  const runs = new Runs(database, () => clock.now());
  const run = runs.begin('nec_code', 'portal', plan);
  assert.throws(() => runs.begin('nec_code', 'portal', plan), AxisBusy);
  // Another machine has it: only time tells that it is gone.
  database.prepare("UPDATE runs SET owner = 'elsewhere/1/x'").run();
  assert.throws(() => runs.begin('nec_code', 'portal', plan), AxisBusy);
  clock.pass(runLimits.leaseMs);
  assert.equal(runs.latest()[0]?.state, 'interrupted');
  assert.equal(runs.begin('nec_code', 'portal', plan).id, run.id);
  runs.end(run.id, { state: 'failed', resumable: true });
  clock.pass(2 * dayMs);
  assert.notEqual(runs.begin('nec_code', 'portal', plan).id, run.id);
});

test('an axis is due when its cycle is over, and a failed run rests for an hour', () => {
  using folder = temporaryFolder();
  using database = closing(openJobs(folder.path));
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

test('a round that comes a moment early still counts, a judged run rests for a cycle, a wrong clock stops nothing', () => {
  using folder = temporaryFolder();
  using database = closing(openJobs(folder.path));
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
  // A run that a clock of 2099 parked, and one it began.
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
    using database = closing(openJobs(folder.path));
    const quota = createStoredQuota(database);
    assert.equal(await quota.take('a/b', day, 2), true);
  }
  using database = closing(openJobs(folder.path));
  const quota = createStoredQuota(database);
  assert.equal(await quota.used('a/b', day), 1);
  assert.equal(await quota.take('a/b', day, 2), true);
  assert.equal(await quota.take('a/b', day, 2), false);
  await quota.exhaust('c/d', day);
  assert.equal(await quota.used('c/d', day), Number.POSITIVE_INFINITY);
  assert.equal(await quota.take('c/d', day, 10), false);
  assert.equal(await quota.take('c/d', koreanDay(noon + dayMs), 10), true);
});

function servedQuality(data: string, code: string) {
  const id = currentId(data)!;
  const manifest = readManifest(data, id);
  using opened = OpenedSnapshot.open(data, id);
  return { manifest, quality: opened.axes.get(code)?.quality?.findings ?? [] };
}

const held: HeldAxis = {
  axis: {
    code: 'nec_code',
    title: '예시',
    titleEn: null,
    type: 'API',
    portalId: null,
    provider: null,
    keyFields: [],
    origin: 'portal',
    sourceModified: null,
    collectedAt: new Date(noon).toISOString(),
    updateCycle: null,
    license: null,
    sourceUrl: null,
  },
  rows: 1_000,
  fields: [],
  schemaFingerprint: '',
  regions: [],
  hasCoordinates: false,
};

const came: Came = {
  written: held,
  accumulates: false,
  questions: 1,
  refused: 0,
  refusedExample: null,
  mismatch: 0,
  moved: 0,
  movedExample: null,
  duplicateKeys: 0,
  fieldsNew: [],
  fieldsMissing: [],
  positions: 0,
  abroad: 0,
  places: null,
  placesBefore: null,
};

function closing(database: ReturnType<typeof openJobs>) {
  return Object.assign(database, { [Symbol.dispose]: () => database.close() });
}
