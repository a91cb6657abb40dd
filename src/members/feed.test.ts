import assert from 'node:assert/strict';
import { test } from 'node:test';
import { membersRig, type MembersRig } from '../../test/members/rig.ts';
import { recordEvents } from './events.ts';
import { feed } from './feed.ts';
import { register } from './register.ts';

test('the feed has each event once, last received first, over pages and after a given event', async () => {
  await using rig = await membersRig();
  const sent = await sendVisits(rig, 'asha', 130);
  const { items: newest, next_cursor: next } = await feed(rig.context, {});
  assert.equal(newest.length, 50);
  const seen = [...newest];
  for (let cursor = next; cursor !== null;) {
    const page = await feed(rig.context, { before: cursor });
    seen.push(...page.items);
    cursor = page.next_cursor;
  }
  assert.equal(seen.length, sent);
  assert.deepEqual(
    seen.map(({ number }) => number),
    seen.map(({ number }) => number).toSorted((one, other) => other - one),
  );
  const [last] = newest;
  assert.deepEqual((await feed(rig.context, { after: String(last!.number) })).items, []);
  assert.equal(await sendVisits(rig, 'ben', 2), 2 + 2);
  const { items: added } = await feed(rig.context, { after: String(last!.number) });
  assert.deepEqual(
    added.map(({ event }) => event),
    ['visit', 'visit', 'register', 'register'],
  );
});

test('the feed filters by platform and kind, and ignores numbers of events that are malformed', async () => {
  await using rig = await membersRig();
  await sendVisits(rig, 'asha', 3);
  const kinds = async (parameters: Parameters<typeof feed>[1]) =>
    (await feed(rig.context, parameters)).items.map(
      ({ platform, event }) => `${platform} ${event}`,
    );
  assert.deepEqual(await kinds({ platform: 'music' }), ['music register']);
  assert.deepEqual(await kinds({ platform: 'books', event: 'register' }), ['books register']);
  assert.equal((await kinds({ after: '1; DROP', before: '' })).length, 5);
  await assert.rejects(feed(rig.context, { platform: 'none' }), { code: 'unknown_platform' });
  await assert.rejects(feed(rig.context, { event: 'none' }), { code: 'validation_failed' });
});

/** Registers a member on two platforms and sends visits to one; returns the number of events. */
async function sendVisits(rig: MembersRig, name: string, count: number): Promise<number> {
  const [books, music] = [await rig.caller('books'), await rig.caller('music')];
  const user = { email: `${name}@example.com`, local_user_id: name };
  await register(rig.context, music, { ...user, platform: 'music' });
  const { svc_uid: uid } = await register(rig.context, books, { ...user, platform: 'books' });
  for (let sent = 0; sent < count; sent += 100) {
    const events = Array.from({ length: Math.min(100, count - sent) }, (_, at) => ({
      svc_uid: uid,
      platform: 'books',
      event: 'visit',
      event_id: `${name}-${sent + at}`,
    }));
    await recordEvents(rig.context, books, events);
  }
  return count + 2;
}
