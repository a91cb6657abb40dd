import assert from 'node:assert/strict';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { axisDefinition } from '../../src/harvest/operations/definitions.ts';
import { createMemoryQuota } from '../../src/harvest/client/quota.ts';
import { dayMs, hourMs } from '../../src/data/korean-time.ts';
import { openJobs } from '../../src/harvest/runs/job-store.ts';
import { StoredAxes } from '../../src/harvest/runs/stored-axes.ts';
import { Runs } from '../../src/harvest/runs/runs.ts';
import { runLimits } from '../../src/harvest/runs/limits.ts';
import { runFolder } from '../../src/harvest/runs/earlier-runs.ts';
import { OpenedSnapshot } from '../../src/data/snapshot/opened.ts';
import {
  currentId,
  readManifest,
  snapshotFolder,
  snapshotIds,
} from '../../src/data/snapshot/snapshots.ts';
import { buildCatalog, testEntry } from '../build-catalog.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { collectFrom, hashesOf, noon, testClock } from './collecting.ts';
import { portalAtNoon } from './portal-at-noon.ts';

const stops = 'tago_busstops';

test('a spent quota parks the run until ten past midnight in Korea, and it resumes then', async () => {
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
    assert.ok(days < 6, 'The run never ended.');
    const report = await collectFrom(parked.path, [stops], options);
    const [axis] = report.axes;
    done = axis?.outcome === 'published';
    if (done) break;
    assert.equal(axis?.outcome, 'parked');
    assert.equal(
      axis.parkedUntil,
      new Date(Date.parse('2026-11-21T15:10:00Z') + days * dayMs).toISOString(),
    );
    assert.match(axis.message ?? '', /midnight in Korea/);
    assert.equal(report.snapshot, null);
    clock.pass(dayMs);
    now += dayMs;
  }
  assert.ok(days > 0);
  // Only the refused request of each day is additional.
  const answered = strict.requests.filter(({ status }) => status === 200);
  assert.equal(answered.length, portal.requests.length);
  assert.deepEqual(hashesOf(parked.path, [stops]), hashesOf(plain.path, [stops]));
});

test('an expired key keeps the previous data and reports the advice to the operator', async () => {
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

test('a refused key ends a run at once, however many pages are left', async () => {
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

test('a retired operation of many requests ends after a few, and publishes nothing', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon({ faults: [{ fault: 'retired' }] });
  const report = await collectFrom(folder.path, ['gen_storezoneinadmi'], { gateway: portal.url });
  assert.equal(report.snapshot, null);
  assert.equal(report.axes[0]?.outcome, 'failed');
  assert.match(report.axes[0]?.message ?? '', /see https:.* for its successor/);
  const most = runLimits.firstRefusalsMax + runLimits.requestsAtOnceMax;
  assert.ok(portal.requests.length <= most, String(portal.requests.length));
});

test('hours that become too old during the run do not stop the others', async () => {
  using folder = temporaryFolder();
  let now = noon - 3 * hourMs;
  await using portal = await portalAtNoon({ clock: () => now });
  const clock = testClock(now);
  const first = await collectFrom(folder.path, ['kma_ncst'], { gateway: portal.url, clock });
  // The portal's clock is later, as during a long run, so it refuses the oldest hours.
  now = noon + 23 * hourMs;
  const { axes } = await collectFrom(folder.path, ['kma_ncst'], { gateway: portal.url });
  assert.deepEqual(
    axes[0]?.findings.map(({ kind }) => kind),
    ['many_refused'],
  );
  assert.ok(axes[0].rows > (first.axes[0]?.rows ?? 0));
});

test('an axis that another process took over meanwhile is not published', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon();
  const report = await collectFrom(folder.path, ['nec_code', 'std_library'], {
    gateway: portal.url,
    onSource: ({ code }) => {
      if (code !== 'nec_code') return;
      using database = disposable(openJobs(folder.path));
      database.prepare("UPDATE runs SET owner = 'elsewhere/1/x' WHERE axis = 'nec_code'").run();
    },
  });
  const outcomes = Object.fromEntries(report.axes.map(({ code, outcome }) => [code, outcome]));
  assert.deepEqual(outcomes, { nec_code: 'failed', std_library: 'published' });
  assert.equal(hashesOf(folder.path, ['nec_code'])['nec_code'], 'not held');
});

test('a loss is published when it repeats, or at once with --accept', async () => {
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

test('a loss that repeats is published, and a further loss is rejected again', async () => {
  using folder = temporaryFolder();
  const outcomes: unknown[] = [];
  for (const [day, rows] of [100, 60, 60, 20, 20].entries()) {
    await using portal = await portalAtNoon({ scale: { std_library: rows } });
    const clock = testClock(noon + day * 8 * dayMs);
    const { axes } = await collectFrom(folder.path, ['std_library'], {
      gateway: portal.url,
      clock,
    });
    outcomes.push([axes[0]?.outcome, axes[0]?.findings.map(({ kind }) => kind).join()]);
  }
  assert.deepEqual(outcomes, [
    ['published', ''],
    ['kept', 'rows_lost'],
    ['published', 'rows_lost_twice'],
    ['kept', 'rows_lost'],
    ['published', 'rows_lost_twice'],
  ]);
});

test('the license comes from the catalog entry of the same number and type, or is null', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon();
  const { portalId } = axisDefinition('nec_code')!;
  const license = { id: 'unrestricted', name: '이용허락범위 제한 없음', url: null };
  const api = testEntry({ type: 'API', portalId, title: '코드정보', license });
  buildCatalog(folder.path, [api, testEntry({ type: 'FILE', portalId, title: '파일' })]);
  await collectFrom(folder.path, ['nec_code', 'std_library'], { gateway: portal.url });
  using opened = OpenedSnapshot.open(folder.path, currentId(folder.path)!);
  assert.deepEqual(opened.axes.get('nec_code')?.axis.license, license);
  assert.equal(opened.axes.get('std_library')?.axis.license, null);
});

test('stored responses are read again without a request, with the same records', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon({ scale: { gen_storezoneinadmi: 150 } });
  const codes = ['gen_storezoneinadmi', 'gen_storezoneone', 'nec_code'];
  await collectFrom(folder.path, codes, { gateway: portal.url });
  const before = hashesOf(folder.path, codes);
  const requested = portal.requests.length;
  const report = await collectFrom(folder.path, codes, { gateway: portal.url, client: null });
  assert.ok(report.axes.every(({ outcome }) => outcome === 'unchanged'));
  assert.equal(portal.requests.length, requested);
  assert.deepEqual(hashesOf(folder.path, codes), before);
});

test('equal records are published at most once a day, and not written again', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon();
  const collect = (clock = testClock()) =>
    collectFrom(folder.path, ['nec_code'], { gateway: portal.url, clock });
  const records = () => {
    const served = snapshotFolder(folder.path, currentId(folder.path)!);
    return statSync(join(served, 'axes/nec_code/records.json')).ino;
  };
  const first = await collect();
  const written = records();
  const evening = await collect(testClock(noon + 6 * hourMs));
  assert.deepEqual([evening.axes[0]?.outcome, evening.snapshot], ['unchanged', null]);
  assert.equal(evening.axes[0]?.rows, first.axes[0]?.rows);
  const nextDay = await collect(testClock(noon + dayMs));
  assert.equal(nextDay.axes[0]?.outcome, 'unchanged');
  assert.equal(currentId(folder.path), nextDay.snapshot);
  const { axis } = new StoredAxes(folder.path).served('nec_code')!;
  assert.equal(axis.collectedAt, new Date(noon + dayMs).toISOString());
  assert.equal(records(), written);
});

test('a reparse reads the last complete run, and does not change it if responses are gone', async () => {
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
  assert.equal(again.axes[0]?.outcome, 'unchanged');
  assert.deepEqual(hashesOf(folder.path, codes), good);
  using database = disposable(openJobs(folder.path));
  const runs = new Runs(database, () => noon);
  const done = runs.lastDone('std_library', 'sample')!;
  rmSync(runFolder(folder.path, 'std_library', done.id), { recursive: true });
  const lost = await collectFrom(folder.path, codes, { gateway: portal.url, client: null });
  assert.equal(lost.axes[0]?.outcome, 'failed');
  assert.equal(runs.lastDone('std_library', 'sample')?.id, done.id);
});

test('an empty request is sent twice in its first run, and once in each later run', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon({ faults: [{ fault: 'records_none' }] });
  const counts: number[] = [];
  for (let day = 0; day < 3; day++) {
    const before = portal.requests.length;
    const clock = testClock(noon + day * 40 * dayMs);
    await collectFrom(folder.path, ['gen_pwnstatus'], { gateway: portal.url, clock });
    counts.push(portal.requests.length - before);
  }
  assert.deepEqual(counts, [2, 1, 1]);
});

test('an accumulating axis keeps records that the portal deletes', async () => {
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

function servedQuality(data: string, code: string) {
  const id = currentId(data)!;
  const manifest = readManifest(data, id);
  using opened = OpenedSnapshot.open(data, id);
  return { manifest, quality: opened.axes.get(code)?.quality?.findings ?? [] };
}

function disposable(database: ReturnType<typeof openJobs>) {
  return Object.assign(database, { [Symbol.dispose]: () => database.close() });
}
