import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Transform } from 'node:stream';
import { test } from 'node:test';
import { openDatabase } from '../../src/members/postgres/open-database.ts';
import { PostgresMemberStore } from '../../src/members/postgres/store.ts';
import { createDatabase, emptyDatabase } from '../postgres/database.ts';
import { runSql } from '../postgres/server.ts';

const unavailable = { code: 'storage_unavailable', retryAfterS: 1 };

test('a database that cannot be served ends the start with one sentence', async () => {
  const url = await emptyDatabase();
  await using silent = await startListening(createServer());
  const timeOut = assertRefused(
    withPort(url, silent.port),
    /cannot be used: timeout.*Check the address/,
  );
  await using old = await openRelay(url, (text) => text.replaceAll(/180\d{3}/g, '130014'));
  await assertRefused(old.url, /cannot be used: it is PostgreSQL 13. Use PostgreSQL 14 or newer/);
  await using web = await startListening(createHttpServer());
  await assertRefused(
    withPort(url, web.port),
    /cannot be used: .*Check the address in DATABASE_URL/,
  );
  const foreign = await createDatabase(`TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C'`);
  await assertRefused(
    foreign,
    /its encoding is SQL_ASCII. Create the database with the encoding UTF8/,
  );
  const full = await createDatabase();
  await runSql(full, failingFunction('event_trigger', 'could not extend file', '53100'));
  await runSql(full, 'CREATE EVENT TRIGGER failing ON ddl_command_start EXECUTE FUNCTION fail()');
  await timeOut;
  await assertRefused(full, /could not extend file. Make room on the disk of the server/);
});

test('a user without rights or connections is named at the start', async () => {
  const url = await emptyDatabase();
  const role = `limited${new URL(url).pathname.slice(1)}`;
  await runSql(url, `CREATE ROLE ${role} LOGIN; GRANT CREATE ON SCHEMA public TO ${role}`);
  await runSql(url, `GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}`);
  const limitedUrl = Object.assign(new URL(url), { username: role }).href;
  const message = /its user may not change the table \w+. .*GRANT SELECT, INSERT, UPDATE, DELETE/;
  await assert.rejects(openDatabase(limitedUrl), { message });
  await runSql(url, `GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`);
  await runSql(url, `ALTER ROLE ${role} CONNECTION LIMIT 0`);
  const tooMany = /too many connections for role .*Raise max_connections; each process needs six/;
  await assert.rejects(openDatabase(limitedUrl), { message: tooMany });
  // One connection is enough to start; what needs a second one is refused for the moment.
  await runSql(url, `ALTER ROLE ${role} CONNECTION LIMIT 1`);
  await using store = await untilOpen(limitedUrl);
  assert.equal(await store.read.members.count(), 0);
  await assert.rejects(
    store.write(async (tx) => tx.members.touchHistory()),
    unavailable,
  );
});

test('a full disk and a demoted primary refuse writes for the moment, and reads go on', async () => {
  const url = await emptyDatabase();
  await using store = await PostgresMemberStore.open(url);
  const write = () => store.write(async (tx) => tx.members.touchHistory());
  for (const [code, text] of [
    ['53100', 'No space left on device'],
    ['25006', 'cannot execute INSERT in a read-only transaction'],
  ] as const) {
    await runSql(url, failingFunction('trigger', text, code));
    const trigger = 'CREATE OR REPLACE TRIGGER failing BEFORE INSERT OR UPDATE ON versions';
    await runSql(url, `${trigger} EXECUTE FUNCTION fail()`);
    await assert.rejects(write(), unavailable);
    assert.equal(await store.read.members.count(), 0);
  }
  await runSql(url, 'DROP TRIGGER failing ON versions');
  await write();
});

async function assertRefused(address: string, message: RegExp): Promise<void> {
  await assert.rejects(openDatabase(address), { message });
}

/** A function for triggers that fails with an error of the server. */
function failingFunction(kind: 'trigger' | 'event_trigger', text: string, code: string): string {
  return `CREATE OR REPLACE FUNCTION fail() RETURNS ${kind} LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION '${text}' USING ERRCODE = '${code}'; END $$`;
}

/** Opens the store when a connection is free: the server counts one until it notices that it ended. */
async function untilOpen(url: string): Promise<PostgresMemberStore> {
  for (;;) {
    try {
      return await PostgresMemberStore.open(url);
    } catch (error) {
      if (!(error instanceof Error) || !error.message.includes('too many')) throw error;
    }
  }
}

/** Opens a relay that changes each packet of the server's answers, but not its length. */
async function openRelay(url: string, change: (packet: string) => string) {
  const server = createServer((client) => {
    const upstream = connect(Number(new URL(url).port), '127.0.0.1');
    const changing = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        done(null, Buffer.from(change(chunk.toString('latin1')), 'latin1'));
      },
    });
    client.pipe(upstream).pipe(changing).pipe(client);
    for (const socket of [client, upstream]) {
      socket.on('error', () => {});
      socket.on('close', () => [client, upstream].forEach((each) => each.destroy()));
    }
  });
  const { port, ...relay } = await startListening(server);
  return { ...relay, url: withPort(url, port) };
}

async function startListening(server: Server) {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A listening TCP server has such an address.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function withPort(url: string, port: number): string {
  return Object.assign(new URL(url), { port: String(port) }).href;
}
