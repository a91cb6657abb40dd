import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replicaChecks } from '../../../bin/doctor-database.ts';
import { configuration, operator } from '../../../test/members/rig.ts';
import { PostgresServer, runSql } from '../../../test/postgres/server.ts';
import { createLog } from '../../kernel/log.ts';
import type { MemberContext } from '../context.ts';
import { funnel } from '../funnel.ts';
import { pageNorthStar } from '../page-statistics.ts';
import { readPlatformConfiguration } from '../platform-configuration.ts';
import { PlatformDirectory } from '../platform-directory.ts';
import { declarePlatforms } from '../platforms.ts';
import { register } from '../register.ts';
import { crossPlatform } from '../statistics.ts';
import { PostgresMemberStore } from './store.ts';

const dayMs = 86_400_000;

test('statistics wait for the replica, and are put off while it is behind or away', async () => {
  await using primary = await PostgresServer.start({ isDurable: true });
  const clock = { now: Date.now() };
  let lines = '';
  const log = createLog({ level: 'info', pretty: false, write: (text) => (lines += text) });
  const events = () => {
    log.flush();
    const written = lines.split('\n').slice(0, -1);
    lines = '';
    return written.map((line) => JSON.parse(line) as { event: string; reason?: string });
  };
  const open = async (replicaUrl: string, retryMs = 0) => {
    const replica = { url: replicaUrl, log, waitMs: 2_000, retryMs };
    const store = await PostgresMemberStore.open(primary.url, { replica });
    const platforms = new PlatformDirectory(store);
    const context = { store, platforms, now: () => clock.now, secret: Buffer.alloc(32, 7) };
    return { context, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
  };
  await using first = await open(primary.url);
  const { context } = first;
  await declarePlatforms(context, readPlatformConfiguration(configuration), operator);
  await runSql(primary.url, 'UPDATE platforms SET page_stats = true');
  await using standby = await primary.addStandby();
  await using reading = await open(standby.url);
  const page = () => pageNorthStar(reading.context, 'https://books.example.com');
  const statistics = () => crossPlatform(reading.context, 'operator');
  await addMembers(context, 'a', 5);
  clock.now += dayMs;
  const { as_of: day, members } = await statistics();
  assert.deepEqual([members, events()], [5, []]);

  await runSql(standby.url, 'SELECT pg_wal_replay_pause()');
  await addMembers(context, 'b', 7);
  clock.now += dayMs;
  // The count of the day before stands until the replica has the new members; callers share one attempt.
  const [stale, star] = await Promise.all([statistics(), page()]);
  assert.deepEqual([stale.as_of, stale.members, star.as_of], [day, 5, day]);
  const [postponed, ...others] = events();
  assert.equal(others.length, 0, 'one event for the outage');
  assert.match(postponed!.reason!, /^It is \d+ bytes of log behind after a wait of 2 s/);
  const noCount = { code: 'storage_unavailable', retryAfterS: 1 };
  await assert.rejects(funnel(reading.context, {}), noCount);

  await runSql(standby.url, 'SELECT pg_wal_replay_resume()');
  assert.equal((await statistics()).members, 12);
  assert.notEqual((await page()).as_of, day);
  assert.deepEqual(
    events().map(({ event }) => event),
    ['statistics_resumed'],
  );
  assert.deepEqual(
    (await replicaChecks(standby.url, primary.url)).map(({ ok }) => ok),
    [true, true],
  );
  const [own] = await replicaChecks(primary.url, primary.url);
  assert.match(own!.detail, /is not a standby/);

  // A database beside the right one has numbers, too.
  const beside = Object.assign(new URL(standby.url), { pathname: 'template1' }).href;
  await using wrong = await open(beside, 60_000);
  const refused = crossPlatform(wrong.context, 'operator');
  await assert.rejects(refused, { code: 'storage_unavailable', retryAfterS: 60 });
  assert.match(events()[0]!.reason!, /not a replica of the database/);
  await standby.crash();
  await assert.rejects(crossPlatform(wrong.context, 'operator'), { code: 'storage_unavailable' });
  assert.deepEqual(events(), [], 'no attempt within the pause');
  const [away] = await replicaChecks(standby.url, primary.url);
  assert.match(away!.detail, /statistics are put off. Check DATABASE_REPLICA_URL/);
});

async function addMembers(context: MemberContext, prefix: string, count: number): Promise<void> {
  const caller = { kid: 'a', platform: await context.platforms.byCode('books'), scopes: [] };
  for (let at = 0; at < count; at++) {
    const name = `${prefix}${at}`;
    const body = { email: `${name}@example.com`, platform: 'books', local_user_id: name };
    await register(context, caller, body);
  }
}
