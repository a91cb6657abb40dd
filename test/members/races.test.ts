import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { canonicalEmail, emailHash } from '../../src/members/email.ts';
import { grantAsOperator } from '../../src/members/operator-entitlements.ts';
import { memberLimits } from '../../src/members/limits.ts';
import { PlatformDirectory } from '../../src/members/platform-directory.ts';
import { readPlatformConfiguration } from '../../src/members/platform-configuration.ts';
import { declarePlatforms } from '../../src/members/platforms.ts';
import { PostgresMemberStore } from '../../src/members/postgres/store.ts';
import { verifyAudit } from '../../src/members/verify-audit.ts';
import { addWebhookEndpoint } from '../../src/members/webhooks.ts';
import { isLongForm } from '../long-form.ts';
import { emptyDatabase, patient } from '../postgres/database.ts';
import { configuration, operator } from './rig.ts';
import type { RaceCall, RaceEnd } from './racing.ts';

/** Races of each kind; a race is one call in each of two processes at the same time. */
const races = isLongForm ? 3_000 : 60;
/** Members whose messages two processes send. */
const dueMembers = isLongForm ? 300 : 30;
/** Races that run at once. */
const atOnce = 40;

test('two processes that race on PostgreSQL end as if one call came after the other', async () => {
  await using arena = await openArena();
  const { context } = arena;
  const users = Array.from({ length: races }, (_, at) => `user${at}`);

  const equal = await arena.race(users, (user) => ({ kind: 'register', platform: 'forum', user }));
  for (const ends of equal) {
    const [one, two] = ends.map(valueOf) as { uid: string; created: boolean }[];
    assert.equal(one!.uid, two!.uid);
    assert.notEqual(one!.created, two!.created);
  }

  // Sessions of asserted links: the first verified link ends them.
  await arena.race(users, (user) => ({ kind: 'issue', platform: 'forum', user }));
  await arena.race(users, (user, process) => ({
    kind: 'register',
    platform: process === 0 ? 'books' : 'music',
    user,
  }));
  const days = await context.store.read.assurance.since(0, 100);
  assert.equal(sum(days.map(({ upgrades }) => upgrades)), races, 'first verified links');

  const sessionUsers = users.slice(0, Math.ceil(races / 10));
  const members = await Promise.all(
    sessionUsers.map(async (user) => {
      const hash = emailHash(canonicalEmail(`${user}@example.com`));
      return (await context.store.read.members.byEmail('main', hash))!;
    }),
  );
  for (let round = 0; round < memberLimits.liveSessionsMax; round++) {
    await arena.race(sessionUsers, (user) => ({ kind: 'issue', platform: 'books', user }));
  }
  for (const { id } of members) {
    const live = await context.store.read.sessions.liveCount(id, Date.now());
    assert.equal(live, memberLimits.liveSessionsMax, 'live sessions');
  }

  const before = (await context.store.read.audit.head())?.seq ?? 0;
  const tries = Array.from({ length: memberLimits.keysPerPlatformMax }, (_, at) => String(at));
  const rounds = Math.ceil(races / tries.length);
  for (let round = 0; round < rounds; round++) {
    const issued = await arena.race(tries, () => ({ kind: 'key', platform: 'books' }));
    const kids = issued.flat().flatMap((end) => ('value' in end ? [String(end.value)] : []));
    assert.equal(kids.length, memberLimits.keysPerPlatformMax, 'live keys');
    // Both processes write an entry of the audit log for each key.
    (await arena.race(kids, (kid) => ({ kind: 'revoke', kid }))).flat().forEach(valueOf);
  }
  const verdict = await verifyAudit(context);
  assert(verdict.intact, JSON.stringify(verdict));
  const { seq } = (await context.store.read.audit.head())!;
  assert.equal(seq - before, rounds * tries.length * 3, 'entries of the audit log');
});

test('work that is due is done once by two processes on PostgreSQL', async () => {
  await using arena = await openArena();
  const { context } = arena;
  const url = 'https://hooks.example.com/';
  await addWebhookEndpoint(context, url, ['member.created', 'entitlement.changed'], operator);
  const users = Array.from({ length: dueMembers }, (_, at) => `user${at}`);
  const registered = await arena.race(users, (user) => ({
    kind: 'register',
    platform: 'books',
    user,
  }));
  for (const [end] of registered) {
    const { uid } = valueOf(end!) as { uid: string };
    const from = new Date(Date.now() - 60_000).toISOString();
    await grantAsOperator({ ...context, now: slowClock }, uid, 'archive', { from }, operator);
  }
  for (let isDue = true; isDue;) {
    const ends = (await arena.race(['a', 'b'], () => ({ kind: 'report' }))).flat();
    // A process that waits too long for the rows of the other one reports in its next turn.
    for (const end of ends) if ('code' in end) assert.equal(end.code, 'storage_unavailable');
    isDue = ends.some((end) => 'code' in end || end.value !== 0);
  }
  const sent: unknown[] = [];
  // A round of deliveries ends after a while, whether all are sent or not.
  for (let before = -1; sent.length > before;) {
    before = sent.length;
    for (const end of (await arena.race(['a'], () => ({ kind: 'deliver' }))).flat()) {
      sent.push(...(valueOf(end) as unknown[]));
    }
  }
  const messages = await context.store.read.webhooks.list(2 ** 40, 10_000);
  const reports = messages.filter(({ type }) => type === 'entitlement.changed');
  assert.equal(reports.length, users.length * 2, 'one at the grant and one at its start');
  assert(messages.length >= users.length * 2);
  assert.equal(sent.length, messages.length);
  assert.equal(new Set(sent).size, sent.length);
  const taken = await arena.race(['a', 'b', 'c', 'd'], () => ({ kind: 'retain' }));
  assert.deepEqual(taken.flat().filter((end) => valueOf(end) === true).length, 1);
});

/** A clock that is two minutes behind: for it, a grant that began a minute ago has not begun. */
function slowClock(): number {
  return Date.now() - 120_000;
}

/** Starts two processes on one database, and opens a context of it in this process. */
async function openArena() {
  const stack = new AsyncDisposableStack();
  const url = await emptyDatabase();
  const store = stack.use(await PostgresMemberStore.open(url, patient));
  const platforms = new PlatformDirectory(store);
  const context = { store, platforms, now: Date.now, secret: Buffer.alloc(32, 7) };
  await declarePlatforms(context, readPlatformConfiguration(configuration), operator);
  const processes = await Promise.all([0, 1].map(() => startProcess(url)));
  for (const each of processes) stack.defer(() => each.disconnect());
  const race = async (
    names: readonly string[],
    callOf: (name: string, process: number) => RaceCall,
  ): Promise<readonly (readonly RaceEnd[])[]> => {
    const results: (readonly RaceEnd[])[] = [];
    for (let from = 0; from < names.length; from += atOnce) {
      const part = names.slice(from, from + atOnce);
      const ends = await Promise.all(
        processes.map((each, process) =>
          run(
            each,
            part.map((name) => callOf(name, process)),
          ),
        ),
      );
      results.push(...part.map((_, at) => ends.map((of) => of[at]!)));
    }
    return results;
  };
  return { context, race, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

async function startProcess(url: string): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, 'racing.ts'), [url]);
  await once(child, 'message');
  return child;
}

async function run(child: ChildProcess, calls: readonly RaceCall[]): Promise<readonly RaceEnd[]> {
  const answer = once(child, 'message');
  child.send(calls);
  // The process sends nothing else.
  const [ends] = (await answer) as [readonly RaceEnd[]];
  return ends;
}

function valueOf(end: RaceEnd): unknown {
  if ('code' in end) throw new Error(end.code);
  return end.value;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
