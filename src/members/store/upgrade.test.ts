import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { migrate, migrationsIn } from '../../kernel/migrate.ts';
import { emailHash } from '../email.ts';
import { SqliteMemberStore } from './sqlite.ts';
import type { MemberTransaction } from './store.ts';

const dump = join(import.meta.dirname, '../../../test/fixtures/members-before-account-life.sql');

/** A store as the second version of the schema left it, at `path`. */
function restore(path: string): void {
  using database = new DatabaseSync(path);
  database.exec(`PRAGMA foreign_keys = OFF; BEGIN; ${readFileSync(dump, 'utf8')} COMMIT`);
}

test('a store from before links were unique has one link for a local id', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'members.db');
  restore(path);
  await using store = new SqliteMemberStore(path);
  const { memberships, members } = store.read;
  const owners = await Promise.all(
    ['1', '77', '6', '8'].map(async (id) => (await memberships.byLocalUserId(0, id))?.memberId),
  );
  const emails = await Promise.all(
    owners.map(async (id) => (id === undefined ? null : members.email(id))),
  );
  // The platform named the new address last for 77, and gave lee the 6 of park.
  const expected = ['kim@example.com', 'new@example.com', 'lee@example.com', 'choi2@example.com'];
  assert.deepEqual(emails, expected);
  assert.equal((await members.byLocalUserId(0, '77'))?.id, owners[1]);
  const unbound = await Promise.all([2, 5].map(async (id) => memberships.of(id)));
  assert.deepEqual(
    unbound.flat().map(({ localUserId, verified }) => [localUserId, verified]),
    [
      [null, true],
      [null, true],
    ],
  );
  assert.equal((await members.byId(2))?.tier, 'GOLD');
});

test('a store refuses a second link of a platform with the same local id', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'members.db');
  restore(path);
  await using store = new SqliteMemberStore(path);
  const link = {
    memberId: 7,
    homeId: 7,
    platformId: 1,
    localUserId: 'm-1',
    emailTyped: null,
    verified: true,
    linkedAt: 0,
    addressedAt: null,
    cameFrom: null,
  };
  const insert = (localUserId: string | null) =>
    store.write(async ({ memberships }) => memberships.insert({ ...link, localUserId }));
  await assert.rejects(insert('m-1'), /UNIQUE constraint failed/);
  await insert('m-3');
});

test('members of a store from before 0013 are at their addresses, and can give them up', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'members.db');
  restore(path);
  await using store = new SqliteMemberStore(path);
  const { members, memberships, platforms } = store.read;
  const [first, second] = await platforms.all();
  const hash = emailHash('kim@example.com');
  const kim = (await members.byAddress(first!, hash))!;
  assert.equal(kim.gaveUp, 0);
  const link = (await memberships.at(kim.homeId, first!.id))!;
  const giveUp = async (tx: MemberTransaction) => {
    await tx.memberships.noteMove(link, kim.svcUid, 1, 16);
    await tx.members.giveUpAddress(link);
  };
  await store.write(giveUp);
  assert.deepEqual(await members.byAddress(first!, hash), { ...kim, gaveUp: 1 });
  assert.equal(await members.byEmail(kim.realm, hash), null);
  const isLinked = (await memberships.at(kim.homeId, second!.id)) !== null;
  assert.equal((await members.byAddress(second!, hash)) !== null, isLinked);
  assert.equal(await members.email(kim.homeId), 'kim@example.com');
  assert.equal((await members.formerOf(link, hash))?.svcUid, kim.svcUid);
  await store.write(async (tx) => tx.members.regainAddress(kim.homeId));
  assert.deepEqual(await members.byAddress(second!, hash), kim);
});

test('a link remembers its latest moves only, and none after its end', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'members.db');
  restore(path);
  await using store = new SqliteMemberStore(path);
  const link = (await store.read.memberships.byLocalUserId(0, '1'))!;
  await store.write(async (tx) => {
    for (let at = 0; at < 20; at++) await tx.memberships.noteMove(link, `svc_${at}`, at, 16);
  });
  const { memberships } = store.read;
  assert.equal(await memberships.movedFrom('svc_3', 0), null);
  assert.deepEqual(await memberships.movedFrom('svc_4', 0), link);
  assert.equal(await memberships.movedFrom('svc_4', 1), null);
  await store.write(async (tx) => tx.erasures.eraseMembership(link.id));
  assert.equal(await memberships.movedFrom('svc_4', 0), null);
});

test('a store from before passkeys keeps its operators, and a removal takes their passkeys along', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'members.db');
  {
    using database = new DatabaseSync(path);
    const all = migrationsIn(join(import.meta.dirname, 'migrations'));
    migrate(
      database,
      all.filter(({ name }) => name < '0011'),
    );
    database.exec(
      `INSERT INTO operators VALUES ('hana', 'owner', 'a:b', NULL, NULL, NULL, 0, 'e', 1)`,
    );
  }
  await using store = new SqliteMemberStore(path);
  assert.equal((await store.read.operators.byName('hana'))?.passphrase, 'a:b');
  const passkey = {
    id: 'p',
    operator: 'hana',
    name: '노트북',
    credentialId: 'AQID',
    publicKey: Uint8Array.of(1, 2),
    signCount: 3,
    transports: ['internal', 'hybrid'],
    isBackupEligible: true,
    isBackedUp: false,
    createdAt: 4,
    usedAt: null,
  };
  const put = (change: object) =>
    store.write(async ({ passkeys }) => passkeys.put({ ...passkey, ...change }));
  await put({});
  assert.deepEqual(await store.read.passkeys.byCredential('AQID'), passkey);
  await assert.rejects(put({ id: 'q' }), /UNIQUE constraint failed/);
  await assert.rejects(put({ id: 'q', credentialId: 'x', operator: 'ben' }), /FOREIGN KEY/);
  await put({ signCount: 5, isBackedUp: true, usedAt: 6, name: '집' });
  const used = { ...passkey, signCount: 5, isBackedUp: true, usedAt: 6, name: '집' };
  assert.deepEqual(await store.read.passkeys.of('hana'), [used]);
  await store.write(async ({ operators }) => operators.delete('hana'));
  assert.deepEqual(await store.read.passkeys.of('hana'), []);
});

test('every value of a store from version 2 of the schema is in the upgraded one', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'members.db');
  restore(path);
  const earlier = contentsOf(path);
  assert.equal(earlier.size, 20);
  {
    await using store = new SqliteMemberStore(path);
    assert.notEqual(await store.read.platforms.all(), []);
  }
  const after = contentsOf(path, earlier);
  // The earlier of two links with one local id lost it, and the session that started through it ended.
  const [unbound, ended] = [[3, 6], 3];
  for (const row of earlier.get('local_users')!) {
    if (!unbound.includes(Number(row['membership_id']))) continue;
    row['local_user_id'] = null;
    row['local_hash'] = new Uint8Array(16);
  }
  const sessions = earlier.get('sessions')!;
  earlier.set(
    'sessions',
    sessions.filter((row) => row['membership_id'] !== ended),
  );
  for (const [table, rows] of earlier) assert.deepEqual(after.get(table), rows, table);
  using database = new DatabaseSync(path, { readOnly: true });
  assert.deepEqual(database.prepare('PRAGMA foreign_key_check').all(), []);
});

for (const [table, row] of [
  ['erasures', `'r1', 'svc_a', 'main', x'00', 1, 900`],
  ['departures', `0, x'00', 900`],
  ['early_departures', `0, x'00', 900`],
  ['released_addresses', `'main', x'00', 1, 0, 900`],
] as const) {
  test(`a store from before 0015 with a latest departure in ${table} refuses older requests`, () => {
    using database = new DatabaseSync(':memory:');
    const all = migrationsIn(join(import.meta.dirname, 'migrations'));
    migrate(
      database,
      all.filter(({ name }) => name < '0015'),
    );
    database.exec(
      `INSERT INTO erasures VALUES ('r2', 'svc_b', 'main', x'01', 1, 500);
       INSERT INTO ${table} VALUES (${row})`,
    );
    migrate(database, all);
    const latest = database.prepare('SELECT at FROM latest_departure').get();
    assert.equal(latest?.['at'], 900);
  });
}

type Rows = Record<string, unknown>[];

/** Rows by table without the migrations; of those tables and columns that `known` has. */
function contentsOf(path: string, known?: ReadonlyMap<string, Rows>): Map<string, Rows> {
  using database = new DatabaseSync(path, { readOnly: true });
  const named = database
    .prepare(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('migrations', 'sqlite_sequence')`,
    )
    .all();
  const tables = known?.keys() ?? named.map(({ name }) => String(name));
  return new Map(
    Array.from(tables, (table) => {
      const columns = Object.keys(known?.get(table)?.[0] ?? {}).join() || '*';
      return [table, database.prepare(`SELECT ${columns} FROM ${table} ORDER BY 1, 2`).all()];
    }),
  );
}
