import assert from 'node:assert/strict';
import { appendFileSync, copyFileSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { configuration, operator } from '../../test/members/rig.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { scopes } from '../contract/enumerations.ts';
import { eraseMember } from './erase.ts';
import { authenticateKey, issueKey } from './keys.ts';
import { leave } from './leave.ts';
import { memberLimits } from './limits.ts';
import { mergeMembers, splitMembers } from './merge.ts';
import { readPlatformConfiguration } from './platform-configuration.ts';
import { PlatformDirectory } from './platform-directory.ts';
import { declarePlatforms } from './platforms.ts';
import { reapplyErasures } from './reapply-erasures.ts';
import { register } from './register.ts';
import type { EarlyDeparture } from './store/entities.ts';
import { ErasureLedger } from './store/erasure-ledger.ts';
import { SqliteMemberStore } from './store/sqlite.ts';
import { verifyAudit } from './verify-audit.ts';

const now = () => Date.parse('2026-11-22T12:00:00+09:00');

/** A store with a ledger beside it, as a start of the service opens them. */
async function start(folder: string) {
  const ledger = new ErasureLedger(join(folder, 'erasures.ndjson'));
  const store = new SqliteMemberStore(join(folder, 'members.db'), { ledger });
  const platforms = new PlatformDirectory(store);
  const context = { store, platforms, now, secret: Buffer.alloc(32, 7) };
  await declarePlatforms(context, readPlatformConfiguration(configuration), operator);
  const reapplied = await reapplyErasures(context, ledger);
  return {
    context,
    ledger,
    reapplied,
    async join(name: string, platform = 'books', more = {}) {
      const { secret } = await issueKey(context, { platform, scopes }, operator);
      const body = { email: `${name}@example.com`, platform, local_user_id: name, ...more };
      return (await register(context, await authenticateKey(context, secret), body)).svc_uid;
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

function minutesAgo(minutes: number) {
  return { requested_at: new Date(now() - minutes * 60_000).toISOString() };
}

async function uidsOf(ledger: ErasureLedger): Promise<readonly (string | null)[]> {
  const uids = [];
  for await (const entry of ledger.entries()) {
    if (entry === null) uids.push(null);
    else if ('receiptId' in entry) uids.push(entry.svcUid);
  }
  return uids;
}

function restore(folder: string, backup: string): void {
  for (const suffix of ['-wal', '-shm'])
    rmSync(join(folder, `members.db${suffix}`), { force: true });
  copyFileSync(backup, join(folder, 'members.db'));
}

test('T23: a restored backup does not bring back members that were erased after it', async () => {
  using folder = temporaryFolder();
  const backup = join(folder.path, 'backup.db');
  const uids: string[] = [];
  {
    await using service = await start(folder.path);
    for (const name of ['asha', 'ben', 'cho']) uids.push(await service.join(name));
    await service.context.store.backup(backup);
    await eraseMember(service.context, uids[0]!, operator);
    // Erased after it was merged, which the backup does not know either.
    const [, from, into] = uids as [string, string, string];
    await mergeMembers(
      service.context,
      { from, into, dryRun: false, isSamePerson: true },
      operator,
    );
    const late = await service.join('dan');
    await eraseMember(service.context, late, operator);
    await eraseMember(service.context, into, operator);
    const stored = await uidsOf(service.ledger);
    assert.deepEqual(stored, [uids[0], late, from, into]);
  }
  restore(folder.path, backup);
  {
    await using service = await start(folder.path);
    assert.deepEqual(service.reapplied, { members: 3, damaged: 0 });
    const { members, erasures } = service.context.store.read;
    assert.equal(await members.count(), 0);
    assert.equal((await erasures.list('', 200)).length, 4);
    assert.equal((await verifyAudit(service.context)).intact, true);
    assert.equal((await uidsOf(service.ledger)).length, 4);
  }
  await using service = await start(folder.path);
  assert.deepEqual(service.reapplied, { members: 0, damaged: 0 });
});

test('a member that was split off before an erasure survives the restore of an older backup', async () => {
  using folder = temporaryFolder();
  const backup = join(folder.path, 'backup.db');
  let from = '';
  {
    await using service = await start(folder.path);
    from = await service.join('asha');
    const into = await service.join('ben');
    const pair = { from, into, dryRun: false, isSamePerson: true };
    const { merge_id: mergeId } = await mergeMembers(service.context, pair, operator);
    await service.context.store.backup(backup);
    await splitMembers(service.context, { mergeId: mergeId!, dryRun: false }, operator);
    await eraseMember(service.context, into, operator);
  }
  restore(folder.path, backup);
  await using service = await start(folder.path);
  assert.equal(service.reapplied.members, 1);
  const [left, ...others] = await service.context.store.read.members.list(0, 10);
  assert.deepEqual(
    [others.length, left?.svcUid, left?.mergedInto, left?.platforms],
    [0, from, null, 1],
  );
});

for (const [timing, signedUp, left] of [
  ['at once', {}, {}],
  ['by late requests', minutesAgo(60), minutesAgo(30)],
] as const) {
  test(`T23: a restored backup does not bring back a link that its user had ended ${timing}`, async () => {
    using folder = temporaryFolder();
    const backup = join(folder.path, 'backup.db');
    let uid = '';
    {
      await using service = await start(folder.path);
      uid = await service.join('asha', 'books', signedUp);
      assert.equal(await service.join('asha', 'music'), uid);
      await service.context.store.backup(backup);
      const books = (await service.context.platforms.byCode('books'))!;
      await leave(service.context, books, { local_user_id: 'asha', ...left }, operator);
    }
    restore(folder.path, backup);
    await using service = await start(folder.path);
    const { members, memberships } = service.context.store.read;
    const member = (await members.byUid(uid))!;
    const music = (await service.context.platforms.byCode('music'))!;
    const links = await memberships.of(member.id);
    assert.deepEqual(
      links.map(({ platformId }) => platformId),
      [music.id],
    );
    assert.equal(member.platforms, 1 << music.id);
  });
}

for (const [sharing, isShared] of [
  ['alone', false],
  ['with another platform', true],
] as const) {
  test(`T36: a restored link ${sharing} does not join the next owner of an address it left`, async () => {
    using folder = temporaryFolder();
    const backup = join(folder.path, 'backup.db');
    const address = { email: 'asha@example.com' };
    const moved = { email: 'asha.new@example.com' };
    let uid = '';
    {
      await using service = await start(folder.path);
      uid = await service.join('asha', 'books', minutesAgo(60));
      if (isShared) await service.join('asha', 'cards', minutesAgo(60));
      await service.context.store.backup(backup);
      await service.join('asha', 'books', { ...moved, ...minutesAgo(30) });
    }
    restore(folder.path, backup);
    {
      await using service = await start(folder.path);
      const next = await service.join('ben', 'music', address);
      const late = await service.join('asha', 'outside', { ...address, ...minutesAgo(40) });
      assert.equal(new Set([uid, next, late]).size, 3);
      const { members, memberships } = service.context.store.read;
      const owner = (await members.byUid(next))!;
      assert.equal((await memberships.of(owner.id)).length, 1);
      const again = await service.join('asha', 'books', { ...moved, ...minutesAgo(30) });
      assert.equal(again === uid, !isShared);
    }
    await using service = await start(folder.path);
    const { members, memberships } = service.context.store.read;
    const books = (await service.context.platforms.byCode('books'))!;
    const link = (await memberships.byLocalUserId(books.id, 'asha'))!;
    assert.equal(await members.email(link.homeId), moved.email);
  });
}

test('T23: a restored link ends if its user left after it had moved to another member', async () => {
  using folder = temporaryFolder();
  const backup = join(folder.path, 'backup.db');
  {
    await using service = await start(folder.path);
    await service.join('asha', 'books', minutesAgo(60));
    await service.join('asha', 'cards', minutesAgo(60));
    await service.context.store.backup(backup);
    const moved = { email: 'asha.new@example.com', ...minutesAgo(30) };
    await service.join('asha', 'books', moved);
    const books = (await service.context.platforms.byCode('books'))!;
    await leave(service.context, books, { local_user_id: 'asha' }, operator);
  }
  restore(folder.path, backup);
  await using service = await start(folder.path);
  const { members, memberships } = service.context.store.read;
  const books = (await service.context.platforms.byCode('books'))!;
  assert.equal(await memberships.byLocalUserId(books.id, 'asha'), null);
  assert.equal(await members.count(), 1);
});

test('a restored store, too, refuses the sign-up of a closed account that Maru never knew', async () => {
  using folder = temporaryFolder();
  const backup = join(folder.path, 'backup.db');
  {
    await using service = await start(folder.path);
    await service.context.store.backup(backup);
    const books = (await service.context.platforms.byCode('books'))!;
    for (const minutes of [30, 20]) {
      const body = { local_user_id: 'asha', ...minutesAgo(minutes) };
      const left = leave(service.context, books, body, operator);
      await assert.rejects(left, { code: 'member_not_found' });
    }
    const lines = readFileSync(join(folder.path, 'erasures.ndjson'), 'utf8').trim().split('\n');
    assert.equal(lines.length, 1);
    assert(!lines[0]!.includes('asha'));
  }
  restore(folder.path, backup);
  await using service = await start(folder.path);
  const late = service.join('asha', 'books', minutesAgo(40));
  await assert.rejects(late, { code: 'member_erased' });
  await service.join('asha', 'books', minutesAgo(10));
});

test('departures that the store dropped are neither appended to the ledger nor noted again', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'erasures.ndjson');
  await using service = await start(folder.path);
  const { context, ledger } = service;
  const { earlyDeparturesMax: most } = memberLimits;
  const departure = (at: number) => {
    const tombstone = Buffer.alloc(32);
    tombstone.writeUInt32BE(at);
    return { platformId: 0, tombstone, leftAt: now() - most + at };
  };
  const note = (departures: readonly EarlyDeparture[]) =>
    context.store.write(async ({ erasures }) => {
      for (const one of departures) await erasures.noteEarlyDeparture(one, 0, most);
    });
  const all = Array.from({ length: most + 50 }, (_, at) => departure(at));
  await note(all.slice(0, most));
  const size = statSync(path).size;
  await note(all.slice(most));
  // The next night reports all of them again.
  const again = all.slice(0, 50).map((one) => ({ ...one, leftAt: now() + 50 }));
  await note(again);
  assert.equal(statSync(path).size, size);
  let rounds = 0;
  const store = Object.assign(Object.create(context.store) as typeof context.store, {
    write(work: Parameters<typeof context.store.write>[0]) {
      rounds++;
      return context.store.write(work);
    },
  });
  await reapplyErasures({ ...context, store }, ledger);
  assert.equal(rounds, 0);
});

test('the ledger gets the erasures it lacks, and a line that a crash cut off harms no other', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'erasures.ndjson');
  let uid = '';
  {
    await using service = await start(folder.path);
    assert.equal(existsSync(path), false);
    uid = await service.join('asha');
    await eraseMember(service.context, uid, operator);
    assert.equal(statSync(path).mode & 0o777, 0o600);
  }
  rmSync(path);
  {
    await using service = await start(folder.path);
    assert.deepEqual(await uidsOf(service.ledger), [uid]);
    appendFileSync(path, '{"receipt_id":"rcp_');
    const other = await service.join('ben');
    await eraseMember(service.context, other, operator);
    assert.deepEqual(await uidsOf(service.ledger), [uid, null, other]);
  }
  await using service = await start(folder.path);
  assert.deepEqual(service.reapplied, { members: 0, damaged: 1 });
});
