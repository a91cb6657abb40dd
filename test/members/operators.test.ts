import assert from 'node:assert/strict';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import jsqr from 'jsqr';
import { createAdminSite } from '../../src/admin/pages/site.ts';
import {
  addOperator,
  changeOperator,
  removeOperator,
} from '../../src/admin/operators/change-operators.ts';
import { logAccess } from '../../src/admin/operators/access-log.ts';
import { Operators } from '../../src/admin/operators/operators.ts';
import { totpAt, totpEnrolment, totpSecret } from '../../src/admin/operators/totp.ts';
import { adminContract } from '../../src/contract/admin.ts';
import { operatorRoles, type OperatorRole } from '../../src/contract/enumerations.ts';
import type { Route } from '../../src/contract/route.ts';
import { createServerContext } from '../../src/kernel/http/server-context.ts';
import { silentLog } from '../../src/kernel/log.ts';
import { runRetention } from '../../src/members/retention.ts';
import { openFixture, sendAsServer, sendRequest, type TestResponse } from '../fixtures/members.ts';
import {
  firstTokenOf,
  openOperators,
  passphrase,
  signInAs,
  signInFirst,
} from '../fixtures/operators.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const here = { host: '127.0.0.1:3001' };
const by = { actor: 'operator:test', reason: 'a test' };
const reason = 'a test';

async function openScene(stack: AsyncDisposableStack) {
  const folder = stack.use(temporaryFolder()).path;
  const fixture = stack.use(await openFixture(folder));
  const { context } = fixture;
  const clock = { now: 0 };
  const operators = await openOperators(context, folder, () => clock.now);
  const router = createAdminSite({
    context,
    server: createServerContext(silentLog),
    operators,
    data: folder,
  });
  const send = (method: string, path: string, token: string | null, body?: object) =>
    sendRequest({ router }, method, path, headersOf(token), body);
  const signIn = (body: object, headers: Record<string, string> = {}) =>
    sendRequest({ router }, 'POST', '/api/sign-in', { ...here, ...headers }, body);
  const register = async (localUserId = 'asha') => {
    const user = { email: 'asha@example.com', platform: 'books', local_user_id: localUserId };
    const key = fixture.keys.books;
    const { body } = await sendAsServer(fixture, 'POST', '/members/register', key, user);
    return String(body['svc_uid']);
  };
  return {
    context,
    place: fixture.place,
    folder,
    day: fixture.clock,
    router,
    operators,
    clock,
    send,
    signIn,
    register,
  };
}

function headersOf(token: string | null): Record<string, string> {
  return token === null ? here : { ...here, cookie: `__Host-maru_admin=${token}` };
}

/** Routes that each role may use in addition to those of the role below it. */
const routesOf: Readonly<Record<Exclude<OperatorRole, 'view'>, readonly string[]>> = {
  support: [
    'tier',
    'suspend',
    'restore',
    'endSessions',
    'endManySessions',
    'merge',
    'split',
    'grantEntitlement',
    'revokeEntitlement',
    'disablePlatform',
    'enablePlatform',
    'revokeKey',
    'leakedKey',
    'disableWebhook',
    'enableWebhook',
    'replayMessage',
  ],
  privacy: ['reveal', 'export', 'erase', 'accessLog'],
  owner: [
    'rollBackSnapshot',
    'declarePlatform',
    'declarePurpose',
    'issueKey',
    'rotateKey',
    'addWebhook',
    'removeWebhook',
    'operators',
    'addOperator',
    'changeOperator',
    'removeOperator',
  ],
};

test('T39: every route and page of the operators is refused for roles that may not use it', async () => {
  await using stack = new AsyncDisposableStack();
  const scene = await openScene(stack);
  await signInFirst(scene.operators);
  for (const role of operatorRoles) {
    const token = await signInAs(scene.context, scene.operators, role);
    const higher = operatorRoles.slice(operatorRoles.indexOf(role) + 1);
    const refused: readonly string[] = higher.flatMap((one) =>
      one === 'view' ? [] : routesOf[one],
    );
    for (const [name, row] of Object.entries<Route>(adminContract)) {
      const path = row.path.replace(/\{\w+\}/g, 'none');
      // Without a reason every change that is allowed is refused by its body.
      const body = row.body === undefined ? undefined : {};
      const { body: answer, status } = await scene.send(row.method, path, token, body);
      const isRefused = answer['code'] === 'insufficient_role';
      assert.equal(isRefused, refused.includes(name), `${role} ${name} ${status}`);
      if (row.method === 'GET') continue;
      const page = await scene.send('GET', `/actions/${name}`, token);
      if (isRefused && name !== 'search')
        assert.equal(page.status, 403, `${role} /actions/${name}`);
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      const headers = { ...headersOf(token), ...type };
      const form = await sendRequest(scene, 'POST', `/actions/${name}`, headers, 'reason=x');
      if (isRefused) assert.equal(form.status, 403, `${role} form of ${name}`);
    }
    const pages = {
      '/access-log': 'privacy',
      '/access-log.csv': 'privacy',
      '/operators': 'owner',
      '/operators?csv=operators': 'owner',
    };
    for (const [path, needed] of Object.entries(pages)) {
      const { status } = await scene.send('GET', path, token);
      const isOpen = !(higher as string[]).includes(needed);
      assert.equal(status, isOpen ? 200 : 403, `${role} ${path}`);
    }
  }
});

test('a viewer finds no link to an action, and an owner finds all', async () => {
  await using stack = new AsyncDisposableStack();
  const scene = await openScene(stack);
  const owner = await signInFirst(scene.operators);
  const viewer = await signInAs(scene.context, scene.operators, 'view');
  await scene.register();
  for (const path of ['/keys', '/platforms', '/webhooks', '/members']) {
    assert.doesNotMatch((await scene.send('GET', path, viewer)).text, /href="\/actions\//, path);
  }
  const shown = await scene.send('GET', '/keys', owner);
  assert.match(shown.text, /href="\/actions\/issueKey"/);
  assert.match(shown.text, /href="\/operators"/);
  assert.doesNotMatch((await scene.send('GET', '/keys', viewer)).text, /href="\/operators"/);
});

test('a local id that is an address is masked for roles that may not reveal addresses', async () => {
  await using stack = new AsyncDisposableStack();
  const scene = await openScene(stack);
  await signInFirst(scene.operators);
  const uid = await scene.register('asha@example.com');
  for (const [role, expected] of [
    ['support', 'as***@e***.com'],
    ['privacy', 'asha@example.com'],
  ] as const) {
    const token = await signInAs(scene.context, scene.operators, role);
    const { body } = await scene.send('GET', `/api/members/${uid}`, token);
    const [link] = body['memberships'] as { local_user_id: string }[];
    assert.equal(link!.local_user_id, expected, role);
  }
});

test('T39: sessions end at once when their operator is changed or removed, by any process', async () => {
  await using stack = new AsyncDisposableStack();
  const scene = await openScene(stack);
  const owner = await signInFirst(scene.operators);
  const status = async (token: string) => (await scene.send('GET', '/api/session', token)).status;
  const first = await signInAs(scene.context, scene.operators, 'view', 'ben');
  assert.equal(await status(first), 200);
  const promoted = await scene.send('PATCH', '/api/operators/ben', owner, {
    role: 'privacy',
    reason,
  });
  assert.deepEqual(promoted.body, { ok: true, invitation: null });
  assert.equal(await status(first), 401);
  const signedIn = await scene.signIn({ name: 'ben', passphrase });
  assert.equal((await scene.signIn({ name: 'ben\0', passphrase })).status, 401);
  const second = /maru_admin=(\w+)/.exec(signedIn.headers.getSetCookie()[0]!)![1]!;
  assert.equal((await scene.send('GET', '/api/session', second)).body['role'], 'privacy');
  // The command line changes the store alone.
  await removeOperator(scene.context, 'ben', by);
  assert.equal(await status(second), 401);
  assert.equal((await scene.signIn({ name: 'ben', passphrase })).status, 401);
  await addOperator(scene.context, { name: 'ben', role: 'owner' }, by);
  assert.equal(await status(second), 401);
});

test('T39: the last owner who can sign in is neither removed nor demoted nor reset', async () => {
  await using stack = new AsyncDisposableStack();
  const scene = await openScene(stack);
  const owner = await signInFirst(scene.operators);
  // An invited owner who never came cannot help.
  await addOperator(scene.context, { name: 'cho', role: 'owner' }, by);
  const path = '/api/operators/hana';
  for (const [method, body] of [
    ['DELETE', { reason }],
    ['PATCH', { role: 'support', reason }],
    ['PATCH', { passphrase: 'reset', reason }],
  ] as const) {
    const refused = await scene.send(method, path, owner, body);
    assert.deepEqual([refused.status, refused.body['code']], [409, 'last_owner'], method);
  }
  await signInAs(scene.context, scene.operators, 'owner', 'dora');
  assert.equal((await scene.send('DELETE', path, owner, { reason })).status, 200);
});

test('an unknown operator is 404, a name in use 409, and a wrong name 422', async () => {
  await using stack = new AsyncDisposableStack();
  const scene = await openScene(stack);
  const owner = await signInFirst(scene.operators);
  const add = async (name: string, role = 'view') => {
    const { status, body } = await scene.send('POST', '/api/operators', owner, {
      name,
      role,
      reason,
    });
    return [status, body['code'] ?? 'ok'];
  };
  assert.deepEqual(await add('하나 2'), [200, 'ok']);
  assert.deepEqual(await add('하나 2'), [409, 'operator_exists']);
  assert.deepEqual(await add('a'.repeat(40)), [200, 'ok']);
  for (const name of ['', ' ', '<b>', 'command-line', 'a'.repeat(41), '../x'])
    assert.deepEqual(await add(name), [422, 'validation_failed'], name);
  assert.deepEqual(await add('eve', 'root'), [422, 'validation_failed']);
  const unknown = await scene.send('DELETE', '/api/operators/none', owner, { reason });
  assert.deepEqual([unknown.status, unknown.body['code']], [404, 'operator_not_found']);
});

test('an invitation sets a passphrase once, within 24 hours, and a reset makes another', async () => {
  await using stack = new AsyncDisposableStack();
  const scene = await openScene(stack);
  await signInFirst(scene.operators);
  const { token, endsAt } = await addOperator(scene.context, { name: 'ben', role: 'view' }, by);
  assert.equal(endsAt - scene.context.now(), 24 * 3_600_000);
  const join = async (invitation: string) => {
    scene.clock.now += 3_600_000;
    return (await scene.signIn({ name: 'ben', passphrase, token: invitation })).status;
  };
  assert.equal((await scene.signIn({ name: 'ben', passphrase: 'short', token })).status, 422);
  assert.equal((await scene.signIn({ name: 'cho', passphrase, token })).status, 401);
  assert.equal(await join(token), 200);
  assert.equal(await join(token), 401);
  const again = await changeOperator(scene.context, 'ben', { isPassphraseReset: true }, by);
  assert.equal((await scene.signIn({ name: 'ben', passphrase })).status, 401);
  scene.day.now += 24 * 3_600_000;
  assert.equal(await join(again!.token), 401);
});

test('T38: the first token is in a file of mode 0600, ends after a day, and a restart keeps it', async () => {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(temporaryFolder()).path;
  const fixture = stack.use(await openFixture(folder));
  const operators = await openOperators(fixture.context, folder);
  const path = (await operators.firstTokenPath())!;
  const first = await firstTokenOf(operators);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  fixture.clock.now += 24 * 3_600_000 - 1;
  assert.equal(await firstTokenOf(await openOperators(fixture.context, folder)), first);
  fixture.clock.now += 1;
  const second = await firstTokenOf(operators);
  assert.notEqual(second, first);
  const place = { address: '127.0.0.1' };
  await assert.rejects(operators.join(first, { name: 'hana', passphrase }, place));
  await operators.join(second, { name: 'hana', passphrase }, place);
  assert.equal(existsSync(path), false);
  writeFileSync(path, 'left by a killed process');
  await openOperators(fixture.context, folder);
  assert.equal(existsSync(path), false);
});

test('the operator of an operators.json becomes an owner, with the same passphrase', async () => {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(temporaryFolder()).path;
  const fixture = stack.use(await openFixture(folder));
  // Values that an earlier release stored, derived at the cost of production.
  const salt = '030a11181f262d343b424950575e656c';
  const key = '9839c7295dc1b8aa3f018070b64628b26d9d951bd137e60fb789982259849516';
  const path = join(folder, 'operators.json');
  writeFileSync(path, JSON.stringify([{ name: '하나', salt, key }]));
  const operators = await Operators.open(fixture.context, folder);
  assert.equal(await operators.firstTokenPath(), null);
  const { token } = await operators.signIn({ name: '하나', passphrase }, { address: '::1' });
  assert.equal((await operators.signedIn(token))?.role, 'owner');
  assert.equal(existsSync(path), false);
});

test('T38: a guesser at one address delays neither another address nor a known browser', async () => {
  await using stack = new AsyncDisposableStack();
  const scene = await openScene(stack);
  const opened = await scene.signIn({
    token: await firstTokenOf(scene.operators),
    name: 'hana',
    passphrase,
  });
  const mark = opened.headers.getSetCookie()[1]!.split(';')[0]!;
  assert.match(mark, /^__Host-maru_device=[a-z2-7]{16}\./);
  for (let count = 0; count < 3; count++) {
    assert.equal((await scene.signIn({ name: 'hana', passphrase: `wrong ${count}` })).status, 401);
  }
  assert.equal((await scene.signIn({ name: 'hana', passphrase })).status, 429);
  const forwarded = { 'x-forwarded-for': '192.0.2.7' };
  assert.equal((await scene.signIn({ name: 'hana', passphrase }, forwarded)).status, 429);
  await scene.operators.signIn({ name: 'hana', passphrase }, { address: '192.0.2.7' });
  assert.equal((await scene.signIn({ name: 'hana', passphrase }, { cookie: mark })).status, 200);
  // The mark works for its operator alone, and only unchanged.
  const forged = { cookie: mark.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')) };
  assert.equal((await scene.signIn({ name: 'hana', passphrase }, forged)).status, 429);
  assert.equal((await scene.signIn({ name: 'ben', passphrase }, { cookie: mark })).status, 429);
});

test('T38: a second factor needs a new code at each sign-in, also with a token', async () => {
  await using stack = new AsyncDisposableStack();
  const scene = await openScene(stack);
  const owner = await signInFirst(scene.operators);
  const { body: offer } = await scene.send('GET', '/api/account/totp', owner);
  const seed = String(offer['seed']);
  const secret = totpSecret(scene.context, 'hana', seed);
  const now = () => scene.context.now();
  const code = (later = 0) => totpAt(secret, Math.floor(now() / 30_000) + later);
  const enable = async (change: object) => {
    const whole = { seed, code: code(), current_passphrase: passphrase, ...change };
    return scene.send('POST', '/api/account/totp', owner, whole);
  };
  assert.equal((await enable({ code: '000000' })).body['code'], 'validation_failed');
  assert.equal((await enable({ seed: 'x' })).status, 422);
  const wrong = await enable({ current_passphrase: 'not the passphrase' });
  assert.match(wrong.text, /current_passphrase/);
  assert.equal((await enable({})).status, 200);
  assert.equal((await scene.send('GET', '/api/session', owner)).status, 401);
  const attempt = async (enteredCode?: string) => {
    scene.clock.now += 3_600_000;
    return (await scene.signIn({ name: 'hana', passphrase, code: enteredCode })).status;
  };
  assert.equal(await attempt(), 401);
  assert.equal(await attempt(code()), 401, 'The code of the enrolment is used up.');
  assert.equal(await attempt(code(2)), 401);
  assert.equal(await attempt(code(1)), 200);
  assert.equal(await attempt(code(1)), 401);
  // A reset keeps the second factor: the token alone opens nothing.
  await signInAs(scene.context, scene.operators, 'owner', 'dora');
  const reset = await changeOperator(scene.context, 'hana', { isPassphraseReset: true }, by);
  const { token } = reset!;
  assert.equal((await scene.signIn({ name: 'hana', passphrase, token })).status, 401);
  await changeOperator(scene.context, 'hana', { isSecondFactorRemoved: true }, by);
  assert.equal((await scene.signIn({ name: 'hana', passphrase, token })).status, 200);
});

test('the QR code of an authenticator app reads as the address with the same secret', async () => {
  await using stack = new AsyncDisposableStack();
  const scene = await openScene(stack);
  const owner = await signInFirst(scene.operators);
  const { text } = await scene.send('GET', '/actions/enableTotp', owner);
  const seed = /name="seed" value="([a-z2-7]+)"/.exec(text)![1]!;
  const { uri } = totpEnrolment('hana', totpSecret(scene.context, 'hana', seed));
  assert.equal(readQrCode(text), uri);
});

/** Text of the QR code in a page, by a reader other than the library that drew it. */
function readQrCode(page: string): string | undefined {
  const size = Number(/viewBox="0 0 (\d+) \d+"/.exec(page)![1]) * 4;
  const pixels = new Uint8ClampedArray(size * size * 4).fill(255);
  for (const [, x, y] of page.matchAll(/M(\d+),(\d+)h1v1h-1z/g)) {
    for (let at = 0; at < 16; at++) {
      const [column, row] = [Number(x) * 4 + (at % 4), Number(y) * 4 + (at >> 2)];
      pixels.fill(0, (row * size + column) * 4, (row * size + column) * 4 + 3);
    }
  }
  // The types of the package describe a module, but its file is CommonJS.
  const read = jsqr as unknown as typeof jsqr.default;
  return read(pixels, size, size)?.data;
}

test('changing one’s passphrase needs the current one and ends every session', async () => {
  await using stack = new AsyncDisposableStack();
  const scene = await openScene(stack);
  const owner = await signInFirst(scene.operators);
  const other = `${passphrase}, another`;
  const change = async (current: string, next = other) => {
    const body = { current_passphrase: current, passphrase: next };
    return (await scene.send('POST', '/api/account/passphrase', owner, body)).status;
  };
  assert.equal(await change('not the passphrase'), 422);
  assert.equal(await change(passphrase, 'short'), 422);
  assert.equal(await change(passphrase), 200);
  assert.equal((await scene.send('GET', '/api/session', owner)).status, 401);
  assert.equal((await scene.signIn({ name: 'hana', passphrase })).status, 401);
  assert.equal((await scene.signIn({ name: 'hana', passphrase: other })).status, 200);
});

test('T40: the access log has who looked at whom, failed sign-ins, and marks altered rows', async () => {
  await using stack = new AsyncDisposableStack();
  const scene = await openScene(stack);
  const owner = await signInFirst(scene.operators);
  const ben = await signInAs(scene.context, scene.operators, 'view', 'ben');
  const uid = await scene.register();
  await scene.send('GET', '/api/members', ben);
  await scene.send('GET', `/api/members/${uid}`, ben);
  await scene.send('POST', '/api/members/search', ben, { svc_uid: uid });
  await scene.send('POST', `/api/members/${uid}/reveal`, ben, { reason });
  await scene.send('POST', `/api/members/${uid}/reveal`, owner, { reason });
  const stranger = { name: 'my secret passphrase', passphrase };
  await assert.rejects(scene.operators.signIn(stranger, { address: '192.0.2.7' }));
  await scene.send('GET', `/members/${uid}`, owner);
  const log = async (query = '') => {
    const { body } = await scene.send('GET', `/api/access-log${query}`, owner);
    return body['items'] as Entry[];
  };
  const rows = (await log()).map(({ operator, action, members }) => [
    operator,
    action,
    members.length,
  ]);
  assert.deepEqual(rows, [
    ['hana', 'member', 1],
    ['', 'sign_in_failed', 0],
    ['hana', 'reveal', 1],
    ['ben', 'search', 1],
    ['ben', 'member', 1],
    ['ben', 'members', 1],
    ['ben', 'sign_in', 0],
    ['hana', 'sign_in', 0],
  ]);
  const [latest, failed] = await log();
  assert.deepEqual([latest!.members, latest!.intact, latest!.device.length], [[uid], true, 16]);
  assert.equal(failed!.address, '192.0.2.7');
  assert.deepEqual((await log('?operator=ben')).length, 4);
  assert.equal((await log(`?svc_uid=${uid}`)).length, 5);
  assert.equal((await log(`?svc_uid=${uid}&operator=ben`)).length, 3);
  assert.deepEqual(
    (await log('?before=3')).map(({ seq }) => seq),
    [2, 1],
  );
  const page = await scene.send('GET', `/access-log?operator=ben`, owner);
  assert.match(page.text, /회원 찾기|Find a member/);
  const csv = await scene.send('GET', '/access-log.csv', owner);
  assert.match(csv.headers.get('content-type') ?? '', /text\/csv/);
  assert.equal(csv.text.trimEnd().split('\r\n').length, 1 + 9, csv.text);
  assert.doesNotMatch(csv.text, /asha@example|secret passphrase/);
  await scene.context.store.write(async ({ accessLog }) => {
    const { seq: _seq, seal: _seal, ...row } = (await accessLog.list(99, 1))[0]!;
    await accessLog.insert({ ...row, operator: 'eve' }, () => 'made up');
  });
  assert.equal((await log())[0]!.intact, false);
  await scene.place.run(`DELETE FROM access_log_members WHERE seq = 4`);
  await scene.place.run(`DELETE FROM access_log WHERE seq = 4`);
  const doubtful = (await log()).filter(({ intact }) => !intact);
  assert.deepEqual(doubtful.map(({ seq }) => seq).slice(1), [5]);
});

interface Entry {
  readonly seq: number;
  readonly operator: string;
  readonly action: string;
  readonly address: string;
  readonly device: string;
  readonly members: readonly string[];
  readonly intact: boolean;
}

test('the access log is kept for two years', async () => {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(temporaryFolder()).path;
  const { context, clock } = stack.use(await openFixture(folder));
  await signInFirst(await openOperators(context, folder));
  const count = async () => (await context.store.read.accessLog.list(1_000, 100)).length;
  clock.now += 731 * 86_400_000;
  await runRetention(context);
  assert.equal(await count(), 1);
  clock.now += 1;
  await runRetention(context);
  assert.equal(await count(), 0);
});

test('the access log is read page by page without gaps or repeats, as JSON and as CSV', async () => {
  await using stack = new AsyncDisposableStack();
  const scene = await openScene(stack);
  const owner = await signInFirst(scene.operators);
  const origin = { operator: 'hana', address: '127.0.0.1', device: '' };
  for (let count = 0; count < 449; count++) await logAccess(scene.context, origin, 'member');
  const seen: number[] = [];
  let path: string | null = '/api/access-log';
  while (path !== null) {
    const { body }: TestResponse = await scene.send('GET', path, owner);
    const items = body['items'] as Entry[];
    assert.ok(items.every(({ intact }) => intact));
    seen.push(...items.map(({ seq }) => seq));
    const next = body['next_cursor'] as string | null;
    path = next === null ? null : `/api/access-log?before=${next}`;
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 450 }, (_, at) => 450 - at),
  );
  const csv = await scene.send('GET', '/access-log.csv', owner);
  assert.equal(csv.text.trimEnd().split('\r\n').length, 1 + 451);
});
