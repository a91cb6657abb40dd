import assert from 'node:assert/strict';
import { test } from 'node:test';
import { membersRig, operator } from '../../test/members/rig.ts';
import { endManySessions } from './end-sessions.ts';
import { recordEvent } from './events.ts';
import { register } from './register.ts';
import { issueSso } from './sso.ts';
import { timelineOf } from './timeline.ts';

test('a timeline lists events by their time, with meta, over pages without repetitions', async () => {
  await using rig = await membersRig();
  const { context, clock } = rig;
  const expected: { at: string; id: string }[] = [];
  let uid = '';
  for (const platform of ['books', 'music']) {
    const caller = await rig.caller(platform);
    const user = { email: 'kim@example.com', platform, local_user_id: '1' };
    uid = (await register(context, caller, user)).svc_uid;
    for (let count = 0; count < 60; count++) {
      // Events arrive in another order than they occurred, and several occur at the same time.
      const at = new Date(clock.now - 60_000 * (((count * 17) % 30) + 1)).toISOString();
      const id = `${platform}-${count}`;
      const meta = { amount: count };
      const event = {
        svc_uid: uid,
        platform,
        event: 'purchase',
        event_id: id,
        occurred_at: at,
        meta,
      };
      await recordEvent(context, caller, event);
      expected.push({ at: new Date(at).toISOString(), id });
    }
  }
  const member = (await context.store.read.members.byUid(uid))!;
  const items = [];
  let before: string | undefined;
  do {
    const page = await timelineOf(context, member, before);
    items.push(...page.items.filter(({ event }) => event !== 'register'));
    before = page.next_cursor ?? undefined;
  } while (before !== undefined);
  assert.equal(items.length, 120);
  assert.equal(new Set(items.map((item) => item.event_id)).size, 120);
  const times = items.map((item) => Date.parse(item.occurred_at));
  assert.deepEqual(
    times,
    expected.map(({ at }) => Date.parse(at)).toSorted((one, other) => other - one),
  );
  for (const item of items) {
    assert.deepEqual(item.meta, { amount: Number(item.event_id.split('-')[1]) });
  }
});

test('live sessions are listed with their platform and end, until they are ended', async () => {
  await using rig = await membersRig();
  const { context, clock } = rig;
  const caller = await rig.caller('books');
  const user = { email: 'kim@example.com', platform: 'books', local_user_id: '1' };
  const { svc_uid: uid } = await register(context, caller, user);
  for (let count = 0; count < 3; count++) {
    clock.now += 1_000;
    await issueSso(context, caller, { ...user, svc_uid: uid });
  }
  const { members, sessions } = context.store.read;
  const { id } = (await members.byUid(uid))!;
  const live = await sessions.ofMember(id, clock.now, 2);
  assert.deepEqual(
    live.map(({ issuedAt, platformId, verified }) => [clock.now - issuedAt, platformId, verified]),
    [
      [0, 0, true],
      [1_000, 0, true],
    ],
  );
  assert.ok(live.every(({ expiresAt }) => expiresAt > clock.now));
  await endManySessions(context, { scope: 'platform', platform: 'books' }, operator);
  assert.deepEqual(await sessions.ofMember(id, clock.now, 2), []);
});
