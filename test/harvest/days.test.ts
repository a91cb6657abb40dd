import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMemoryQuota } from '../../src/harvest/client/quota.ts';
import { isDue } from '../../src/harvest/runs/due.ts';
import { openJobs } from '../../src/harvest/runs/job-store.ts';
import { Runs } from '../../src/harvest/runs/runs.ts';
import { axisDefinition } from '../../src/harvest/operations/definitions.ts';
import { dayMs } from '../../src/data/korean-time.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { collectFrom, hashesOf, noon, testClock } from './collecting.ts';
import { portalAtNoon } from './portal-at-noon.ts';

const details = 'gen_detail2';

test('a run of more than 35 days is resumed and requests nothing twice', async () => {
  using plain = temporaryFolder();
  using slow = temporaryFolder();
  const scale = { gen_period2: 40 };
  await using portal = await portalAtNoon({ scale });
  await collectFrom(plain.path, [details], { gateway: portal.url });
  const expectedCount = portal.requests.filter(isOfDetails).length;
  let now = noon;
  const keys = { perDay: { [details]: 2 } };
  await using strict = await portalAtNoon({ scale, clock: () => now, keys });
  const clock = testClock();
  const options = { gateway: strict.url, clock, quota: createMemoryQuota() };
  for (let outcome: string | undefined; outcome !== 'published';) {
    assert.ok(now - noon < 50 * dayMs, 'The run never ended.');
    // Just less than the two days after which a run without progress is replaced.
    clock.pass(1.9 * dayMs);
    now += 1.9 * dayMs;
    const { axes } = await collectFrom(slow.path, [details], options);
    outcome = axes.find(({ code }) => code === details)?.outcome;
  }
  assert.ok(now - noon > 35 * dayMs, `It took ${(now - noon) / dayMs} days.`);
  const answered = strict.requests.filter((each) => isOfDetails(each) && each.status === 200);
  assert.equal(answered.length, expectedCount);
  assert.deepEqual(hashesOf(slow.path, [details]), hashesOf(plain.path, [details]));
});

test('a run that stored nothing for two days is replaced by a new one once it is too old', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon({ faults: [{ fault: 'quota', fromPage: 2 }] });
  const clock = testClock();
  const from = { gateway: portal.url, clock, quota: createMemoryQuota() };
  await collectFrom(folder.path, ['std_library'], from);
  clock.pass(40 * dayMs);
  const first = portal.requests.length;
  await collectFrom(folder.path, ['std_library'], from);
  const pages = portal.requests.slice(first).map(({ query }) => query.get('pageNo'));
  assert.ok(pages.includes('1'), pages.join());
});

test('a portal that resets its quota late costs a quarter of an hour, not a day', async () => {
  using folder = temporaryFolder();
  const midnight = Date.parse('2026-11-22T00:00:00+09:00');
  const lateMs = 2 * 60_000;
  let now = midnight - 60_000;
  await using portal = await portalAtNoon({
    clock: () => now - lateMs,
    keys: { perDay: { tago_busstops: 60 } },
  });
  const clock = { now: () => now, wait: (ms: number) => Promise.resolve(void (now += ms)) };
  const from = { gateway: portal.url, clock, quota: createMemoryQuota() };
  const collect = async () => {
    const { axes } = await collectFrom(folder.path, ['tago_busstops'], from);
    return axes[0];
  };
  assert.equal((await collect())?.outcome, 'parked');
  // Half a minute into our day, a minute and a half before the portal's.
  now = midnight + 30_000;
  const early = await collect();
  assert.equal(early?.outcome, 'parked');
  const minutes = (Date.parse(early.parkedUntil ?? '') - midnight) / 60_000;
  assert.ok(minutes >= 15 && minutes < 17, `It waits for ${minutes} minutes.`);
  using database = openJobs(folder.path);
  const runs = new Runs(database, () => now);
  const stops = axisDefinition('tago_busstops')!;
  assert.equal(isDue(stops, runs, 'sample', now), false);
  now = midnight + 20 * 60_000;
  assert.equal(isDue(stops, runs, 'sample', now), true);
  const before = portal.requests.length;
  await collect();
  assert.ok(portal.requests.slice(before).some(({ status }) => status === 200));
});

function isOfDetails({ code }: { readonly code: string | null }): boolean {
  return code === details;
}
