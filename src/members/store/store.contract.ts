import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { digestOf } from '../checked-secret.ts';
import { firstDayOfWeek, seoulDay, startOfSeoulDay, weekOf } from '../seoul-day.ts';
import type { MemberRecords, MemberStore } from './store.ts';

/** Two handles on one store, as two processes have, gone at the end of their scope. */
export interface StorePair extends AsyncDisposable {
  readonly store: MemberStore;
  readonly other: MemberStore;
}

/** What every engine must do. `open` makes an empty store each time. */
export function membersStoreContract(engine: string, open: () => Promise<StorePair>): void {
  test(`${engine}: what is acknowledged is there for another process`, async () => {
    await using pair = await open();
    const id = await pair.store.write((records) => addMember(records, 'kim'));
    const found = await pair.other.read.members.byEmail('main', digestOf('kim'));
    assert.deepEqual([found?.id, found?.homeId, found?.svcUid], [id, id, 'svc_kim']);
    assert.equal(await pair.other.read.members.email(id), 'kim');
    assert.equal(await pair.other.read.members.byUid('svc_lee'), null);
  });

  test(`${engine}: what one part of a group throws undoes that part only`, async () => {
    await using pair = await open();
    const outcomes = await Promise.allSettled(
      ['a', 'b', 'c', 'd'].map((name) =>
        pair.store.write(async (records) => {
          await addMember(records, name);
          if (name === 'b') throw new Error('a rule of the domain');
          if (name === 'd') await addMember(records, 'a');
        }),
      ),
    );
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled', 'rejected'],
    );
    assert.equal(await pair.other.read.members.count(), 2);
    assert.equal(await pair.store.read.members.byUid('svc_d'), null);
  });

  test(`${engine}: a transaction sees its own writes, readers only what is committed`, async () => {
    await using pair = await open();
    await pair.store.write(async (records) => {
      await addMember(records, 'kim');
      assert.notEqual(await records.members.byUid('svc_kim'), null);
      assert.equal(await pair.store.read.members.byUid('svc_kim'), null);
    });
    assert.notEqual(await pair.store.read.members.byUid('svc_kim'), null);
  });

  test(`${engine}: insert-or-select from two processes makes one record`, async () => {
    await using pair = await open();
    const stores = Array.from({ length: 64 }, (_, at) => (at % 2 === 0 ? pair.store : pair.other));
    const ids = await Promise.all(stores.map(findOrAddKim));
    assert.equal(new Set(ids).size, 1);
    assert.equal(await pair.store.read.members.count(), 1);
  });

  test(`${engine}: an event id counts once on its platform`, async () => {
    await using pair = await open();
    const insert = (platformId: number, eventId: string) =>
      pair.store.write(async ({ events }) =>
        events.insert({
          platformId,
          eventId,
          membershipId: 1,
          event: 'visit',
          source: 'server',
          occurredAt: 0,
          receivedAt: 0,
          meta: '{"a":1}',
        }),
      );
    assert.deepEqual(
      [await insert(0, 'e'), await insert(0, 'e'), await insert(1, 'e')],
      [true, false, true],
    );
    const [event] = await pair.store.read.events.ofMembership(1, Number.MAX_SAFE_INTEGER, 1);
    assert.deepEqual([event?.platformId, event?.meta, event?.event], [1, '{"a":1}', 'visit']);
  });

  test(`${engine}: a session is live until it ends, expires, or its member’s epoch moves on`, async () => {
    await using pair = await open();
    const tokens = ['a', 'b', 'c', 'd'].map((name) => digestOf(name));
    const [a, b, c, d] = tokens as [Buffer, Buffer, Buffer, Buffer];
    const id = await pair.store.write((records) => addMember(records, 'kim'));
    const session = (tokenHash: Buffer, issuedAt: number, epoch: number) => ({
      tokenHash,
      id: `ses_${issuedAt}`,
      memberId: id,
      membershipId: 1,
      platformId: 0,
      verified: true,
      epoch,
      issuedAt,
      expiresAt: issuedAt + 100,
    });
    const live = async (at: number) => {
      const found = await Promise.all(
        tokens.map(async (token) => pair.other.read.sessions.live(token, at)),
      );
      return found.map((one) => one !== null);
    };
    await pair.store.write(async ({ sessions }) => {
      for (const [at, token] of [a, b, c].entries())
        await sessions.insert(session(token, at + 1, 0), 2);
    });
    assert.deepEqual(await live(50), [false, true, true, false]);
    assert.deepEqual(await live(102), [false, false, true, false]);
    const ended = await pair.store.write(async ({ sessions }) => sessions.end(b));
    assert.deepEqual([ended?.memberId, ended?.id], [id, 'ses_2']);
    await pair.store.write(async ({ sessions }) => sessions.endAll(id));
    assert.deepEqual(await live(50), [false, false, false, false]);
    await pair.store.write(async ({ sessions }) => sessions.insert(session(d, 60, 1), 2));
    assert.deepEqual(await live(70), [false, false, false, true]);
  });

  test(`${engine}: a message of the outbox is taken by one process`, async () => {
    await using pair = await open();
    await pair.store.write(async ({ webhooks }) => {
      const settings = { types: ['member.created'], disabled: false, createdAt: 1 };
      await webhooks.putEndpoint({
        id: 'whe_1',
        url: 'https://a.example',
        secret: 's',
        ...settings,
      });
      await webhooks.insert({
        messageId: 'msg_1',
        endpointId: 'whe_1',
        type: 'member.created',
        body: '{}',
        createdAt: 1,
        attempts: 0,
        nextAt: 1,
        deliveredAt: null,
        status: null,
      });
    });
    const [message] = await pair.other.read.webhooks.due('whe_1', 1, 10);
    const take = (store: MemberStore) =>
      store.write(async ({ webhooks }) => webhooks.lease(message!.id, 1, 60));
    const taken = await Promise.all([take(pair.store), take(pair.other)]);
    assert.deepEqual(taken.toSorted(), [false, true]);
  });

  test(`${engine}: overwriting what was erased leaves the rest`, async () => {
    await using pair = await open();
    await pair.store.write((records) => addMember(records, 'kim'));
    assert.equal(await pair.store.scrub(), true);
    assert.equal(await pair.other.read.members.count(), 1);
  });

  test(`${engine}: activity is counted as a count by hand does`, async () => {
    await fc.assert(
      fc.asyncProperty(histories, async ({ actives, merged }) => {
        await using pair = await open();
        const ids = await pair.store.write(async (records) => {
          const made: number[] = [];
          for (const name of people) made.push(await addMember(records, name));
          for (const { person, daysAgo, platform } of actives) {
            await records.events.markActive(made[person]!, today - daysAgo, platform);
          }
          return made;
        });
        if (merged) await pair.store.write(async ({ merges }) => merges.moveHome(ids[0]!, ids[1]!));
        const facts = await pair.other.activity({ today, weeks, platformBits: 3 });
        const days = actives.map(({ person, daysAgo, platform }) => ({
          person: merged && person === 0 ? 1 : person,
          day: today - daysAgo,
          platform,
        }));
        assert.deepEqual(facts.active, {
          day: byHand(days, today - 1, today),
          week: byHand(days, today - 7, today),
          month: byHand(days, today - 28, today),
        });
        assert.deepEqual(facts.weeks, weeksByHand(days));
      }),
      { numRuns: 40 },
    );
  });
}

const today = seoulDay(startOfSeoulDay(20_775));
const weeks = 3;
const people = ['p0', 'p1', 'p2', 'p3', 'p4'];
const histories = fc.record({
  merged: fc.boolean(),
  actives: fc.array(
    fc.record({
      person: fc.integer({ min: 0, max: people.length - 1 }),
      daysAgo: fc.integer({ min: 0, max: 45 }),
      platform: fc.integer({ min: 0, max: 2 }),
    }),
    { maxLength: 60 },
  ),
});

interface ActiveDay {
  readonly person: number;
  readonly day: number;
  readonly platform: number;
}

function byHand(days: readonly ActiveDay[], from: number, to: number) {
  const counts = new Map<number, number>();
  for (const mask of masksByHand(days, from, to).values()) {
    counts.set(mask, (counts.get(mask) ?? 0) + 1);
  }
  const masks = Array.from(counts, ([platforms, members]) => ({ platforms, members }));
  return masks.sort((a, b) => a.platforms - b.platforms);
}

function masksByHand(days: readonly ActiveDay[], from: number, to: number): Map<number, number> {
  const masks = new Map<number, number>();
  for (const { person, day, platform } of days) {
    if (day < from || day >= to) continue;
    masks.set(person, (masks.get(person) ?? 0) | (1 << platform));
  }
  return masks;
}

function weeksByHand(days: readonly ActiveDay[]) {
  const last = weekOf(today) - 1;
  const activeIn = (week: number) =>
    new Set(masksByHand(days, firstDayOfWeek(week), firstDayOfWeek(week + 1)).keys());
  const firstWeek = (person: number) =>
    Math.min(...days.filter((one) => one.person === person).map(({ day }) => weekOf(day)));
  const all = [...people.keys()];
  return Array.from({ length: weeks }, (_, at) => {
    const week = last - weeks + 1 + at;
    const [now, before] = [activeIn(week), activeIn(week - 1)];
    const count = (test: (person: number) => boolean) => all.filter(test).length;
    const cohort = all.filter((person) => firstWeek(person) === week);
    return {
      week,
      active: byHand(days, firstDayOfWeek(week), firstDayOfWeek(week + 1)),
      new: cohort.length,
      returning: count((one) => now.has(one) && before.has(one) && firstWeek(one) < week),
      resurrected: count((one) => now.has(one) && !before.has(one) && firstWeek(one) < week),
      dormant: count((one) => !now.has(one) && before.has(one)),
      retained: Array.from(
        { length: weeks - at },
        (_, later) => cohort.filter((one) => activeIn(week + later).has(one)).length,
      ),
    };
  });
}

function findOrAddKim(store: MemberStore): Promise<number> {
  return store.write(
    async (records) =>
      (await records.members.byUid('svc_kim'))?.id ?? (await addMember(records, 'kim')),
  );
}

async function addMember(records: MemberRecords, name: string): Promise<number> {
  return records.members.insert({
    svcUid: `svc_${name}`,
    realm: 'main',
    emailHash: digestOf(name),
    email: name,
    tier: 'BRONZE',
    platforms: 0,
    createdAt: 1,
  });
}
