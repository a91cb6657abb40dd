import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { withWrite } from '../../test/fixtures/with-write.ts';
import { membersRig, operator } from '../../test/members/rig.ts';
import { setTier } from './account-status.ts';
import { eraseMember } from './erase.ts';
import { mergeMembers } from './merge.ts';
import { setPlatformDisabled } from './platforms.ts';
import { isPublic, publicAddressOf } from './public-address.ts';
import { register } from './register.ts';
import { runRetention } from './retention.ts';
import {
  deliverDue,
  replayMessage,
  retryDelaysMs,
  senderOf,
  sendPublicly,
} from './webhook-delivery.ts';
import { webhookTypes } from '../contract/enumerations.ts';
import type { MemberTransaction } from './store/store.ts';
import {
  addWebhookEndpoint,
  removeWebhookEndpoint,
  setWebhookDisabled,
  signedHeaders,
} from './webhooks.ts';

/**
 * Folder of a key and certificate for `hooks.example.com` and `127.0.0.1`, with their authority, for this test only.
 */
const fixtures = join(import.meta.dirname, '../../test/fixtures/tls');
const user = { email: 'kim@example.com', platform: 'books', local_user_id: '1' };

test('each change queues one message for each endpoint of its type, without an address', async () => {
  await using rig = await membersRig();
  const url = 'https://hooks.example.com/in';
  await addWebhookEndpoint(rig.context, url, ['member.created', 'member.erased'], operator);
  const books = await rig.caller('books');
  const { svc_uid } = await register(rig.context, books, user);
  await register(rig.context, books, user);
  await eraseMember(rig.context, svc_uid, operator);
  const bodies: string[] = [];
  const send = async (_url: string, _headers: object, body: string) => {
    bodies.push(body);
    return 204;
  };
  assert.deepEqual(await deliverDue(rig.context, send), { delivered: 2, failed: 0 });
  assert.deepEqual(await deliverDue(rig.context, send), { delivered: 0, failed: 0 });
  assert.match(bodies[0]!, /"type":"member.created".*"svc_uid":"svc_/);
  assert(!bodies.join('').includes('kim'));
});

test('an endpoint of a platform receives messages about its own links and members alone', async () => {
  await using rig = await membersRig();
  const { context } = rig;
  const received = async () => {
    const messages = await context.store.read.webhooks.list(2 ** 40, 100);
    const endpoints = await context.store.read.webhooks.endpoints();
    const owner = new Map(endpoints.map(({ id, platformId }) => [id, platformId ?? 'operator']));
    return messages.map(({ endpointId, type }) => `${owner.get(endpointId)} ${type}`).toSorted();
  };
  const add = (url: string, platform: string | null) =>
    addWebhookEndpoint(context, url, webhookTypes, operator, platform);
  await add('https://books.example.com/hook', 'books');
  await add('https://all.example.com/hook', null);
  const music = { ...user, platform: 'music' };
  const { svc_uid: uid } = await register(context, await rig.caller('music'), music);
  await setTier(context, uid, 'GOLD', operator);
  assert.deepEqual(await received(), ['operator member.created', 'operator tier.changed']);
  await register(context, await rig.caller('books'), user);
  await register(context, await rig.caller('cards'), { ...user, platform: 'cards' });
  await setTier(context, uid, 'SILVER', operator);
  await eraseMember(context, uid, operator);
  assert.deepEqual(
    (await received()).filter((line) => line.startsWith('0')),
    ['0 member.erased', '0 member.linked', '0 tier.changed'],
  );
  await assert.rejects(add('https://a.example.com', 'absent'), { code: 'unknown_platform' });
});

test('an endpoint of a stopped platform receives nothing until the platform is enabled', async () => {
  await using rig = await membersRig();
  const { context } = rig;
  const url = 'https://books.example.com/hook';
  await addWebhookEndpoint(context, url, webhookTypes, operator, 'books');
  const { svc_uid: uid } = await register(context, await rig.caller('books'), user);
  const sent: string[] = [];
  const send = async (_url: string, _headers: object, body: string) => {
    sent.push((JSON.parse(body) as { type: string }).type);
    return 204;
  };
  await setPlatformDisabled(context, 'books', true, operator);
  await setTier(context, uid, 'GOLD', operator);
  await deliverDue(context, send);
  assert.deepEqual(sent, []);
  await setPlatformDisabled(context, 'books', false, operator);
  await setTier(context, uid, 'SILVER', operator);
  await deliverDue(context, send);
  assert.deepEqual(sent, ['member.created', 'tier.changed']);
});

test('an endpoint that can never be reached is refused when it is added', async () => {
  await using rig = await membersRig();
  const { context } = rig;
  for (const url of [
    'http://hooks.example.com',
    'https://127.0.0.1/',
    'https://0x7f.1/',
    'https://10.1.2.3:8443/in',
    'https://[::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://169.254.169.254/latest',
    'https://localhost/in',
    'https://api.localhost./in',
    'https://user@hooks.example.com/',
    'https://:pass@hooks.example.com/',
    'https://*.example.com/in',
  ]) {
    const adding = addWebhookEndpoint(context, url, ['member.created'], operator);
    await assert.rejects(adding, { code: 'validation_failed' }, url);
  }
  assert.deepEqual(await context.store.read.webhooks.endpoints(), []);
});

test('an erasure queues a message for every uid of the member', async () => {
  await using rig = await membersRig();
  const { context } = rig;
  const [books, music] = [await rig.caller('books'), await rig.caller('music')];
  const from = (await register(context, books, user)).svc_uid;
  const other = { email: 'lee@example.com', platform: 'music', local_user_id: '2' };
  const into = (await register(context, music, other)).svc_uid;
  await mergeMembers(context, { from, into, dryRun: false }, operator);
  await addWebhookEndpoint(context, 'https://hooks.example.com/', ['member.erased'], operator);
  await eraseMember(context, into, operator);
  const messages = await context.store.read.webhooks.list(2 ** 40, 10);
  const uids = messages.map(
    ({ body }) => (JSON.parse(body) as { data: { svc_uid: string } }).data.svc_uid,
  );
  assert.deepEqual(uids.toSorted(), [from, into].toSorted());
});

test('a message planned by a clock that was a day ahead is sent now', async () => {
  await using rig = await membersRig();
  const url = 'https://hooks.example.com/in';
  await addWebhookEndpoint(rig.context, url, ['member.created', 'member.linked'], operator);
  const right = rig.clock.now;
  await register(rig.context, await rig.caller('books'), user);
  rig.clock.now = right + 86_400_000;
  // The first message is attempted and planned again, the second only planned.
  assert.deepEqual(await deliverDue(rig.context, async () => 500), { delivered: 0, failed: 1 });
  await register(rig.context, await rig.caller('music'), { ...user, platform: 'music' });
  rig.clock.now = right;
  assert.deepEqual(await deliverDue(rig.context, async () => 500), { delivered: 0, failed: 2 });
  // A message that fails now waits according to the schedule.
  assert.deepEqual(await deliverDue(rig.context, async () => 204), { delivered: 0, failed: 0 });
  rig.clock.now = right + retryDelaysMs[1]! * 1.1;
  assert.deepEqual(await deliverDue(rig.context, async () => 204), { delivered: 2, failed: 0 });
});

test('a refused operation leaves nothing in the outbox', async () => {
  await using rig = await membersRig();
  await addWebhookEndpoint(rig.context, 'https://hooks.example.com/', webhookTypes, operator);
  const failing = rig.context.store.write(async (tx) => {
    await tx.webhooks.insert({
      messageId: 'msg_1',
      endpointId: (await tx.webhooks.endpoints())[0]!.id,
      type: 'member.created',
      body: '{}',
      createdAt: 0,
      attempts: 0,
      nextAt: 0,
      deliveredAt: null,
      status: null,
    });
    throw new Error('a rule of the domain');
  });
  await assert.rejects(failing);
  assert.deepEqual(await rig.context.store.read.webhooks.list(2 ** 40, 10), []);
});

test('an operation whose message cannot be queued is rolled back', async () => {
  await using rig = await membersRig();
  await addWebhookEndpoint(rig.context, 'https://hooks.example.com/', webhookTypes, operator);
  const books = await rig.caller('books');
  const { store } = rig.context;
  const failing = withWrite(store, (work) =>
    store.write((tx) => {
      const endpoints = () => tx.webhooks.endpoints();
      const webhooks = { endpoints, insert: refuseForRoom };
      // The other tables are the tables of the transaction.
      return work(Object.create(tx, { webhooks: { value: webhooks } }) as MemberTransaction);
    }),
  );
  await assert.rejects(register({ ...rig.context, store: failing }, books, user), /no room/);
  assert.equal((await register(rig.context, books, user)).created, true);
  assert.equal((await rig.context.store.read.webhooks.list(2 ** 40, 10)).length, 1);
});

function refuseForRoom(): Promise<void> {
  return Promise.reject(new Error('no room'));
}

test('a disabled endpoint gets no messages, and one that answers 410 no retries', async () => {
  await using rig = await membersRig();
  const { context } = rig;
  const url = 'https://hooks.example.com/';
  const added = await addWebhookEndpoint(context, url, ['member.created'], operator);
  const books = await rig.caller('books');
  const setDisabled = (disabled: boolean) =>
    context.store.write(async ({ webhooks }) => webhooks.putEndpoint({ ...added, disabled }));
  await setDisabled(true);
  await register(context, books, user);
  await setDisabled(false);
  assert.deepEqual(await deliverDue(context, refuse), none);
  await register(context, books, { ...user, email: 'lee@example.com', local_user_id: '2' });
  assert.deepEqual(await deliverDue(context, async () => 410), oneFailed);
  rig.clock.now += 10 ** 9;
  assert.deepEqual(await deliverDue(context, refuse), none);
});

test('messages that wait for a disabled endpoint are removed as old as those delivered', async () => {
  await using rig = await membersRig();
  const { context, clock } = rig;
  const url = 'https://hooks.example.com/in';
  const { id } = await addWebhookEndpoint(context, url, ['member.created'], operator);
  await register(context, await rig.caller('books'), user);
  await setWebhookDisabled(context, id, true, operator);
  const stored = async () => (await context.store.read.webhooks.list(2 ** 40, 100)).length;
  clock.now += 30 * 86_400_000;
  await runRetention(context);
  assert.equal(await stored(), 1);
  clock.now += 1;
  await runRetention(context);
  assert.equal(await stored(), 0);
});

test('an endpoint is removed with all of its messages and no others, once it is disabled', async () => {
  await using rig = await membersRig();
  const { context } = rig;
  const add = (name: string) =>
    addWebhookEndpoint(context, `https://${name}.example.com`, ['member.created'], operator);
  const [removed, kept] = [await add('removed'), await add('kept')];
  const books = await rig.caller('books');
  await register(context, books, user);
  await deliverDue(context, async () => 204);
  await register(context, books, { ...user, email: 'lee@example.com', local_user_id: '2' });
  const remove = () => removeWebhookEndpoint(context, removed.id, operator);
  await assert.rejects(remove, { code: 'validation_failed' });
  await setWebhookDisabled(context, removed.id, true, operator);
  await remove();
  await assert.rejects(remove, { code: 'not_found' });
  const { webhooks } = context.store.read;
  assert.deepEqual(
    (await webhooks.endpoints()).map(({ id }) => id),
    [kept.id],
  );
  const messages = await webhooks.list(2 ** 40, 100);
  assert.deepEqual(
    messages.map(({ endpointId }) => endpointId),
    [kept.id, kept.id],
  );
});

test('failed messages are retried on the schedule, given up, and replayed by hand', async () => {
  await using rig = await membersRig();
  await addWebhookEndpoint(rig.context, 'https://hooks.example.com/', webhookTypes, operator);
  await register(rig.context, await rig.caller('books'), user);
  // The schedule of the specification: 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h.
  const minute = 60_000;
  const waits = [
    5_000,
    5 * minute,
    30 * minute,
    ...[2, 5, 10, 14, 20, 24].map((h) => h * 60 * minute),
  ];
  for (const delay of [0, ...waits]) {
    // Never early, and at most a tenth late.
    rig.clock.now += Math.max(0, delay - 1);
    assert.deepEqual(await deliverDue(rig.context, refuse), delay === 0 ? oneFailed : none);
    if (delay === 0) continue;
    rig.clock.now += 1 + Math.ceil(delay * 0.1);
    assert.deepEqual(await deliverDue(rig.context, refuse), oneFailed);
    assert.deepEqual(await deliverDue(rig.context, refuse), none);
  }
  rig.clock.now += 10 ** 9;
  assert.deepEqual(await deliverDue(rig.context, refuse), { delivered: 0, failed: 0 });
  const [message] = await rig.context.store.read.webhooks.list(2 ** 40, 1);
  assert.deepEqual([message?.attempts, message?.status], [10, 500]);
  assert(await replayMessage(rig.context, message!.id, operator));
  assert.deepEqual(await deliverDue(rig.context, async () => 200), { delivered: 1, failed: 0 });
});

test('an endpoint that hangs or is disabled delays no other and keeps its messages', async () => {
  await using rig = await membersRig();
  const types = ['member.created'] as const;
  await addWebhookEndpoint(rig.context, 'https://dead.example.com/', types, operator);
  await addWebhookEndpoint(rig.context, 'https://live.example.com/', types, operator);
  const off = await addWebhookEndpoint(rig.context, 'https://off.example.com/', types, operator);
  const books = await rig.caller('books');
  for (let at = 0; at < 150; at++) {
    await register(rig.context, books, {
      ...user,
      email: `kim${at}@example.com`,
      local_user_id: at,
    });
  }
  const setDisabled = (disabled: boolean) =>
    rig.context.store.write(async ({ webhooks }) => webhooks.putEndpoint({ ...off, disabled }));
  await setDisabled(true);
  const requested: string[] = [];
  const send = async (url: string) => {
    requested.push(url);
    if (url.includes('dead')) throw new Error('no answer');
    return 200;
  };
  let delivered = 0;
  while (delivered < 150) {
    // A pass has at most 100 messages of an endpoint, and fewer on a slow machine.
    const pass = await deliverDue(rig.context, send);
    assert(pass.failed === 1 && pass.delivered > 0 && pass.delivered <= 100);
    delivered += pass.delivered;
  }
  assert.equal(delivered, 150);
  assert(!requested.some((url) => url.includes('off')));
  await setDisabled(false);
  assert((await deliverDue(rig.context, send)).delivered > 0);
  assert(requested.some((url) => url.includes('off')));
});

test('TLS requires a certificate of the name, signatures verify, and redirects fail', async () => {
  const received: { headers: IncomingHttpHeaders; body: string }[] = [];
  const [key, cert] = ['key', 'cert'].map((name) => readFileSync(join(fixtures, `${name}.pem`)));
  await using server = createServer({ key: key!, cert: cert! }, async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    received.push({ headers: request.headers, body });
    response.writeHead(request.url === '/moved' ? 302 : 204, { location: 'https://127.0.0.1/' });
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ca = readFileSync(join(fixtures, 'ca.pem'), 'utf8');
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const now = Math.floor(Date.now() / 1_000);
  const headers = signedHeaders(secret, 'msg_1', now, '{"a":1}');
  const send = senderOf(loopback, ca);
  const url = `https://hooks.example.com:${port}`;
  assert.equal(await send(`${url}/in?x=1`, headers, '{"a":1}'), 204);
  const [first] = received;
  assert.equal(first?.headers.host, `hooks.example.com:${port}`);
  assert.deepEqual({ ...first.headers, ...headers }, { ...first.headers });
  assert.equal(first.body, '{"a":1}');
  assert.equal(await send(`${url}/moved`, headers, '{}'), 302);
  assert.equal(received.length, 2);
  assert.equal(await send(`https://127.0.0.1:${port}/`, headers, '{}'), 204);
  await assert.rejects(send(`https://other.example.com:${port}/`, headers, '{}'), /altnames/);
  await assert.rejects(senderOf(loopback)(`${url}/`, headers, '{}'), /certificate/);
  assert.equal(received.length, 3);
});

test('T28: the signature of Standard Webhooks covers id, time and body', () => {
  // The example of the specification's reference libraries (standard-webhooks/standard-webhooks, 2023).
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const body = '{"test": 2432232314}';
  const headers = signedHeaders(secret, 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1614265330, body);
  assert.equal(headers['webhook-signature'], 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  const others = [
    signedHeaders(secret, 'msg_2', 1614265330, body),
    signedHeaders(secret, 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1614265331, body),
    signedHeaders(secret, 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1614265330, `${body} `),
  ];
  const signatures = [headers, ...others].map((each) => each['webhook-signature']);
  assert.equal(new Set(signatures).size, 4);
});

test('T27: webhooks are sent only to public addresses, whatever the name of the host', async () => {
  const inside = [
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    '::ffff:127.0.0.1',
    'fe80::1',
    'fd00::1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:db8::1',
  ];
  for (const address of inside) assert(!isPublic(address), address);
  for (const address of ['1.1.1.1', '211.249.220.24', '2606:4700::1111'])
    assert(isPublic(address), address);
  for (const url of ['https://2130706433/', 'https://[::1]/', 'https://0x7f.1/']) {
    await assert.rejects(sendPublicly(url, {}, ''));
  }
  // A public address, but not over https.
  await assert.rejects(senderOf(loopback)('http://hooks.example.com/', {}, ''), /https:\/\/ only/);
  await assert.rejects(
    publicAddressOf('rebinding.example', resolveHalfPrivate),
    /not on the public internet/,
  );
  assert.equal(await publicAddressOf('good.example', async () => ['1.1.1.1']), '1.1.1.1');
});

const none = { delivered: 0, failed: 0 };
const oneFailed = { delivered: 0, failed: 1 };

async function refuse(): Promise<number> {
  return 500;
}

async function loopback(): Promise<string> {
  return '127.0.0.1';
}

async function resolveHalfPrivate(): Promise<readonly string[]> {
  return ['1.1.1.1', '127.0.0.1'];
}
