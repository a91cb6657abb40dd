import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { addWebhookEndpoint } from '../webhooks.ts';
import { sendAsServer, openFixture } from '../../../test/fixtures/members.ts';
import { storageUnavailable } from '../../kernel/storage-failure.ts';
import { withWrite } from '../../../test/fixtures/with-write.ts';
import { Upkeep } from './upkeep.ts';

test('retention jobs run after a start and then hourly, in any process, and store the run', async (t) => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const { context, log, clock } = fixture;
  t.mock.timers.enable({ apis: ['setInterval'] });
  /** Runs a process for a minute; its end waits for running jobs. */
  const minute = async () => {
    const upkeep = new Upkeep(context, log);
    t.mock.timers.tick(60_000);
    await upkeep[Symbol.asyncDispose]();
    const runs = await context.store.read.jobs.all();
    return runs.find(({ name }) => name === 'expired_sessions')?.startedAt;
  };
  const first = clock.now;
  assert.equal(await minute(), first);
  clock.now = first + 3_599_999;
  assert.equal(await minute(), first);
  clock.now = first + 3_600_000;
  assert.equal(await minute(), clock.now);
  // The last run was stored with a future time, by a clock that was ahead.
  clock.now = first;
  assert.equal(await minute(), first);
  assert.doesNotMatch(fixture.logged(), /upkeep_failed/);
});

test('retention that the store interrupts runs again a minute later, not an hour later', async (t) => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const { context, log, clock } = fixture;
  t.mock.timers.enable({ apis: ['setInterval'] });
  let isAway = true;
  const store = {
    ...withWrite(context.store, (work) => context.store.write(work)),
    scrub: () => (isAway ? Promise.reject(storageUnavailable(null)) : context.store.scrub()),
  };
  await using _upkeep = new Upkeep({ ...context, store }, log);
  const minuteUntil = async (isDone: () => boolean | Promise<boolean>) => {
    t.mock.timers.tick(60_000);
    for (let turns = 0; !(await isDone()); turns++) {
      assert(turns < 5_000, 'the minute has no effect');
      await nextTurn();
    }
    clock.now += 60_000;
  };
  await minuteUntil(() => fixture.logged().includes('upkeep_failed'));
  isAway = false;
  await minuteUntil(async () => {
    const runs = await context.store.read.jobs.all();
    return runs.some(({ name }) => name === 'overwrite_erased');
  });
});

test('due webhooks are sent every two seconds', async (t) => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const { context, log, keys } = fixture;
  const operator = { actor: 'operator:test', reason: 'a test' };
  const url = 'https://hooks.example.com/';
  const added = await addWebhookEndpoint(context, url, ['member.created'], operator);
  // The message is refused before it is sent, which counts as an attempt.
  const unreachable = { ...added, url: 'https://127.0.0.1/' };
  await context.store.write(async ({ webhooks }) => webhooks.putEndpoint(unreachable));
  const user = { email: 'asha@example.com', platform: 'books', local_user_id: 'u-1' };
  await sendAsServer(fixture, 'POST', '/members/register', keys.books, user);
  t.mock.timers.enable({ apis: ['setInterval'] });
  const upkeep = new Upkeep(context, log);
  t.mock.timers.tick(2_000);
  await upkeep[Symbol.asyncDispose]();
  const [message] = await context.store.read.webhooks.list(2 ** 40, 1);
  assert.equal(message?.attempts, 1);
});
