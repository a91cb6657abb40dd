import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { emptyDatabase } from '../../../test/postgres/database.ts';
import { PostgresServer } from '../../../test/postgres/server.ts';
import { Problem } from '../../kernel/problem.ts';
import { PostgresMemberStore } from './store.ts';

const unavailable = { code: 'storage_unavailable', retryAfterS: 1 };
const bounds = { waitMs: 500 };

test('a write that waits too long for a frozen server is refused, and the server never gets it', async () => {
  await using server = await PostgresServer.start();
  await using store = await PostgresMemberStore.open(server.url, { bounds });
  await using unconnected = await PostgresMemberStore.open(server.url, { bounds });
  await untilStored(store);
  const frozen = server.freeze();
  const sent = sentWrite(store);
  await sent.isSent;
  const refusals = [touch(store), touch(store), touch(unconnected)];
  for (const refusal of refusals) await assert.rejects(refusal, unavailable);
  frozen[Symbol.dispose]();
  await sent.end;
  await untilStored(store);
  assert.equal(await store.read.members.historyVersion(), 1 + 3);
});

test('a write that waits too long behind a locked table is refused, and never sent', async () => {
  const url = await emptyDatabase();
  await using store = await PostgresMemberStore.open(url, { bounds });
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  await holder.query('BEGIN; LOCK TABLE versions');
  const sent = sentWrite(store);
  await sent.isSent;
  const order: string[] = [];
  const refused = assert.rejects(touch(store), unavailable).then(() => order.push('queued'));
  const failed = assert.rejects(sent.end, unavailable).then(() => order.push('sent'));
  await Promise.all([refused, failed]);
  assert.deepEqual(order, ['queued', 'sent']);
  await assert.rejects(async () => store.read.members.historyVersion(), unavailable);
  await holder.end();
  await untilStored(store);
  assert.equal(await store.read.members.historyVersion(), 2);
});

test('a full queue on PostgreSQL refuses with overloaded and finishes queued work', async () => {
  await using store = await PostgresMemberStore.open(await emptyDatabase(), {
    bounds: { queueMax: 3 },
  });
  const writes = await Promise.allSettled(Array.from({ length: 5 }, () => touch(store)));
  const codes = writes.map((end) => (end.status === 'rejected' ? end.reason.code : 'stored'));
  assert.deepEqual(codes, ['stored', 'stored', 'stored', 'overloaded', 'overloaded']);
  assert.equal(await store.read.members.historyVersion(), 1 + 3);
});

function touch(store: PostgresMemberStore): Promise<void> {
  return store.write(async (tx) => tx.members.touchHistory());
}

/** Writes again after each refusal: a new connection may take longer than a write waits. */
async function untilStored(store: PostgresMemberStore): Promise<void> {
  for (;;) {
    try {
      return await touch(store);
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'storage_unavailable') throw error;
    }
  }
}

/** A write, and the moment after which it is part of a transaction. */
function sentWrite(store: PostgresMemberStore) {
  const begun = Promise.withResolvers<void>();
  const end = store.write(async (tx) => {
    begun.resolve();
    await tx.members.touchHistory();
  });
  return { isSent: begun.promise, end };
}
