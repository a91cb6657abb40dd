import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import process from 'node:process';
import { fileOutbox } from '../../sdk/src/outbox.ts';
import { createSvc, type SvcOptions } from '../../sdk/src/svc.ts';
import { verifySignature } from '../../sdk/src/webhook.ts';
import { SvcError } from '../../sdk/src/svc-error.ts';
import type { troubles } from '../sdk/gate.ts';

/**
 * Checks the package in the runtime that runs this, and prints a line of JSON for each check. The arguments are the
 * address of the service, that of the test's controls, a key and a folder. The process must end by itself while a
 * registration waits: no timer of the package may keep it alive.
 */
const [membersUrl = '', controls = '', apiKey = '', folder = ''] = process.argv.slice(2);

/** Shorter than in production. */
const hookTimeoutMs = 500;
/** Generous allowance for a busy machine. */
const graceMs = 1_500;

const checks: Readonly<Record<string, () => Promise<void>>> = {
  async 'registers, and again with the same uid'() {
    const { svc, warnings } = open();
    const user = person('first');
    const first = await svc.signup(user);
    assert.equal(first?.created, true);
    assert.equal((await svc.signup(user))?.svc_uid, first.svc_uid);
    assert.deepEqual(warnings, []);
  },

  async 'passes on each Set-Cookie, finds the member of a cookie, and ends the session'() {
    const { svc } = open();
    const user = person('session');
    const registered = await svc.signup(user);
    const cookies = await svc.ssoLogin(user);
    assert.equal(cookies.length, 2);
    assert.match(cookies[0]!, /^svc_sso=svcs_\w+; Domain=.*; HttpOnly; Secure; SameSite=Lax$/);
    const cookie = cookies.map((each) => each.split(';')[0]).join('; ');
    assert.equal(svc.uid(cookie), registered?.svc_uid);
    assert.equal((await svc.verify(cookie)).membership?.local_user_id, user.local_user_id);
    assert.equal((await svc.me(cookie)).svc_uid, registered?.svc_uid);
    const ended = await svc.logout({ cookie, origin: 'https://books.example.com' });
    assert.equal(ended.revoked, true);
    assert.ok(ended.cookies.every((each) => each.includes('Max-Age=0')));
    assert.equal(await svc.isAuthenticated(cookie), false);
  },

  async 'finds members, and reports a refusal'() {
    const { svc } = open();
    const user = person('found');
    const registered = await svc.signup(user);
    assert.equal((await svc.byEmail(user.email))?.svc_uid, registered?.svc_uid);
    assert.equal((await svc.byUid(registered!.svc_uid))?.membership.platform, 'books');
    assert.equal(await svc.byEmail('unknown@example.com'), null);
    assert.equal((await svc.statsCrossPlatform()).time_zone, 'Asia/Seoul');
    assert.equal((await svc.statsNorthStar({ weeks: 2 })).weeks.length, 2);
    const refused: unknown = await svc.byEmail('no address').catch((error: unknown) => error);
    assert.ok(refused instanceof SvcError);
    assert.deepEqual([refused.status, refused.code], [422, 'invalid_email']);
  },

  async 'delivers sixty events, each once'() {
    const { svc } = open();
    const { svc_uid } = (await svc.signup(person('events')))!;
    const before = await countEvents('visit');
    const event = { svc_uid, platform: 'books', event: 'visit', event_id: 'order-1' } as const;
    await svc.logEvent(event);
    await svc.logEvent(event);
    for (let index = 0; index < 59; index++) {
      await svc.logEvent({ svc_uid, platform: 'books', event: 'visit', meta: { index } });
    }
    assert.deepEqual(await svc.flush(), { delivered: 61, pending: 0 });
    assert.equal((await countEvents('visit')) - before, 60);
  },

  ...Object.fromEntries(
    (['dead', 'hung', 'failing', 'reset', 'halting', 'redirecting'] as const).map((trouble) => [
      `never blocks a sign-up with the service ${trouble}, and registers it afterwards`,
      () => survives(trouble),
    ]),
  ),

  async 'accepts a webhook only with its signature'() {
    const [key, body, at] = [
      'c2VjcmV0',
      '{"type":"member.created"}',
      Math.floor(Date.now() / 1_000),
    ];
    const mac = createHmac('sha256', 'secret').update(`msg_1.${at}.${body}`).digest('base64');
    const names = { id: 'msg_1', timestamp: String(at), signature: `v1,${mac}` };
    const headers = Object.fromEntries(
      Object.entries(names).map(([name, value]) => [`webhook-${name}`, value]),
    );
    assert.equal(await verifySignature(`whsec_${key}`, new Headers(headers), body), true);
    assert.equal(await verifySignature(`whsec_${key}`, headers, `${body} `), false);
  },

  async 'ends in time, and counts what it could not deliver'() {
    await cut('hung');
    const { svc } = open();
    await svc.logEvent({ svc_uid: 'svc_x', platform: 'books', event: 'visit' });
    void svc.signup(person('closing'));
    assert.deepEqual(await svc.close({ timeoutMs: 100 }), { delivered: 0, pending: 2 });
    await cut(null);
  },

  async 'keeps unsent calls in a file over a restart, readable by its owner alone'() {
    const path = `${folder}/outbox.jsonl`;
    await cut('dead');
    const before = open({ outbox: fileOutbox(path) });
    assert.equal(await before.svc.signup(person('kept')), null);
    writeFileSync(`${folder}/other.jsonl.lock`, String(process.ppid));
    assert.throws(() => fileOutbox(`${folder}/other.jsonl`).open(), /a file of its own/);
    assert.deepEqual(await before.svc.close({ timeoutMs: 1_000 }), { delivered: 0, pending: 1 });
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.match(readFileSync(path, 'utf8'), /kept-\w+@example\.com/);
    await cut(null);
    const registered: string[] = [];
    const onRegistered: SvcOptions['onRegistered'] = (_, { email }) => void registered.push(email);
    const { svc } = open({ outbox: fileOutbox(path), onRegistered });
    assert.deepEqual(await svc.flush(), { delivered: 1, pending: 0 });
    assert.equal(registered.length, 1);
    assert.equal(statSync(path).size, 0);
    await svc.close();
  },
};

for (const [name, check] of Object.entries(checks)) {
  const fault = await check().then(
    () => null,
    // A runtime may throw any value.
    (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error)),
  );
  report(name, fault);
}
await cut('dead');
const waiting = open();
await waiting.svc.signup(person('last'));
report('is done, and a registration still waits', null);

function report(name: string, fault: string | null): void {
  process.stdout.write(`${JSON.stringify({ name, fault })}\n`);
}

async function survives(trouble: Trouble): Promise<void> {
  await cut(trouble);
  const late: string[] = [];
  const { svc, warnings } = open({ onRegistered: ({ svc_uid }) => void late.push(svc_uid) });
  const startedAt = performance.now();
  assert.equal(await svc.signup(person(trouble), { hook: true }), null);
  const tookMs = performance.now() - startedAt;
  assert.ok(tookMs < hookTimeoutMs + graceMs, `${tookMs} ms`);
  assert.equal(warnings.length, 1);
  assert.match(warnings[0]!, /unreachable|refused/);
  assert.deepEqual(await svc.ssoLogin(person(trouble), { timeoutMs: hookTimeoutMs }), []);
  const before = await countEvents('register');
  await cut(null);
  // The first attempt may still use connections that were just cut.
  await svc.flush();
  assert.deepEqual(await svc.flush(), { delivered: 1, pending: 0 });
  assert.equal(late.length, 1);
  assert.equal((await countEvents('register')) - before, 1);
}

function open(options: Partial<SvcOptions> = {}) {
  const warnings: string[] = [];
  const onWarning = (text: string): void => void warnings.push(text);
  return {
    svc: createSvc({ membersUrl, apiKey, hookTimeoutMs, onWarning, ...options }),
    warnings,
  };
}

function person(name: string) {
  const id = `${name}-${crypto.randomUUID().slice(0, 8)}`;
  return { email: `${id}@example.com`, platform: 'books', local_user_id: id };
}

/** Puts a trouble between the package and the service; null ends it. */
async function cut(trouble: Trouble | null): Promise<void> {
  const response = await fetch(`${controls}/cut/${trouble ?? 'none'}`, { method: 'POST' });
  await response.text();
}

/** The number of events of this name that the service has. */
async function countEvents(event: string): Promise<number> {
  return Number(await (await fetch(`${controls}/held/${event}`)).text());
}

type Trouble = keyof typeof troubles;
