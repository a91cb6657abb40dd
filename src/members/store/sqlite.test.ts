import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { Problem } from '../../kernel/problem.ts';
import { SqliteMemberStore } from './sqlite.ts';
import { membersStoreContract } from '../../../test/fixtures/member-store-contract.ts';

membersStoreContract('sqlite', async () => {
  const folder = temporaryFolder();
  const path = join(folder.path, 'members.db');
  const store = new SqliteMemberStore(path);
  const other = new SqliteMemberStore(path);
  return {
    store,
    other,
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      await other[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
});

/** Tables and common table expressions with few rows, and complete counts over an index. */
const bounded = [
  /^SCAN (platforms|consent_purposes|webhook_endpoints|operators|jobs|days|event_totals|json_each|t|latest|\(subquery-1\))(?= |$)/,
  /^SCAN api_keys USING INDEX api_keys_by_time$/,
  /^SCAN (audit|audit_seals|events)$/,
];

test('every statement searches an index, or reads a small or limited set of rows', async () => {
  using folder = temporaryFolder();
  await using store = new SqliteMemberStore(join(folder.path, 'members.db'));
  const plans = store.plans();
  assert(plans.length > 80);
  for (const { sql, steps } of plans) {
    const scans = steps.filter((step) => step.startsWith('SCAN'));
    for (const step of scans)
      assert(
        bounded.some((known) => known.test(step)),
        `${step}: ${sql}`,
      );
    const unlimited = scans.some((step) => /^SCAN (audit|audit_seals|events|api_keys)/.test(step));
    if (unlimited) assert.match(sql, /LIMIT/);
  }
});

test('every query for a list has a LIMIT', async () => {
  using folder = temporaryFolder();
  await using store = new SqliteMemberStore(join(folder.path, 'members.db'));
  const lists = store.plans().filter(({ sql }) => /^SELECT[\s\S]*ORDER BY|GROUP BY/.test(sql));
  for (const { sql } of lists) assert.match(sql, /LIMIT/);
});

test('a locked store refuses writes after a while, still reads, and recovers', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'members.db');
  await using store = new SqliteMemberStore(path, { bounds: { lockWaitMs: 50 } });
  const write = () => store.write(async ({ members }) => members.touchHistory());
  using holder = new DatabaseSync(path);
  holder.exec('BEGIN IMMEDIATE');
  await assert.rejects(write(), { code: 'storage_unavailable', retryable: true });
  assert.equal(await store.read.members.historyVersion(), 1);
  holder.exec('ROLLBACK');
  await write();
  assert.equal(await store.read.members.historyVersion(), 2);
});

test('a full disk refuses writes, loses nothing acknowledged, and recovers', async () => {
  using folder = temporaryFolder();
  const connections: DatabaseSync[] = [];
  const open = (path: string) => {
    const database = new DatabaseSync(path);
    connections.push(database);
    return database;
  };
  await using store = new SqliteMemberStore(join(folder.path, 'members.db'), { open });
  const write = (number: number) =>
    store.write(async ({ memberships }) => memberships.insertExtra(number, 'x'.repeat(4_000)));
  const { page_count: pages } = connections[0]!.prepare('PRAGMA page_count').get() as {
    page_count: number;
  };
  connections[0]!.exec(`PRAGMA max_page_count = ${pages + 40}`);
  const outcomes: boolean[] = [];
  for (let number = 1; number <= 40; number++) {
    outcomes.push(
      await write(number).then(
        () => true,
        (error: unknown) => {
          assert(error instanceof Problem && error.code === 'storage_unavailable');
          return false;
        },
      ),
    );
  }
  assert(outcomes.includes(true) && outcomes.includes(false));
  connections[0]!.exec('PRAGMA max_page_count = 100000');
  await write(41);
  for (const [at, acknowledged] of outcomes.entries()) {
    const extra = await store.read.memberships.extra(at + 1);
    assert.equal(extra !== null, acknowledged);
  }
});

test('a read-only store refuses writes and recovers', async () => {
  using folder = temporaryFolder();
  const connections: DatabaseSync[] = [];
  const open = (path: string) => {
    const database = new DatabaseSync(path);
    connections.push(database);
    return database;
  };
  await using store = new SqliteMemberStore(join(folder.path, 'members.db'), { open });
  const write = () => store.write(async ({ members }) => members.touchHistory());
  connections[0]!.exec('PRAGMA query_only = ON');
  await assert.rejects(write(), { code: 'storage_unavailable' });
  connections[0]!.exec('PRAGMA query_only = OFF');
  await write();
  assert.equal(await store.read.members.historyVersion(), 2);
});

test('scrubbing is blocked when the disk fails during a checkpoint', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'members.db');
  await using store = new SqliteMemberStore(path, { open: openWithFailingCheckpoint });
  assert.equal(await store.scrub(), 'blocked');
});

test('a full queue refuses with overloaded and finishes queued work', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'members.db');
  await using store = new SqliteMemberStore(path, { bounds: { queueMax: 3 } });
  const outcomes = await Promise.allSettled(
    Array.from({ length: 5 }, () => store.write(async ({ members }) => members.touchHistory())),
  );
  assert.deepEqual(
    outcomes.map((one) => (one.status === 'fulfilled' ? 'done' : (one.reason as Problem).code)),
    ['done', 'done', 'done', 'overloaded', 'overloaded'],
  );
  assert.equal(await store.read.members.historyVersion(), 4);
});

test('every commit is synced to the disk by the settings of the connection', async () => {
  using folder = temporaryFolder();
  const opened: DatabaseSync[] = [];
  const open = (path: string) => {
    const database = new DatabaseSync(path);
    opened.push(database);
    return database;
  };
  await using store = new SqliteMemberStore(join(folder.path, 'members.db'), { open });
  await store.write(async ({ members }) => members.touchHistory());
  const [writing] = opened;
  const pragmas = ['synchronous', 'journal_mode', 'secure_delete'].map((name) =>
    Object.values(writing!.prepare(`PRAGMA ${name}`).get()!),
  );
  // 2 is FULL (https://sqlite.org/pragma.html#pragma_synchronous).
  assert.deepEqual(pragmas.flat(), [2, 'wal', 1]);
});

test('writes of one turn share one transaction', async () => {
  using folder = temporaryFolder();
  const commits: string[] = [];
  const open = (path: string) => {
    const database = new DatabaseSync(path);
    const run = database.exec.bind(database);
    database.exec = (sql) => {
      if (sql === 'COMMIT') commits.push(sql);
      run(sql);
    };
    return database;
  };
  await using store = new SqliteMemberStore(join(folder.path, 'members.db'), { open });
  const before = commits.length;
  const write = () => store.write(async ({ members }) => members.touchHistory());
  await Promise.all(Array.from({ length: 64 }, write));
  assert.equal(commits.length - before, 1);
});

test('a write that is alone and throws is undone, and the next one is stored', async () => {
  using folder = temporaryFolder();
  await using store = new SqliteMemberStore(join(folder.path, 'members.db'));
  const failing = store.write(async ({ members }) => {
    await members.touchHistory();
    throw new Error('undone');
  });
  await assert.rejects(failing, { message: 'undone' });
  assert.equal(await store.read.members.historyVersion(), 1);
  await store.write(async ({ members }) => members.touchHistory());
  assert.equal(await store.read.members.historyVersion(), 2);
});

test('writes of one turn run again, apart, when one of them throws after it has written', async () => {
  using folder = temporaryFolder();
  await using store = new SqliteMemberStore(join(folder.path, 'members.db'));
  let runs = 0;
  const outcomes = await Promise.allSettled(
    [false, true, false, true].map((isFailing) =>
      store.write(async ({ members }) => {
        runs++;
        await members.touchHistory();
        if (isFailing) throw new Error('undone');
      }),
    ),
  );
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'rejected'],
  );
  // The first two ran together; then all four ran in savepoints.
  assert.equal(runs, 6);
  assert.equal(await store.read.members.historyVersion(), 3);
});

test('a write that throws before it has written lets no other run again', async () => {
  using folder = temporaryFolder();
  await using store = new SqliteMemberStore(join(folder.path, 'members.db'));
  let runs = 0;
  const written = () =>
    store.write(async ({ members }) => {
      runs++;
      await members.touchHistory();
    });
  const refused = store.write(async ({ members }) => {
    await members.historyVersion();
    throw new Error('refused');
  });
  await Promise.all([written(), assert.rejects(refused, { message: 'refused' }), written()]);
  assert.equal(runs, 2);
  assert.equal(await store.read.members.historyVersion(), 3);
});

test('a long log is written back by a thread while writes go on, and begins again', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'members.db');
  await using store = new SqliteMemberStore(path, { logPagesMax: 40 });
  using observer = new DatabaseSync(path);
  const state = observer.prepare('PRAGMA wal_checkpoint(NOOP)');
  let longest = 0;
  for (let number = 1; number < 20_000; number++) {
    await store.write(async ({ memberships }) => memberships.insertExtra(number, 'x'.repeat(900)));
    const { log } = state.get() as { log: number };
    // It began again: commits write back from 64,000 pages on.
    if (log < longest) return;
    longest = log;
  }
  assert.fail(`The log has ${longest} pages.`);
});

test('closing finishes queued work and refuses new work', async () => {
  using folder = temporaryFolder();
  const store = new SqliteMemberStore(join(folder.path, 'members.db'));
  const write = () => store.write(async ({ members }) => members.touchHistory());
  const queued = write();
  const closed = store[Symbol.asyncDispose]();
  await assert.rejects(write(), { code: 'storage_unavailable' });
  await queued;
  await closed;
});

test('a backup during writes is a complete store', async () => {
  using folder = temporaryFolder();
  await using store = new SqliteMemberStore(join(folder.path, 'members.db'));
  const copy = join(folder.path, 'copy.db');
  const write = () => store.write(async ({ members }) => members.touchHistory());
  await Promise.all([...Array.from({ length: 20 }, write), store.backup(copy)]);
  await using restored = new SqliteMemberStore(copy);
  await restored.write(async ({ members }) => members.touchHistory());
  assert((await restored.read.members.historyVersion()) >= 2);
});

test('a backup ends even when the store is written to all the time', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'members.db');
  await using store = new SqliteMemberStore(path);
  await using busy = new SqliteMemberStore(path);
  // More pages than one step of a copy has by default.
  await store.write(async ({ memberships }) => {
    for (let id = 1; id <= 200; id++) await memberships.insertExtra(id, 'x'.repeat(4_000));
  });
  const copy = { isWhole: false };
  const backup = store.backup(join(folder.path, 'copy.db')).then(() => (copy.isWhole = true));
  const most = 1_000;
  let writes = 0;
  while (!copy.isWhole && writes < most) {
    await busy.write(async ({ members }) => members.touchHistory());
    writes++;
  }
  assert(writes < most);
  await backup;
});

function openWithFailingCheckpoint(path: string): DatabaseSync {
  const database = new DatabaseSync(path);
  const prepare = database.prepare.bind(database);
  database.prepare = (sql, ...rest) => {
    if (sql !== 'PRAGMA wal_checkpoint(TRUNCATE)') return prepare(sql, ...rest);
    throw Object.assign(new Error('database or disk is full'), { errcode: 13 });
  };
  return database;
}
