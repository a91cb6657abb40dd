import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { openFixture } from './fixture.ts';
import { Upkeep } from './upkeep.ts';

test('the retention jobs run each hour and leave their last run for the operator', async (t) => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const { context, log } = fixture;
  t.mock.timers.enable({ apis: ['setInterval'] });
  const upkeep = new Upkeep(context, log);
  t.mock.timers.tick(3_600_000);
  // Ending waits for what is under way.
  await upkeep[Symbol.asyncDispose]();
  const runs = await context.store.read.jobs.all();
  assert.ok(runs.some(({ name }) => name === 'expired_sessions'));
  assert.doesNotMatch(fixture.logged(), /upkeep_failed/);
});
