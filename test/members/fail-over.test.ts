import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { test } from 'node:test';
import { Problem } from '../../src/kernel/problem.ts';
import { canonicalEmail, emailHash } from '../../src/members/email.ts';
import { PlatformDirectory } from '../../src/members/platform-directory.ts';
import { readPlatformConfiguration } from '../../src/members/platform-configuration.ts';
import { declarePlatforms } from '../../src/members/platforms.ts';
import { PostgresMemberStore } from '../../src/members/postgres/store.ts';
import { register } from '../../src/members/register.ts';
import { PostgresServer } from '../postgres/server.ts';
import { configuration, operator } from './rig.ts';

const lanes = 32;
/** Registrations before the primary ends, and after its standby has taken over. */
const registrationsPerPhase = 300;

test('a killed primary loses no acknowledged registration, and its standby takes over', async () => {
  await using primary = await PostgresServer.start({ isDurable: true });
  await using relay = await openRelay(primary.url);
  await using store = await PostgresMemberStore.open(relay.url);
  const platforms = new PlatformDirectory(store);
  const context = { store, platforms, now: Date.now, secret: Buffer.alloc(32, 7) };
  await declarePlatforms(context, readPlatformConfiguration(configuration), operator);
  await using standby = await primary.addStandby();
  const caller = { kid: 'a', platform: await platforms.byCode('books'), scopes: [] };
  const acknowledged = new Map<string, string>();
  const refusals: Problem[] = [];
  const away = Promise.withResolvers<void>();
  let users = 0;
  let end = Infinity;
  const lane = async () => {
    while (users < end) {
      const email = `user${users++}@example.com`;
      const body = { email, platform: 'books', local_user_id: email };
      // A platform sends a refused registration again.
      for (;;) {
        try {
          acknowledged.set(email, (await register(context, caller, body)).svc_uid);
          break;
        } catch (error) {
          if (!(error instanceof Problem)) throw error;
          refusals.push(error);
          away.resolve();
          await new Promise((resolve) => setImmediate(resolve));
        }
      }
      if (acknowledged.size === registrationsPerPhase) primary.kill9();
    }
  };
  const load = Promise.all(Array.from({ length: lanes }, lane));
  await Promise.race([away.promise, load]);
  await standby.promote();
  relay.lead(standby.url);
  end = users + registrationsPerPhase;
  await load;
  assert(refusals.length > 0);
  for (const { code, retryAfterS } of refusals) {
    assert(code === 'storage_unavailable' || code === 'outcome_unknown', code);
    assert((retryAfterS ?? 0) > 0);
  }
  for (const [email, uid] of acknowledged) {
    const found = await store.read.members.byEmail('main', emailHash(canonicalEmail(email)));
    assert.equal(found?.svcUid, uid, email);
  }
  assert.equal(acknowledged.size, users);
  assert.equal(await store.read.members.count(), users, 'none is registered twice');
});

/** Opens one address that leads to the primary, like HAProxy in production. */
async function openRelay(first: string) {
  let target = first;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(new URL(target).port), '127.0.0.1');
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A listening TCP server has such an address.
  const { port } = server.address() as AddressInfo;
  const endAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: Object.assign(new URL(first), { port: String(port) }).href,
    lead(url: string) {
      target = url;
      endAll();
    },
    async [Symbol.asyncDispose]() {
      endAll();
      server.close();
      await once(server, 'close');
    },
  };
}
