import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { membersRig, operator, type MembersRig } from '../../test/members/rig.ts';
import type { JsonObject } from '../kernel/json-object.ts';
import { Problem } from '../kernel/problem.ts';
import { eraseMember } from './erase.ts';
import {
  recordBrowserEvent,
  recordBrowserEvents,
  recordCardIssued,
  recordEvent,
  recordEvents,
} from './events.ts';
import { register } from './register.ts';
import { checkSession } from './session.ts';
import { issueSso } from './sso.ts';

const user = { email: 'kim@example.com', local_user_id: '1' };

async function member(rig: MembersRig, ...platforms: readonly string[]): Promise<string> {
  let uid = '';
  for (const platform of platforms) {
    const caller = await rig.caller(platform);
    uid = (await register(rig.context, caller, { ...user, platform })).svc_uid;
  }
  return uid;
}

test('events of a server are accepted or refused by name, id, meta and time', async () => {
  await using rig = await membersRig();
  const svc_uid = await member(rig, 'books');
  const books = await rig.caller('books');
  const body = { svc_uid, platform: 'books', event: 'visit', meta: {} };
  const day = 86_400_000;
  const ago = (ms: number) => new Date(rig.clock.now - ms).toISOString();
  const cases: readonly (readonly [object, string | null])[] = [
    [{}, null],
    [{ event: 'purchase', meta: { amount: 12_900 } }, null],
    [{ event: 'refund' }, 'invalid_event'],
    [{ event: undefined }, 'invalid_event'],
    [{ event: 'register' }, 'event_not_allowed'],
    [{ event: 'card_issued' }, 'event_not_allowed'],
    [{ platform: 'music' }, 'platform_mismatch'],
    [{ platform: 'nowhere' }, 'unknown_platform'],
    [{ svc_uid: 'svc_1' }, 'validation_failed'],
    [{ svc_uid: `svc_${'a'.repeat(26)}` }, 'member_not_found'],
    [{ event_id: 'x'.repeat(64) }, null],
    [{ event_id: 'x'.repeat(65) }, 'validation_failed'],
    [{ event_id: '' }, 'validation_failed'],
    [{ meta: [] }, 'validation_failed'],
    [{ meta: { text: 'x'.repeat(8_192 - 11) } }, null],
    [{ meta: { text: 'x'.repeat(8_192 - 10) } }, 'validation_failed'],
    [{ meta: JSON.parse('{"a": {"__proto__": {"b": 1}}}') }, 'validation_failed'],
    [{ occurred_at: ago(400 * day) }, null],
    [{ occurred_at: ago(400 * day + 1) }, 'validation_failed'],
    [{ occurred_at: 'now' }, 'validation_failed'],
    [{ occurred_at: ago(-day) }, null],
  ];
  for (const [change, code] of cases) {
    const sent = recordEvent(rig.context, books, { ...body, ...change });
    if (code === null) assert((await sent).accepted);
    else await assert.rejects(sent, { code }, JSON.stringify(change));
  }
});

test('a member of another platform gets the same refusal as an unknown one', async () => {
  await using rig = await membersRig();
  const svc_uid = await member(rig, 'books');
  const music = await rig.caller('music');
  const sent = (uid: string) =>
    recordEvent(rig.context, music, { svc_uid: uid, platform: 'music', event: 'visit' }).catch(
      (error: unknown) => error,
    );
  assert.deepEqual(await sent(svc_uid), await sent(`svc_${'a'.repeat(26)}`));
});

test('an event of an erased member is 410 for its platforms only, 404 for others', async () => {
  await using rig = await membersRig();
  const svc_uid = await member(rig, 'books');
  await eraseMember(rig.context, svc_uid, operator);
  const send = async (platform: string) =>
    recordEvent(rig.context, await rig.caller(platform), { svc_uid, platform, event: 'visit' });
  await assert.rejects(send('books'), { code: 'member_erased' });
  await assert.rejects(send('music'), { code: 'member_not_found' });
});

test('a known event_id with another member, kind or meta is refused, and a retry is a duplicate', async () => {
  await using rig = await membersRig();
  const { context } = rig;
  const books = await rig.caller('books');
  const [one, other] = await Promise.all(
    ['a', 'b'].map(async (name) => {
      const user = { email: `${name}@example.com`, platform: 'books', local_user_id: name };
      return (await register(context, books, user)).svc_uid;
    }),
  );
  const meta = { amount: 12_000, item: { id: 'b-1', n: 1 } };
  const first = { svc_uid: one!, platform: 'books', event: 'purchase', event_id: 'o-1', meta };
  assert.equal((await recordEvent(context, books, first)).duplicate, false);
  const reordered = { item: { n: 1, id: 'b-1' }, amount: 12_000 };
  assert.equal((await recordEvent(context, books, { ...first, meta: reordered })).duplicate, true);
  const changed = [{ svc_uid: other! }, { event: 'visit' }, { meta: { amount: 1 } }, { meta: {} }];
  for (const change of changed) {
    const refused = recordEvent(context, books, { ...first, ...change });
    await assert.rejects(refused, { code: 'event_id_conflict' }, JSON.stringify(change));
  }
  const answers = await recordEvents(context, books, [
    { ...first, event: 'visit' },
    { ...first, event_id: 'o-2' },
  ]);
  assert.deepEqual(
    answers.map((answer) => (answer instanceof Problem ? answer.code : answer.duplicate)),
    ['event_id_conflict', false],
  );
});

test('card_issued requires the capability card_issuer and an event_id', async () => {
  await using rig = await membersRig();
  const svc_uid = await member(rig, 'books', 'cards');
  const cards = await rig.caller('cards');
  const body = { svc_uid, platform: 'cards', event_id: 'card-1' };
  const answer = { event_id: 'card-1', accepted: true };
  assert.deepEqual(await recordCardIssued(rig.context, cards, body), {
    ...answer,
    duplicate: false,
  });
  assert.deepEqual(await recordCardIssued(rig.context, cards, body), {
    ...answer,
    duplicate: true,
  });
  const nameless = recordCardIssued(rig.context, cards, { ...body, event_id: undefined });
  await assert.rejects(nameless, { code: 'validation_failed' });
  const books = recordCardIssued(rig.context, await rig.caller('books'), {
    ...body,
    platform: 'books',
  });
  await assert.rejects(books, { code: 'event_not_allowed' });
});

test('T19: a page records events of its own member, on a platform of its origin only', async () => {
  await using rig = await membersRig();
  const svc_uid = await member(rig, 'books');
  const { token } = await issueSso(rig.context, await rig.caller('books'), {
    ...user,
    platform: 'books',
  });
  const session = (await checkSession(rig.context, token))!;
  const origin = 'https://books.example.com';
  const send = (change: object, from = origin) =>
    recordBrowserEvent(rig.context, session, from, {
      platform: 'books',
      event: 'visit',
      ...change,
    });
  assert((await send({})).accepted);
  assert((await send({ svc_uid })).accepted);
  await assert.rejects(send({ svc_uid: `svc_${'a'.repeat(26)}` }), { code: 'uid_mismatch' });
  await assert.rejects(send({ platform: 'music' }), { code: 'origin_not_allowed' });
  for (const other of [
    'null',
    'https://evil.example.com',
    'http://books.example.com',
    `${origin}:8443`,
  ]) {
    await assert.rejects(send({}, other), { code: 'origin_not_allowed' });
  }
  await assert.rejects(send({ event: 'register' }), { code: 'event_not_allowed' });
  const totals = await rig.context.store.read.events.totals();
  const visits = totals.find(({ event }) => event === 'visit');
  assert.deepEqual([visits?.source, visits?.count], ['browser', 2]);
});

test('T21: an event with a forbidden number is neither stored nor repeated in the problem', async () => {
  await using rig = await membersRig();
  const svc_uid = await member(rig, 'books');
  const books = await rig.caller('books');
  for (const secret of ['4111 1111 1111 1111', '901010-1234567']) {
    const meta = { note: secret };
    const sent = recordEvent(rig.context, books, {
      svc_uid,
      platform: 'books',
      event: 'visit',
      meta,
    });
    await assert.rejects(sent, (error: Error & { code?: string }) => {
      assert.equal(error.code, 'forbidden_content');
      return !JSON.stringify([error, error.message]).includes(secret);
    });
    assert(!(await rig.place.content()).includes(secret));
  }
});

test('T34: sent_at corrects the event time of a sender with a wrong clock', async () => {
  await using rig = await membersRig();
  const svc_uid = await member(rig, 'books');
  const books = await rig.caller('books');
  for (const skew of [-86_400_000, 86_400_000]) {
    await recordEvent(rig.context, books, {
      svc_uid,
      platform: 'books',
      event: 'visit',
      occurred_at: new Date(rig.clock.now + skew - 60_000).toISOString(),
      sent_at: new Date(rig.clock.now + skew).toISOString(),
    });
  }
  const found = (await rig.context.store.read.members.byUid(svc_uid))!;
  const [membership] = await rig.context.store.read.memberships.of(found.id);
  const events = await rig.context.store.read.events.ofMembership(membership!.id, 2 ** 40, 2);
  assert.deepEqual(
    events.map(({ occurredAt }) => rig.clock.now - occurredAt),
    [60_000, 60_000],
  );
});

test('T34: an event time in the future becomes the current time', async () => {
  await using rig = await membersRig();
  const books = await rig.caller('books');
  const { svc_uid } = await register(rig.context, books, {
    email: 'ahead@example.com',
    platform: 'books',
    local_user_id: '1',
  });
  const occurred_at = new Date(rig.clock.now + 86_400_000).toISOString();
  const event = { svc_uid, platform: 'books', event: 'visit', event_id: 'ahead', occurred_at };
  await recordEvent(rig.context, books, event);
  const { read } = rig.context.store;
  const member = (await read.members.byUid(svc_uid))!;
  const [membership] = await read.memberships.of(member.id);
  const [latest] = await read.events.ofMembership(membership!.id, 2 ** 40, 1);
  assert.deepEqual([latest?.eventId, latest?.occurredAt], ['ahead', rig.clock.now]);
});

test('T20: a batch sent five times at once counts once', async () => {
  await using rig = await membersRig();
  const svc_uid = await member(rig, 'books');
  const books = await rig.caller('books');
  const batch = Array.from({ length: 100 }, (_, at) => ({
    svc_uid,
    platform: 'books',
    event: 'visit',
    event_id: `visit-${at}`,
  }));
  const sent = Array.from({ length: 5 }, () => recordEvents(rig.context, books, batch));
  const answers = (await Promise.all(sent)).flat();
  assert.equal(answers.length, 500);
  assert.equal(answers.filter((answer) => 'accepted' in answer && !answer.duplicate).length, 100);
  const totals = await rig.context.store.read.events.totals();
  assert.equal(totals.find(({ event }) => event === 'visit')?.count, 100);
});

test('T20: concurrent batches in any order count each event once', async () => {
  await using rig = await membersRig();
  const svc_uid = await member(rig, 'books', 'music');
  const callers = { books: await rig.caller('books'), music: await rig.caller('music') };
  const model = new Set<string>();
  const sendings = fc.array(
    fc.record({
      platform: fc.constantFrom('books' as const, 'music' as const),
      ids: fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 20 }),
    }),
    { minLength: 1, maxLength: 8 },
  );
  await fc.assert(
    fc.asyncProperty(sendings, async (batches) => {
      const answers = await Promise.all(
        batches.map(({ platform, ids }) =>
          recordEvents(
            rig.context,
            callers[platform],
            ids.map((id) => ({ svc_uid, platform, event: 'visit', event_id: `e${id}` })),
          ),
        ),
      );
      const fresh = new Set<string>();
      for (const [at, { platform, ids }] of batches.entries()) {
        for (const [place, id] of ids.entries()) {
          const answer = answers[at]![place]!;
          assert('duplicate' in answer);
          const name = `${platform} ${id}`;
          if (!answer.duplicate) {
            assert(!model.has(name) && !fresh.has(name));
            fresh.add(name);
          }
        }
      }
      for (const { platform, ids } of batches) for (const id of ids) model.add(`${platform} ${id}`);
      const totals = await rig.context.store.read.events.totals();
      const visits = totals.filter(({ event }) => event === 'visit');
      assert.equal(
        visits.reduce((sum, { count }) => sum + count, 0),
        model.size,
      );
    }),
    { numRuns: 30 },
  );
});

test('a batch of up to 100 events reports a wrong one at its position and records the others', async () => {
  await using rig = await membersRig();
  const svc_uid = await member(rig, 'books');
  const books = await rig.caller('books');
  const visit = { svc_uid, platform: 'books', event: 'visit' };
  const answers = await recordEvents(rig.context, books, [visit, { ...visit, event: 'x' }, visit]);
  const codes = answers.map((answer) => ('accepted' in answer ? answer.accepted : answer.code));
  assert.deepEqual(codes, [true, 'invalid_event', true]);
  const many = Array.from({ length: 101 }, () => visit);
  await assert.rejects(recordEvents(rig.context, books, many), { code: 'validation_failed' });
  assert.equal((await recordEvents(rig.context, books, many.slice(1))).length, 100);
});

test('a page’s batch of up to 20 events reports a wrong one at its position', async () => {
  await using rig = await membersRig();
  await member(rig, 'books');
  const { token } = await issueSso(rig.context, await rig.caller('books'), {
    ...user,
    platform: 'books',
  });
  const session = (await checkSession(rig.context, token))!;
  const send = (bodies: readonly JsonObject[]) =>
    recordBrowserEvents(rig.context, session, 'https://books.example.com', bodies);
  const visit = { platform: 'books', event: 'visit', event_id: 'v-1' };
  const others = [
    { ...visit, svc_uid: `svc_${'a'.repeat(26)}` },
    { ...visit, platform: 'music' },
  ];
  const answers = await send([visit, ...others, visit]);
  const codes = answers.map((answer) => ('accepted' in answer ? answer.duplicate : answer.code));
  assert.deepEqual(codes, [false, 'uid_mismatch', 'origin_not_allowed', true]);
  const many = Array.from({ length: 21 }, () => visit);
  await assert.rejects(send(many), { code: 'validation_failed' });
  assert.equal((await send(many.slice(1))).length, 20);
});

test('T19, T20: event ids of a page cannot take ids of servers or of other members', async () => {
  await using rig = await membersRig();
  const svc_uid = await member(rig, 'books');
  const books = await rig.caller('books');
  const { token } = await issueSso(rig.context, books, { ...user, platform: 'books' });
  const session = (await checkSession(rig.context, token))!;
  const origin = 'https://books.example.com';
  const forged = { platform: 'books', event: 'visit', event_id: 'order-1' };
  const first = await recordBrowserEvent(rig.context, session, origin, forged);
  assert.deepEqual(first, { event_id: 'order-1', accepted: true, duplicate: false });
  assert((await recordBrowserEvent(rig.context, session, origin, forged)).duplicate);
  const real = { svc_uid, platform: 'books', event: 'purchase', event_id: 'order-1' };
  assert(!(await recordEvent(rig.context, books, real)).duplicate);
});
