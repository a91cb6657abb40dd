import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAdminSite } from '../../src/admin/pages/site.ts';
import { changeOperator, removeOperator } from '../../src/admin/operators/change-operators.ts';
import { createServerContext } from '../../src/kernel/http/server-context.ts';
import { silentLog } from '../../src/kernel/log.ts';
import { authenticatorAt } from '../fixtures/authenticator.ts';
import { openFixture, sendRequest, type TestResponse } from '../fixtures/members.ts';
import { openOperators, passphrase, signInAs, signInFirst } from '../fixtures/operators.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const origin = 'http://localhost:3001';
const party = { id: 'localhost', origin };
const by = { actor: 'operator:test', reason: 'a test' };

type Authenticator = ReturnType<typeof authenticatorAt>;
type Deviation = NonNullable<Parameters<Authenticator['get']>[1]>;

async function openScene(stack: AsyncDisposableStack) {
  const folder = stack.use(temporaryFolder()).path;
  const { context } = stack.use(await openFixture(folder));
  const clock = { now: 0 };
  const operators = await openOperators(context, folder, () => clock.now);
  const server = createServerContext(silentLog);
  const router = createAdminSite({ context, server, operators, data: folder, origin });
  const request = (method: string, path: string, cookie: string, body?: object) =>
    sendRequest({ router }, method, path, { host: 'localhost:3001', cookie }, body);
  const send = (method: string, path: string, session: string, body?: object) =>
    request(method, path, `__Host-maru_admin=${session}`, body);

  /** Registers a passkey; returns the code of the refusal, or 200. */
  const add = async (
    session: string,
    authenticator: Authenticator,
    deviation: Deviation = {},
    name = '노트북',
  ) => {
    const operator = (await operators.signedIn(session))!;
    const site = { party, browser: operator.session };
    // Not by the route, which would first derive a key from the passphrase.
    const options = await operators.passkeys.creationOptions(operator.name, site);
    const credential = authenticator.create(options, deviation);
    const body = { name, credential };
    return outcome(await send('POST', '/api/account/passkeys', session, body));
  };
  /** Requests the options of a sign-in in a new browser; returns them with its cookie. */
  const offerSignIn = async () => {
    const answer = await request('GET', '/api/sign-in/passkey', '');
    const cookie = answer.headers.getSetCookie()[0]!.split(';')[0]!;
    return { options: optionsOf(answer), cookie };
  };
  const submit = async (passkey: object, cookie: string) => {
    const answer = await request('POST', '/api/sign-in', cookie, { passkey });
    // Passes the longest wait after failures.
    if (answer.body['code'] === 'passkey_refused') clock.now += 300_000;
    return answer;
  };
  /** Signs in; returns the code of the refusal, or 200. */
  const signIn = async (authenticator: Authenticator, deviation: Deviation = {}) => {
    const { options, cookie } = await offerSignIn();
    return outcome(await submit(authenticator.get(options, deviation), cookie));
  };
  /** Confirms the addition of a passkey by another one; returns the code of the refusal, or 200. */
  const confirm = async (
    session: string,
    authenticator: Authenticator,
    deviation: Deviation = {},
  ) => {
    const challenge = await send('GET', '/api/account/passkeys/challenge', session);
    const passkey = authenticator.get(optionsOf(challenge), deviation);
    return outcome(await send('POST', '/api/account/passkeys/offer', session, { passkey }));
  };
  const passkeysOf = (name: string) => context.store.read.passkeys.of(name);
  return {
    context,
    router,
    operators,
    clock,
    request,
    send,
    add,
    offerSignIn,
    submit,
    signIn,
    confirm,
    passkeysOf,
  };
}

/** The options of an answer, which `app.test.ts` checks against their schema. */
function optionsOf({ body }: TestResponse) {
  return body as unknown as Parameters<Authenticator['create']>[0] &
    Parameters<Authenticator['get']>[0];
}

function outcome({ status, body }: TestResponse): unknown {
  return status === 200 ? 200 : body['code'];
}

test('a passkey signs in without passphrase and code, and its use is stored', async () => {
  await using stack = new AsyncDisposableStack();
  const scene = await openScene(stack);
  const owner = await signInFirst(scene.operators);
  const laptop = authenticatorAt(origin);
  assert.equal(await scene.add(owner, laptop, { backup: 'eligible' }), 200);
  // A second factor is set up; a passkey needs none.
  await scene.context.store.write(async ({ operators }) => {
    const stored = (await operators.byName('hana'))!;
    await operators.put({ ...stored, totpSeed: 'a'.repeat(26) });
  });
  const { options, cookie } = await scene.offerSignIn();
  assert.deepEqual((options as object as Record<string, unknown>)['allowCredentials'], []);
  const opened = await scene.submit(laptop.get(options, { backup: 'backed up' }), cookie);
  assert.equal(opened.status, 200);
  const session = /__Host-maru_admin=([^;]+)/.exec(opened.headers.getSetCookie()[0]!)![1]!;
  const { body } = await scene.send('GET', '/api/session', session);
  assert.deepEqual([body['operator'], body['passkeys']], ['hana', 1]);
  const [stored] = await scene.passkeysOf('hana');
  assert.deepEqual(
    [stored!.name, stored!.isBackedUp, stored!.usedAt, stored!.transports],
    ['노트북', true, scene.context.now(), ['internal']],
  );
  const access = await scene.context.store.read.accessLog.list(99, 99);
  assert.deepEqual(
    access.map(({ operator, action }) => `${operator} ${action}`),
    ['hana sign_in', 'hana addPasskey', 'hana sign_in'],
  );
  const audit = await scene.context.store.read.audit.after(0, 99);
  assert.equal(audit.at(-1)!.action, 'passkey_added');
});

test('T42: a sign-in is refused unless the response is as expected in every part', async () => {
  await using stack = new AsyncDisposableStack();
  const scene = await openScene(stack);
  const owner = await signInFirst(scene.operators);
  const ben = await signInAs(scene.context, scene.operators, 'view', 'ben');
  const [laptop, phone] = [authenticatorAt(origin), authenticatorAt(origin)];
  assert.equal(await scene.add(owner, laptop), 200);
  assert.equal(await scene.add(ben, phone), 200);
  const refused = {
    'another origin': { origin: 'http://localhost:5173' },
    'another site': { rpId: 'example.com' },
    'a registration': { type: 'webauthn.create' },
    'no verification of the user': { isUserVerified: false },
    'no user': { userHandle: null },
    'another user': { userHandle: 'AAAA' },
    'another kind of key': { backup: 'eligible' },
    'impossible flags': { backup: 'backed up without being eligible' },
  } as const;
  for (const [name, deviation] of Object.entries(refused))
    assert.equal(await scene.signIn(laptop, deviation), 'passkey_refused', name);
  assert.equal(await scene.signIn(authenticatorAt(origin)), 'passkey_refused', 'an unknown key');
  const { options, cookie } = await scene.offerSignIn();
  const { userHandle } = laptop.get(options).response;
  const response = { ...phone.get(options).response, userHandle };
  const forged = { ...laptop.get(options), response };
  assert.equal(outcome(await scene.submit(forged, cookie)), 'passkey_refused', 'another key');
  const rows = await scene.context.store.read.accessLog.list(99, 99);
  const failed = rows.filter(({ action }) => action === 'sign_in_failed');
  assert.equal(failed.length, Object.keys(refused).length + 2);
  assert.deepEqual([...new Set(failed.map(({ operator }) => operator))].sort(), ['', 'hana']);
  assert.equal(await scene.signIn(laptop), 200);
});

test('T42: a challenge opens one session, in its browser, for five minutes', async () => {
  await using stack = new AsyncDisposableStack();
  const scene = await openScene(stack);
  const owner = await signInFirst(scene.operators);
  const laptop = authenticatorAt(origin);
  await scene.add(owner, laptop);
  const { options } = await scene.offerSignIn();
  const signed = laptop.get(options);
  const other = await scene.offerSignIn();
  for (const browser of ['', other.cookie, '__Host-maru_challenge=x'])
    assert.equal(outcome(await scene.submit(signed, browser)), 'challenge_ended', browser);
  const again = await scene.offerSignIn();
  const late = laptop.get(again.options);
  const fresh = await scene.offerSignIn();
  const [one, two] = await Promise.all([
    scene.request('POST', '/api/sign-in', fresh.cookie, { passkey: laptop.get(fresh.options) }),
    scene.request('POST', '/api/sign-in', fresh.cookie, { passkey: laptop.get(fresh.options) }),
  ]);
  assert.deepEqual(new Set([outcome(one), outcome(two)]), new Set([200, 'challenge_ended']));
  scene.clock.now += 300_000;
  assert.equal(outcome(await scene.submit(late, again.cookie)), 'challenge_ended');
  const invented = await scene.offerSignIn();
  const own = laptop.get(invented.options, { challenge: 'aGVsbG8' });
  assert.equal(outcome(await scene.submit(own, invented.cookie)), 'challenge_ended');
  // A challenge of a session cannot be used to sign in, nor one of a sign-in in a session.
  const confirmation = await scene.send('GET', '/api/account/passkeys/challenge', owner);
  const crossed = laptop.get(optionsOf(confirmation));
  assert.equal(outcome(await scene.submit(crossed, invented.cookie)), 'challenge_ended');
  const passkey = laptop.get(invented.options);
  const offer = await scene.send('POST', '/api/account/passkeys/offer', owner, { passkey });
  assert.equal(outcome(offer), 'challenge_ended');
});

test('T42: a count that does not grow is refused and audited; a key without counts works', async () => {
  await using stack = new AsyncDisposableStack();
  const scene = await openScene(stack);
  const owner = await signInFirst(scene.operators);
  const [key, silent] = [authenticatorAt(origin), authenticatorAt(origin)];
  await scene.add(owner, key, { signCount: 5 });
  await scene.add(owner, silent);
  assert.equal(await scene.signIn(key, { signCount: 6 }), 200);
  for (const signCount of [6, 5, 0])
    assert.equal(await scene.signIn(key, { signCount }), 'passkey_refused', String(signCount));
  assert.equal(await scene.signIn(key, { signCount: 7 }), 200);
  for (let count = 0; count < 2; count++) assert.equal(await scene.signIn(silent), 200);
  const rows = await scene.context.store.read.audit.after(0, 99);
  const suspected = rows.filter(({ action }) => action === 'passkey_copy_suspected');
  assert.deepEqual(
    suspected.map(({ actor, subject }) => [actor, subject]),
    Array.from({ length: 3 }, () => ['system', 'operator:hana']),
  );
});

test('T42: a passkey of another operator confirms nothing, and a refused one adds none', async () => {
  await using stack = new AsyncDisposableStack();
  const scene = await openScene(stack);
  const owner = await signInFirst(scene.operators);
  const ben = await signInAs(scene.context, scene.operators, 'view', 'ben');
  const [laptop, phone] = [authenticatorAt(origin), authenticatorAt(origin)];
  const refused = {
    'another origin': { origin: 'http://localhost' },
    'another site': { rpId: 'localhost.example' },
    'an assertion': { type: 'webauthn.get' },
    'no verification of the user': { isUserVerified: false },
    'impossible flags': { backup: 'backed up without being eligible' },
  } as const;
  for (const [name, deviation] of Object.entries(refused))
    assert.equal(await scene.add(owner, laptop, deviation), 'passkey_refused', name);
  assert.equal(await scene.add(owner, laptop, { challenge: 'aGVsbG8' }), 'challenge_ended');
  assert.equal(await scene.add(owner, laptop, {}, 'x'.repeat(41)), 'validation_failed');
  assert.equal(await scene.add(owner, laptop, {}, 'a\u202eb'), 'validation_failed');
  assert.equal(await scene.add(owner, laptop), 200);
  assert.equal(await scene.add(ben, laptop), 'passkey_exists');
  assert.equal(await scene.add(ben, phone), 200);
  assert.equal(await scene.confirm(ben, laptop), 'passkey_refused');
  assert.equal(await scene.confirm(ben, phone, { isUserVerified: false }), 'passkey_refused');
  assert.equal(await scene.confirm(ben, phone), 200);
  assert.equal(await scene.confirm(ben, phone, { userHandle: null }), 200);
  const [foreign] = await scene.passkeysOf('hana');
  const proof = { current_passphrase: passphrase };
  const path = `/api/account/passkeys/${foreign!.id}`;
  assert.equal(outcome(await scene.send('DELETE', path, ben, proof)), 'passkey_not_found');
  const rename = { ...proof, name: 'mine' };
  assert.equal(outcome(await scene.send('PATCH', path, ben, rename)), 'passkey_not_found');
});

test('T42: wrong passkeys delay attempts as wrong passphrases do, for each address alone', async () => {
  await using stack = new AsyncDisposableStack();
  const scene = await openScene(stack);
  await signInFirst(scene.operators);
  const stranger = authenticatorAt(origin);
  const attempt = async () => {
    const { options, cookie } = await scene.offerSignIn();
    const passkey = stranger.get(options, { userHandle: 'AAAA' });
    return outcome(await scene.request('POST', '/api/sign-in', cookie, { passkey }));
  };
  for (let count = 0; count < 3; count++) assert.equal(await attempt(), 'passkey_refused');
  assert.equal(await attempt(), 'rate_limited');
  const credentials = { name: 'hana', passphrase };
  await scene.operators.signIn(credentials, { address: '192.0.2.7' });
});

test('one’s passkeys are renamed and removed after a proof, and a removal ends the sessions', async () => {
  await using stack = new AsyncDisposableStack();
  const scene = await openScene(stack);
  const owner = await signInFirst(scene.operators);
  const laptop = authenticatorAt(origin);
  await scene.add(owner, laptop);
  const [stored] = await scene.passkeysOf('hana');
  const path = `/api/account/passkeys/${stored!.id}`;
  assert.equal(outcome(await scene.send('PATCH', path, owner, { name: 'x' })), 'validation_failed');
  assert.equal(outcome(await scene.send('DELETE', path, owner, {})), 'validation_failed');
  const proof = { current_passphrase: passphrase };
  assert.equal(outcome(await scene.send('PATCH', path, owner, { ...proof, name: ' 집 ' })), 200);
  assert.equal((await scene.passkeysOf('hana'))[0]!.name, '집');
  const challenge = await scene.send('GET', '/api/account/passkeys/challenge', owner);
  const passkey = laptop.get(optionsOf(challenge));
  assert.equal(outcome(await scene.send('DELETE', path, owner, { passkey })), 200);
  assert.deepEqual(await scene.passkeysOf('hana'), []);
  assert.equal((await scene.send('GET', '/api/session', owner)).status, 401);
  assert.equal(await scene.signIn(laptop), 'passkey_refused');
});

test('an operator has at most ten passkeys, and an eleventh is not offered', async () => {
  await using stack = new AsyncDisposableStack();
  const scene = await openScene(stack);
  const owner = await signInFirst(scene.operators);
  for (let count = 0; count < 10; count++)
    assert.equal(await scene.add(owner, authenticatorAt(origin)), 200);
  const proof = { current_passphrase: passphrase };
  const offer = await scene.send('POST', '/api/account/passkeys/offer', owner, proof);
  assert.equal(outcome(offer), 'too_many_passkeys');
});

test('an owner removes the passkeys of others; none works after a reset or a removal', async () => {
  await using stack = new AsyncDisposableStack();
  const scene = await openScene(stack);
  const owner = await signInFirst(scene.operators);
  const ben = await signInAs(scene.context, scene.operators, 'support', 'ben');
  const phone = authenticatorAt(origin);
  await scene.add(ben, phone);
  await changeOperator(scene.context, 'ben', { isPassphraseReset: true }, by);
  assert.equal(await scene.signIn(phone), 'passkey_refused', 'They join again first.');
  const change = { passkeys: 'remove', reason: 'a lost phone' };
  assert.equal(outcome(await scene.send('PATCH', '/api/operators/ben', owner, change)), 200);
  assert.deepEqual(await scene.passkeysOf('ben'), []);
  const rows = await scene.context.store.read.audit.after(0, 99);
  assert.match(rows.at(-1)!.detail, /"passkeys":"removed"/);
  const cho = await signInAs(scene.context, scene.operators, 'view', 'cho');
  const key = authenticatorAt(origin);
  await scene.add(cho, key);
  await removeOperator(scene.context, 'cho', by);
  await signInAs(scene.context, scene.operators, 'view', 'cho');
  assert.equal(await scene.signIn(key), 'passkey_refused');
});

test('a script runs on pages with the button of a passkey alone, from a path with its hash', async () => {
  await using stack = new AsyncDisposableStack();
  const scene = await openScene(stack);
  const owner = await signInFirst(scene.operators);
  await scene.add(owner, authenticatorAt(origin));
  const pages = {
    '/': [false, owner],
    '/account': [false, owner],
    '/actions/issueKey': [false, owner],
    '/join': [false, ''],
    '/actions/offerPasskey': [true, owner],
    '/actions/changePassphrase': [true, owner],
    '/keys': [true, ''],
  } as const;
  for (const [path, [isScripted, session]] of Object.entries(pages)) {
    const { text, headers } = await scene.send('GET', path, session);
    const policy = headers.get('content-security-policy')!;
    assert.equal(/script-src 'self'/.test(policy), isScripted, path);
    assert.equal(text.includes('<script'), isScripted, path);
    assert.match(policy, /default-src 'none'/);
  }
  const { text } = await scene.send('GET', '/', '');
  const script = /src="(\/assets\/passkey-[0-9a-f]{12}\.js)"/.exec(text)![1]!;
  const { headers } = await scene.send('GET', script, '');
  assert.match(headers.get('cache-control')!, /immutable/);
  assert.match(headers.get('content-type')!, /^text\/javascript/);
});

test('at an IP address the pages link to the address where passkeys work', async () => {
  await using stack = new AsyncDisposableStack();
  const scene = await openScene(stack);
  const owner = await signInFirst(scene.operators);
  for (const [path, session] of [
    ['/', ''],
    ['/account', owner],
  ] as const) {
    const headers = { host: '127.0.0.1:3001', cookie: `__Host-maru_admin=${session}` };
    const { text } = await sendRequest(scene, 'GET', path, headers);
    assert.ok(text.includes(`<a href="${origin}${path}">${origin}</a>`), path);
    assert.doesNotMatch(text, /<script|class="passkey|offerPasskey/, path);
  }
});

test('requests are admitted at this machine and at the configured origin, nowhere else', async () => {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(temporaryFolder()).path;
  const { context } = stack.use(await openFixture(folder));
  const operators = await openOperators(context, folder);
  const server = createServerContext(silentLog);
  const configured = 'https://admin.example.com';
  const site = { context, server, operators, data: folder, origin: configured };
  const router = createAdminSite(site);
  const hosts = { 'admin.example.com': 200, 'localhost:3001': 200, 'admin.example.org': 403 };
  for (const [host, status] of Object.entries(hosts)) {
    const answer = await sendRequest({ router }, 'GET', '/api/sign-in/passkey', { host });
    assert.equal(answer.status, status, host);
    if (status === 200) assert.equal(answer.body['rpId'], 'admin.example.com');
  }
});
