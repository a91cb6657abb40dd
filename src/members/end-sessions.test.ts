import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configuration, membersRig, operator, type MembersRig } from '../../test/members/rig.ts';
import { endManySessions } from './end-sessions.ts';
import { readPlatformConfiguration } from './platform-configuration.ts';
import { declarePlatforms, setPlatformDisabled } from './platforms.ts';
import { register } from './register.ts';
import { checkSession } from './session.ts';
import { issueSso } from './sso.ts';

const user = { email: 'kim@example.com', local_user_id: '1' };

async function issueSession(rig: MembersRig, platform: string): Promise<string> {
  const caller = await rig.caller(platform);
  await register(rig.context, caller, { ...user, platform });
  return (await issueSso(rig.context, caller, { ...user, platform })).token;
}

async function areLive({ context }: MembersRig, ...tokens: readonly string[]) {
  const found = await Promise.all(tokens.map(async (token) => checkSession(context, token)));
  return found.map((session) => session !== null);
}

test('ending the sessions of a platform ends those it issued, and new ones are live', async () => {
  await using rig = await membersRig();
  const tokens = [await issueSession(rig, 'books'), await issueSession(rig, 'music')] as const;
  const scope = { scope: 'platform', platform: 'books' } as const;
  await endManySessions(rig.context, scope, operator);
  assert.deepEqual(await areLive(rig, ...tokens), [false, true]);
  assert.deepEqual(await areLive(rig, await issueSession(rig, 'books')), [true]);
  const { sessions, audit } = rig.context.store.read;
  assert.equal(await sessions.unexpiredCount(rig.clock.now), 2);
  const row = (await audit.after(0, 200)).find(({ action }) => action === 'sessions_ended');
  assert.deepEqual([row?.subject, row?.reason], ['books', operator.reason]);
});

test('ending all sessions also ends sessions that were issued while the clock was ahead', async () => {
  await using rig = await membersRig();
  rig.clock.now += 3_600_000;
  const tokens = [await issueSession(rig, 'books'), await issueSession(rig, 'music')];
  rig.clock.now -= 3_600_000;
  await endManySessions(rig.context, { scope: 'all' }, operator);
  assert.deepEqual(await areLive(rig, ...tokens), [false, false]);
  assert.equal(await rig.context.store.read.sessions.unexpiredCount(rig.clock.now), 0);
});

test('sessions issued before a moment end, and an earlier moment later revives none', async () => {
  await using rig = await membersRig();
  const early = await issueSession(rig, 'books');
  rig.clock.now += 60_000;
  const late = await issueSession(rig, 'books');
  const endBefore = (ms: number) => {
    const before = new Date(ms).toISOString();
    return endManySessions(rig.context, { scope: 'all', before }, operator);
  };
  await endBefore(rig.clock.now);
  assert.deepEqual(await areLive(rig, early, late), [false, true]);
  await endBefore(rig.clock.now - 120_000);
  assert.deepEqual(await areLive(rig, early, late), [false, true]);
});

test('a contradictory scope, an unknown platform and a future moment are refused', async () => {
  await using rig = await membersRig();
  const token = await issueSession(rig, 'books');
  const future = new Date(rig.clock.now + 1).toISOString();
  for (const [body, code] of [
    [{ scope: 'all', platform: 'books' }, 'validation_failed'],
    [{ scope: 'platform' }, 'validation_failed'],
    [{ scope: 'platform', platform: 'none' }, 'unknown_platform'],
    [{ scope: 'all', before: future }, 'validation_failed'],
    [{ scope: 'all', before: 'yesterday' }, 'validation_failed'],
  ] as const) {
    await assert.rejects(endManySessions(rig.context, body, operator), { code });
  }
  assert.deepEqual(await areLive(rig, token), [true]);
});

test('the sessions of a stopped platform end, and stay ended when it is enabled again', async () => {
  await using rig = await membersRig();
  const [first, other] = [await issueSession(rig, 'books'), await issueSession(rig, 'music')];
  await setPlatformDisabled(rig.context, 'books', true, operator);
  await setPlatformDisabled(rig.context, 'books', false, operator);
  assert.deepEqual(await areLive(rig, first, other), [false, true]);
  const second = await issueSession(rig, 'books');
  const platforms = configuration.platforms.map((platform) =>
    platform.code === 'books' ? { ...platform, disabled: true } : platform,
  );
  await declarePlatforms(rig.context, readPlatformConfiguration({ platforms }), operator);
  assert.deepEqual(await areLive(rig, second, other), [false, true]);
});
