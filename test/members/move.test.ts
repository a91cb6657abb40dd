import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import pg from 'pg';
import { openMembers, type OpenedMembers } from '../../bin/open-members.ts';
import { SeededRandom } from '../../sample/seeded-random.ts';
import { scopes } from '../../src/contract/enumerations.ts';
import { logAccess } from '../../src/admin/operators/access-log.ts';
import { addOperator } from '../../src/admin/operators/change-operators.ts';
import type { MemberContext } from '../../src/members/context.ts';
import {
  declareConsentPurposes,
  readConsentPurposes,
} from '../../src/members/consent-configuration.ts';
import { eraseMember } from '../../src/members/erase.ts';
import { recordEvents } from '../../src/members/events.ts';
import { authenticateKey, issueKey } from '../../src/members/keys.ts';
import { mergeMembers } from '../../src/members/merge.ts';
import { moveStore, type MoveTarget } from '../../src/members/move/move-store.ts';
import { PostgresMove } from '../../src/members/move/postgres-move.ts';
import { SqliteMove } from '../../src/members/move/sqlite-move.ts';
import { movedTables } from '../../src/members/move/tables.ts';
import { readPlatformConfiguration } from '../../src/members/platform-configuration.ts';
import { declarePlatforms } from '../../src/members/platforms.ts';
import { register } from '../../src/members/register.ts';
import { runRetention } from '../../src/members/retention.ts';
import { fingerprintOf } from '../../src/members/secret.ts';
import { issueSso } from '../../src/members/sso.ts';
import { addWebhookEndpoint } from '../../src/members/webhooks.ts';
import { runMaru } from '../end-to-end/run-maru.ts';
import { createDatabase } from '../postgres/database.ts';
import { runSql } from '../postgres/server.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { Scene, type Call } from './account-scene.ts';
import { AccountService } from './account-service.ts';
import { configuration, operator, type MembersRig } from './rig.ts';

test('accounts go on in a store that was moved to PostgreSQL and back, as if it had not moved', async () => {
  using folder = temporaryFolder();
  using back = temporaryFolder();
  const url = await createDatabase();
  const file = join(folder.path, 'members/members.db');
  const clock = { now: Date.parse('2026-11-18T12:00:00+09:00') };
  const scenes: Scene[] = [];
  const context = {} as MemberContext;
  /** Opens the store where it is now, and makes the next calls of every scene. */
  const play = async (part: number, data: string, database: string | null) => {
    await using opened = await openAt(data, database, clock);
    Object.assign(context, opened.context);
    if (part === 0) {
      await fill(opened);
      const rig = { context, clock, caller: callerOf(opened) };
      // The service reads nothing else of a rig.
      const service = await AccountService.open(rig as MembersRig);
      for (let at = 0; at < 8; at++) scenes.push(new Scene(service.scene()));
    }
    for (const [at, scene] of scenes.entries()) {
      for (const call of callsOf(at * 3 + part)) await scene.step(call);
    }
    if (part === 2) for (const scene of scenes) await scene.probe();
  };
  await play(0, folder.path, null);
  const before = readFileSync(file);
  const there = await move(folder.path, url, {});
  assert.deepEqual(readFileSync(file), before);
  await play(1, folder.path, url);
  const here = await move(folder.path, `sqlite:${back.path}`, { DATABASE_URL: url });
  await play(2, back.path, null);
  assert.deepEqual(emptyTables(there), []);
  assert.deepEqual(emptyTables(here), []);
  assert(here.audit.intact && here.audit.rows > there.audit.rows);
  const secret = 'members/members.secret';
  assert.deepEqual(readFileSync(join(back.path, secret)), readFileSync(join(folder.path, secret)));
  assert(existsSync(join(back.path, 'members/erasures.ndjson')));
});

test('a move has every table and column of the schema on PostgreSQL', async () => {
  const url = await createDatabase();
  await (await PostgresMove.target(url, 'a'))[Symbol.asyncDispose]();
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<{ column: string }>(
    `SELECT table_name || '.' || column_name AS column FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name <> ALL ($1)`,
    [['migrations', 'secret_fingerprint', 'unfinished_move', 'operator_sessions']],
  );
  await client.end();
  const moved = movedTables.flatMap(({ name, columns }) =>
    Object.keys(columns).map((column) => `${name}.${column}`),
  );
  const schemaColumns = new Set(rows.map(({ column }) => column));
  assert.deepEqual([...new Set(moved)].sort(), [...schemaColumns].sort());
});

test('an interrupted move goes on where it stopped, and no service starts before its end', async () => {
  using folder = temporaryFolder();
  const url = await createDatabase();
  const file = join(folder.path, 'members/members.db');
  const clock = { now: Date.now() };
  const opened = await openAt(folder.path, null, clock);
  await fill(opened);
  await opened[Symbol.asyncDispose]();
  const fingerprint = fingerprintOf(opened.context.secret);
  for (const last of ['members', 'events', 'audit']) {
    await using source = SqliteMove.source(file);
    await using target = await PostgresMove.target(url, fingerprint);
    await assert.rejects(
      moveStore(source, failingAt(target, last), () => {}),
      /stopped/,
    );
  }
  const open = () => openMembers({ MARU_DATA: folder.path, DATABASE_URL: url });
  await assert.rejects(open, /a move of a store into it has not ended. Run .\/maru members move/);
  await assert.rejects(PostgresMove.target(url, 'other'), /move of another store/);
  await move(folder.path, url, {});
  await (await open())[Symbol.asyncDispose]();
});

test('a move that stops right before its end is ended by the same command, with one entry', async () => {
  using folder = temporaryFolder();
  using back = temporaryFolder();
  const url = await createDatabase();
  const opened = await openAt(folder.path, null, { now: Date.now() });
  await fill(opened);
  await opened[Symbol.asyncDispose]();
  await move(folder.path, url, {});
  await move(folder.path, `sqlite:${back.path}`, { DATABASE_URL: url });
  const path = join(back.path, 'members/members.db');
  // A move gives the file its final name last.
  renameSync(path, `${path}.moving`);
  const { audit } = await move(folder.path, `sqlite:${back.path}`, { DATABASE_URL: url });
  assert.equal(audit.intact, true);
  using database = new DatabaseSync(path);
  const entries = database.prepare(`SELECT detail FROM audit WHERE action = 'store_moved'`).all();
  assert.deepEqual(
    entries.map(({ detail }) => (JSON.parse(String(detail)) as { to: string }).to),
    ['postgres', 'sqlite'],
  );
});

test('a source that changed after an interrupted move is found by the comparison', async () => {
  using folder = temporaryFolder();
  const url = await createDatabase();
  const opened = await openAt(folder.path, null, { now: Date.now() });
  await fill(opened);
  const fingerprint = fingerprintOf(opened.context.secret);
  await opened[Symbol.asyncDispose]();
  {
    await using source = SqliteMove.source(join(folder.path, 'members/members.db'));
    await using target = await PostgresMove.target(url, fingerprint);
    const move = moveStore(source, failingAt(target, 'audit'), () => {});
    await assert.rejects(move, /stopped/);
  }
  const later = await openAt(folder.path, null, { now: Date.now() });
  await later.context.store.write(async (tx) => tx.members.setTier(1, 'GOLD'));
  await later[Symbol.asyncDispose]();
  const { status, errors } = await runMaru(folder.path, ['members', 'move', '--to', url]);
  assert.equal(status, 1);
  assert.match(errors, /differ after the copy, in members: the source was changed/);
});

test('a move refuses stores in use, non-empty ones, old ones and targets of the same engine', async () => {
  using folder = temporaryFolder();
  using other = temporaryFolder();
  const url = await createDatabase();
  const environment = { DATABASE_URL: url };
  const assertRefused = async (to: string, sentence: RegExp, more: Record<string, string> = {}) => {
    const { status, errors } = await runMaru(folder.path, ['members', 'move', '--to', to], more);
    assert.deepEqual([status === 0, sentence.test(errors)], [false, true], errors);
  };
  await assertRefused(url, /There is no members’ store in .*Set MARU_DATA/);
  await assertRefused('mysql://somewhere', /--to must begin with postgres:\/\/ or sqlite:/);
  await assertRefused(`sqlite:${other.path}`, /an SQLite file already. .\/maru backup copies it/);
  await assertRefused(url, /in PostgreSQL already/, environment);
  const opened = await openAt(folder.path, null, { now: Date.now() });
  await assertRefused(url, /members.db is in use. Stop the service/);
  await opened[Symbol.asyncDispose]();
  changeFile(folder.path, `UPDATE migrations SET name = '9' || name WHERE name LIKE '0015%'`);
  await assertRefused(url, /The program is older|program is older than the store/);
  changeFile(folder.path, `DELETE FROM migrations WHERE name LIKE '90015%'`);
  await assertRefused(url, /is from an older release. Run .\/maru audit verify once/);
  using fresh = temporaryFolder();
  await (await openAt(fresh.path, null, { now: 0 }))[Symbol.asyncDispose]();
  cpSync(fresh.path, folder.path, { recursive: true });
  await move(folder.path, url, {});
  await assertRefused(url, /The database has this store already: a move into it has ended/);
  const service = await openMembers({ MARU_DATA: folder.path, DATABASE_URL: url });
  await service.context.store.read.members.count();
  const busy = /The database is in use: \d+ connections of Maru/;
  await assertRefused(`sqlite:${other.path}`, busy, environment);
  await service[Symbol.asyncDispose]();
  await assertRefused(
    `sqlite:${folder.path}`,
    /members.db exists already. Name another/,
    environment,
  );
  using foreign = temporaryFolder();
  const companion = join(foreign.path, 'members/erasures.ndjson');
  mkdirSync(join(foreign.path, 'members'));
  writeFileSync(companion, 'another');
  await assertRefused(`sqlite:${foreign.path}`, /belongs to another store/, environment);
  assert.equal(readFileSync(companion, 'utf8'), 'another');
  await runSql(url, `UPDATE secret_fingerprint SET fingerprint = 'other'`);
  await assertRefused(`sqlite:${other.path}`, /is not the secret of this database/, environment);
  await assertRefused(url, /The database is not empty: there are rows in/);
});

interface MovedTable {
  readonly table: string;
  readonly rows: number;
}

interface MoveAnswer {
  readonly tables: readonly MovedTable[];
  readonly audit: { readonly intact: boolean; readonly rows: number };
}

function emptyTables({ tables }: MoveAnswer): readonly string[] {
  return tables.filter(({ rows }) => rows === 0).map(({ table }) => table);
}

async function move(data: string, to: string, environment: Record<string, string>) {
  const words = ['members', 'move', '--to', to, '--json'];
  const { status, output, errors } = await runMaru(data, words, environment);
  assert.equal(status, 0, errors);
  return JSON.parse(output) as MoveAnswer;
}

async function openAt(data: string, url: string | null, clock: { now: number }) {
  const opened = await openMembers({ MARU_DATA: data, DATABASE_URL: url });
  return { ...opened, context: { ...opened.context, now: () => clock.now } };
}

function callerOf({ context }: OpenedMembers) {
  return async (platform: string | null) => {
    const { secret } = await issueKey(context, { platform, scopes }, operator);
    return authenticateKey(context, secret);
  };
}

/** Puts rows into every table, some of them with texts that the copy has to escape. */
async function fill(opened: OpenedMembers): Promise<void> {
  const { context } = opened;
  const text = 'tab\t line\n return\r \\N \\\\ "quoted" {a,b} \b\v\f 한글 😀';
  await declarePlatforms(context, readPlatformConfiguration(configuration), operator);
  const purposes = readConsentPurposes({
    consents: [{ code: 'mail', name: { ko: '소식', en: '"News"' } }],
  });
  await declareConsentPurposes(context, purposes, operator);
  await addOperator(context, { name: '하나', role: 'owner' }, operator);
  const origin = { operator: '하나', address: '::1', device: 'd' };
  await logAccess(context, origin, 'export', ['svc_b', 'svc_a']);
  await addWebhookEndpoint(
    context,
    'https://hooks.example.com/a?b=1',
    ['member.created', 'member.erased'],
    operator,
  );
  const caller = await callerOf(opened)('books');
  const consents = [{ purpose: 'mail', granted: true }];
  const uids: string[] = [];
  const users = ['kim', 'lee', 'park'].map((name) => `${name} \\N \\\\ {a,b} 😀`);
  for (const [at, name] of ['kim', 'lee', 'park'].entries()) {
    const user = {
      email: `${name}@example.com`,
      platform: 'books',
      local_user_id: users[at]!,
    };
    const body = { ...user, extra: { text }, consents };
    uids.push((await register(context, caller, body)).svc_uid);
  }
  const events = uids.map((uid) => ({
    svc_uid: uid,
    platform: 'books',
    event: 'visit',
    meta: { page: text },
  }));
  await recordEvents(context, caller, events);
  await mergeMembers(
    context,
    { from: uids[2]!, into: uids[0]!, dryRun: false, isSamePerson: true },
    operator,
  );
  // A segment of the audit log ends, and is sealed.
  const later = { ...context, now: () => context.now() + 100 * 86_400_000 };
  await eraseMember(later, uids[1]!, operator);
  await runRetention(later);
  await issueSso(context, caller, {
    svc_uid: uids[0]!,
    platform: 'books',
    local_user_id: users[0]!,
  });
  await context.store.write(async (tx) => {
    await tx.assurance.count({ day: 1, platformId: 0, upgrades: 2, sessionsEnded: 3 });
    await tx.passkeys.put({
      id: 'p',
      operator: '하나',
      name: text,
      credentialId: 'AQID',
      publicKey: Uint8Array.of(0, 1, 255),
      signCount: 3,
      transports: ['internal', 'hybrid'],
      isBackupEligible: true,
      isBackedUp: false,
      createdAt: 4,
      usedAt: null,
    });
  });
}

function changeFile(data: string, sql: string): void {
  using database = new DatabaseSync(join(data, 'members/members.db'));
  database.exec(sql);
}

/** A target that fails before the rows of a table. */
function failingAt(target: MoveTarget, table: string): MoveTarget {
  return new Proxy(target, {
    get(of, name) {
      if (name === 'append') {
        return (moved: { name: string }, lines: readonly string[]) =>
          moved.name === table
            ? Promise.reject(new Error('stopped'))
            : of.append(moved as never, lines);
      }
      const value: unknown = Reflect.get(of, name);
      return typeof value === 'function' ? value.bind(of) : value;
    },
  });
}

function callsOf(seed: number): readonly Call[] {
  const random = new SeededRandom(seed + 1);
  const number = () => random.whole(0, 1_000_000);
  return Array.from({ length: 9 }, () => Array.from({ length: 7 }, number));
}
