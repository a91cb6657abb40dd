import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { emptyDatabase } from '../../../test/postgres/database.ts';
import { PostgresServer, runSql } from '../../../test/postgres/server.ts';
import { membersStoreContract } from '../../../test/fixtures/member-store-contract.ts';
import { digestOf } from '../checked-secret.ts';
import { options, PostgresConnection } from './connection.ts';
import { PostgresMemberStore } from './store.ts';
import { besideStatement, statements } from './statement.ts';

membersStoreContract('postgres', async () => {
  const url = await emptyDatabase();
  const store = await PostgresMemberStore.open(url);
  const other = await PostgresMemberStore.open(url);
  return {
    store,
    other,
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      await other[Symbol.asyncDispose]();
    },
  };
});

/** Tables with few rows, and complete counts over an index. */
const small = new Set([
  'platforms',
  'versions',
  'consent_purposes',
  'webhook_endpoints',
  'operators',
  'operator_sessions',
  'unfinished_move',
  'jobs',
  'event_totals',
  'migrations',
]);
const counted = /^SELECT count\(\*\) AS count FROM members|FROM members WHERE merged_into IS NULL/;

test('every statement on PostgreSQL searches an index, or reads a small or limited set', async () => {
  const url = await emptyDatabase();
  const client = new pg.Client({ connectionString: url, options });
  await client.connect();
  try {
    assert(statements.length > 150);
    for (const { text, writes } of statements) {
      const explained = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`,
      );
      for (const scan of unboundedScans(explained.rows[0]!['QUERY PLAN'][0].Plan)) {
        const isBounded = small.has(scan) || /LIMIT|max\(/.test(text) || counted.test(text);
        assert(isBounded, `${scan}: ${text}`);
      }
      if (!writes && /ORDER BY|GROUP BY/.test(text)) assert.match(text, /LIMIT/);
    }
  } finally {
    await client.end();
  }
});

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PlanNode[];
}

/** Tables that a plan reads without a condition on an index. */
function unboundedScans(node: PlanNode): readonly string[] {
  const isScan = /^(?:Seq|Index|Index Only|Bitmap Index) Scan$/.test(node['Node Type']);
  const own = isScan && node['Index Cond'] === undefined ? [node['Relation Name'] ?? 'index'] : [];
  return [...own, ...(node.Plans ?? []).flatMap(unboundedScans)];
}

test('values with quotes, backslashes, commas and NULL arrive unchanged in one run', async () => {
  const connection = await PostgresConnection.open(await emptyDatabase());
  const calls = [
    ['a "b" \\ {c}, d\n', Buffer.from([0, 92, 34, 255]), true, -7],
    ['', Buffer.alloc(0), false, 2 ** 52],
    ['NULL', Buffer.from('한글'), true, 0],
    ['한글', null, false, 1],
    [null, Buffer.from('x'), null, null],
  ];
  const results = await Promise.all(calls.map((values) => connection.run(echo, values)));
  const rows = results.map((result) => Object.values(result.rows[0]!));
  assert.deepEqual(rows, calls);
  await connection.close();
});

const echo = besideStatement<object>(`SELECT words, content, is_set, amount FROM given`, {
  words: 'text',
  content: 'bytea',
  is_set: 'boolean',
  amount: 'bigint',
});

test('work that is about the same address has its effect in the order of its arrival', async () => {
  await using store = await PostgresMemberStore.open(await emptyDatabase());
  const names = Array.from({ length: 40 }, (_, at) => `m${at}`);
  const found = await Promise.all(
    names.map((name, at) =>
      store.write(async (tx) => {
        const known = await tx.members.byEmail('main', digestOf('kim'));
        // Each third one leaves the others, because it writes to a table of operators.
        if (at % 3 === 0) await tx.jobs.put(jobOf(name));
        if (known === null) await tx.members.insert(memberOf(name));
        return known?.svcUid ?? null;
      }),
    ),
  );
  assert.deepEqual(found, [null, ...names.slice(1).map(() => 'm0')]);
});

test('a server that is ended refuses writes and reads, and both go on when it is back', async () => {
  await using server = await PostgresServer.start({ isDurable: true });
  await using store = await PostgresMemberStore.open(server.url);
  await store.write(async (tx) => tx.members.insert(memberOf('kim')));
  await server.crash();
  await assert.rejects(
    store.write(async (tx) => tx.members.insert(memberOf('lee'))),
    { code: 'storage_unavailable', retryAfterS: 1 },
  );
  await assert.rejects(async () => store.read.members.count(), { code: 'storage_unavailable' });
  await server.restart();
  // The pause after a failed connection ends by itself.
  await untilAccepted(() => store.write(async (tx) => tx.members.touchHistory()));
  assert.equal(await store.read.members.count(), 1);
});

test('a connection that is lost during a commit leaves the outcome unknown', async () => {
  const url = await emptyDatabase();
  await using store = await PostgresMemberStore.open(url);
  // The commit waits for a row that is checked at its end, and the server ends the session meanwhile.
  await runSql(
    url,
    `CREATE FUNCTION end_session() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;
     CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON jobs DEFERRABLE INITIALLY DEFERRED
     FOR EACH ROW EXECUTE FUNCTION end_session()`,
  );
  const write = store.write(async (tx) => tx.jobs.put(jobOf('a')));
  await assert.rejects(write, { code: 'outcome_unknown', retryAfterS: 1 });
  await store.write(async (tx) => tx.members.touchHistory());
  assert.equal(await store.read.members.historyVersion(), 2);
});

test('a process that stops in its turn gives the turn to others', async () => {
  const url = await emptyDatabase();
  await using store = await PostgresMemberStore.open(url);
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT pg_advisory_xact_lock(1835102837)');
  const write = () => store.write(async (tx) => tx.members.touchHistory());
  await assert.rejects(write(), { code: 'storage_unavailable' });
  await holder.end();
  await write();
  assert.equal(await store.read.members.historyVersion(), 2);
});

function jobOf(name: string) {
  return { name, startedAt: 1, finishedAt: null, removed: 0, failure: null };
}

function memberOf(svcUid: string) {
  const address = { emailHash: digestOf('kim'), email: 'kim@example.com', isGivenUp: false };
  return { ...address, svcUid, realm: 'main', tier: 'BRONZE', platforms: 0, createdAt: 1 };
}

async function untilAccepted(attempt: () => Promise<unknown>): Promise<void> {
  for (let left = 200; ; left--) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (left === 0) throw error;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
