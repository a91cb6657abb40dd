import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { readPlatformDeclaration } from '../../src/members/platform-configuration.ts';
import { declarePlatforms } from '../../src/members/platforms.ts';
import { troubles } from '../sdk/gate.ts';
import { eventsHeld } from '../sdk/rig.ts';
import { openDevelopmentScene, openPage, openScene, run, submit } from './member-scene.ts';
import { openBrowser } from './open-browser.ts';

let browser: Browser;

before(async () => {
  browser = await openBrowser();
});

const email = 'asha@example.com';
/** Options of a test that waits for the service. */
const waitOptions = { timeout: 30_000 };

const authenticated = 'svc.me().then((answer) => answer.authenticated)';

test('signed up on one platform, arrived signed in on the next, logged out everywhere', async () => {
  await using stack = new AsyncDisposableStack();
  const { service, context, books, music, film, outside } = await openScene(stack, browser);
  const page = await context.newPage();
  await page.goto(music);
  await submit(page, 'signup', email);
  const uid = await page.locator('#member').textContent();
  await Promise.all([page.waitForNavigation(), page.getByText('logout').click()]);
  assert.equal(await run(page, authenticated), false);

  await page.goto(books);
  await submit(page, 'signup', email);
  assert.equal(await page.locator('#member').textContent(), uid);
  assert.equal(await run(page, 'svc.uid()'), uid);
  assert.equal(await run(page, authenticated), true);
  await run(page, `svc.logEvent({ platform: 'books', event: 'visit' })`);
  assert.deepEqual(await run(page, 'svc.flush()'), { delivered: 1, pending: 0 });

  await page.goto(music);
  assert.equal(await page.locator('#account').textContent(), email, 'without a login there');
  await run(page, `svc.logEvent({ platform: 'music', event: 'purchase', meta: { amount: 1 } })`);
  assert.deepEqual(await run(page, 'svc.flush()'), { delivered: 1, pending: 0 });
  assert.equal(await eventsHeld(service, 'visit'), 1);
  assert.equal(await eventsHeld(service, 'purchase'), 1);
  assert.equal((await run<{ svc_uid: string }>(page, `svc.byEmail('${email}')`)).svc_uid, uid);
  assert.equal(await run(page, `svc.byEmail('another@example.com')`), null);

  await page.goto(film);
  assert.equal(
    await page.locator('#account').count(),
    0,
    'without an account there, the member is not signed in',
  );
  assert.equal(await run(page, authenticated), true);

  await page.goto(outside);
  await submit(page, 'signup', email);
  assert.equal(await page.locator('#member').textContent(), uid);
  assert.equal(await run(page, 'svc.uid()'), null);
  assert.equal(await run(page, authenticated), false);
  assert.equal(await run(page, `svc.logEvent({ platform: 'outside', event: 'visit' })`), null);

  await page.goto(music);
  assert.deepEqual(await run(page, `svc.logout({ scope: 'all' })`), { ok: true, revoked: true });
  assert.equal(await run(page, authenticated), false);
  await page.goto(books);
  assert.equal(await page.locator('#account').count(), 0);
  assert.equal(await run(page, authenticated), false);
  await page.goto(outside);
  assert.equal(await page.locator('#account').textContent(), email, 'it has its own session only');
  assert.equal(await service.context.store.read.members.count(), 1);
});

test('tabs of a platform request the member once, and again when the login state changes', async () => {
  await using stack = new AsyncDisposableStack();
  const { context, books, requestCount } = await openScene(stack, browser);
  const first = await context.newPage();
  await first.goto(books);
  await submit(first, 'signup', email);
  const second = await context.newPage();
  await second.goto(books);
  const answers = await Promise.all(
    [first, second, first].map((page) => run(page, `Promise.all([svc.me(), ${authenticated}])`)),
  );
  assert.equal(answers.length, 3);
  assert.equal(requestCount('/auth/me'), 1);
  await run(first, 'svc.logout()');
  assert.equal(await run(second, authenticated), false);
  assert.equal(requestCount('/auth/me'), 2);
});

test('an event left over by a closed page is delivered on the next visit', async () => {
  await using stack = new AsyncDisposableStack();
  const { service, context, books } = await openScene(stack, browser);
  const page = await signUpOn(await context.newPage(), books);
  await page.route('**/members/events/batch', (route) => route.abort());
  const id = await run<string>(page, `svc.logEvent({ platform: 'books', event: 'visit' })`);
  assert.match(id, /^[0-9a-f]{32}$/);
  await page.close({ runBeforeUnload: false });
  assert.equal(await eventsHeld(service, 'visit'), 0);
  const next = await context.newPage();
  await next.goto(books);
  // The page may have delivered it before the call.
  const { pending } = await run<{ pending: number }>(next, 'svc.flush()');
  assert.equal(pending, 0);
  assert.equal(await eventsHeld(service, 'visit'), 1);
});

test(
  'leaving a page sends its events at once, and what is sent twice counts once',
  waitOptions,
  async () => {
    await using stack = new AsyncDisposableStack();
    const { service, context, books, music } = await openScene(stack, browser);
    const page = await signUpOn(await context.newPage(), books);
    await page.evaluate(
      `void svc.logEvent({ platform: 'books', event: 'visit' }); location.href = '${music}'`,
    );
    await page.waitForURL(`${music}/`);
    // Nothing but the page that was left could have sent it.
    while ((await eventsHeld(service, 'visit')) === 0) await pause(5);
    await page.goto(books);
    const { pending } = await run<{ pending: number }>(page, 'svc.flush()');
    assert.equal(pending, 0);
    assert.equal(await eventsHeld(service, 'visit'), 1);
  },
);

test('an event of a page that was frozen while the service was away is delivered when it thaws', async () => {
  await using stack = new AsyncDisposableStack();
  const { service, context, books } = await openScene(stack, browser);
  const page = await signUpOn(await context.newPage(), books);
  await page.route('**/members/events/batch', (route) => route.abort());
  await run(page, `svc.logEvent({ platform: 'books', event: 'visit' })`);
  assert.deepEqual(await run(page, 'svc.flush()'), { delivered: 0, pending: 1 });
  const session = await context.newCDPSession(page);
  await session.send('Page.setWebLifecycleState', { state: 'frozen' });
  await page.unroute('**/members/events/batch');
  await session.send('Page.setWebLifecycleState', { state: 'active' });
  // The page delivers it by itself: no call follows the thaw.
  while ((await eventsHeld(service, 'visit')) === 0) await pause(5);
  assert.deepEqual(await run(page, 'svc.flush()'), { delivered: 1, pending: 0 });
  assert.equal(await eventsHeld(service, 'visit'), 1);
});

test('two tabs that send the same events at one time count each once', async () => {
  await using stack = new AsyncDisposableStack();
  const { service, context, gate, books } = await openScene(stack, browser);
  const tabs = [await signUpOn(await context.newPage(), books), await context.newPage()];
  await tabs[1]!.goto(books);
  gate.cut(troubles.dead);
  for (const tab of tabs) {
    await run(
      tab,
      `Promise.all(Array.from({ length: 30 }, () => svc.logEvent({ platform: 'books', event: 'visit' })))`,
    );
  }
  for (const tab of tabs) {
    assert.deepEqual(await run(tab, 'svc.flush()'), { delivered: 0, pending: 60 });
  }
  gate.cut(null);
  let pending = 60;
  while (pending > 0) {
    const results = await Promise.all(
      tabs.map((tab) => run<{ pending: number }>(tab, 'svc.flush()')),
    );
    pending = Math.max(...results.map((each) => each.pending));
  }
  assert.equal(await eventsHeld(service, 'visit'), 60);
});

test('a sign-up while the service is down is not held up, and is made once when it is back', async () => {
  await using stack = new AsyncDisposableStack();
  const { service, context, gate, books, music } = await openScene(stack, browser);
  const page = await context.newPage();
  await page.goto(books);
  gate.cut(troubles.dead);
  await submit(page, 'signup', email);
  assert.equal(await page.locator('#account').textContent(), email);
  assert.equal(await page.locator('#member').textContent(), 'not registered yet');
  assert.equal(await service.context.store.read.members.count(), 0);
  gate.cut(null);
  // The platform's server tries again by itself.
  while ((await eventsHeld(service, 'register')) === 0) await pause(5);
  await page.goto(books);
  assert.match((await page.locator('#member').textContent()) ?? '', /^svc_/);
  // The next login signs in on all platforms.
  await Promise.all([page.waitForNavigation(), page.getByText('logout').click()]);
  await submit(page, 'login', email);
  await page.goto(music);
  assert.equal(await run(page, authenticated), true);
  assert.deepEqual(
    [await service.context.store.read.members.count(), await eventsHeld(service, 'register')],
    [1, 1],
  );
});

test('logging out everywhere ends other devices’ sessions, and logging out here does not', async () => {
  await using stack = new AsyncDisposableStack();
  const { context, books, music } = await openScene(stack, browser);
  const here = await signUpOn(await context.newPage(), books);
  const there = await stack.use(await browser.newContext()).newPage();
  await there.goto(books);
  await submit(there, 'login', email);
  await run(here, 'svc.logout()');
  await there.goto(books);
  assert.equal(await there.locator('#account').textContent(), email);
  await here.goto(books);
  await submit(here, 'login', email);
  await here.goto(music);
  await run(here, `svc.logout({ scope: 'all' })`);
  await there.goto(books);
  assert.equal(await there.locator('#account').count(), 0);
  assert.equal(await run(there, authenticated), false);
});

test('without third-party cookies siblings work, and an outside platform works logged out', async () => {
  await using stack = new AsyncDisposableStack();
  const { context, books, outside } = await openScene(stack, browser);
  const page = await context.newPage();
  const errors: Error[] = [];
  page.on('pageerror', (error) => errors.push(error));
  const session = await context.newCDPSession(page);
  await session.send('Network.setCookieControls', { enableThirdPartyCookieRestriction: true });
  await page.goto(books);
  await submit(page, 'signup', email);
  assert.equal(await run(page, authenticated), true);
  await run(page, `svc.logEvent({ platform: 'books', event: 'visit' })`);
  assert.deepEqual(await run(page, 'svc.flush()'), { delivered: 1, pending: 0 });
  await page.goto(outside);
  await submit(page, 'signup', email);
  assert.match((await page.locator('#member').textContent()) ?? '', /^svc_/);
  assert.equal(await run(page, authenticated), false);
  assert.deepEqual(errors, []);
});

test('single sign-on works on a developer’s machine, where only the ports of localhost differ', async () => {
  await using stack = new AsyncDisposableStack();
  const { service, context, books, music } = await openDevelopmentScene(stack, browser);
  const page = await context.newPage();
  await page.goto(music);
  await submit(page, 'signup', email);
  await page.goto(books);
  assert.equal(await run(page, authenticated), true);
  await submit(page, 'signup', email);
  await run(page, `svc.logEvent({ platform: 'books', event: 'visit' })`);
  assert.deepEqual(await run(page, 'svc.flush()'), { delivered: 1, pending: 0 });
  assert.deepEqual(await run(page, 'svc.logout()'), { ok: true, revoked: true });
  assert.equal(await run(page, 'svc.uid()'), null);
  await page.goto(music);
  assert.equal(await page.locator('#account').count(), 0);
  assert.equal(await service.context.store.read.members.count(), 1);
});

test('without a network events wait, and go out when it is back', async () => {
  await using stack = new AsyncDisposableStack();
  const { service, context, books } = await openScene(stack, browser);
  const page = await signUpOn(await context.newPage(), books);
  await context.setOffline(true);
  for (const event of ['visit', 'login']) {
    await run(page, `svc.logEvent({ platform: 'books', event: '${event}' })`);
  }
  assert.deepEqual(await run(page, 'svc.flush()'), { delivered: 0, pending: 2 });
  const sent = page.waitForResponse((response) => response.url().endsWith('/members/events/batch'));
  await context.setOffline(false);
  await sent;
  assert.deepEqual(await run(page, 'svc.flush()'), { delivered: 2, pending: 0 });
  assert.equal(await eventsHeld(service, 'visit'), 1);
});

test('a platform keeps working without the service: nothing throws, and 100 events wait', async () => {
  await using stack = new AsyncDisposableStack();
  const { service, origin, context, books } = await openScene(stack, browser);
  const page = await signUpOn(await context.newPage(), books);
  const errors: Error[] = [];
  page.on('pageerror', (error) => errors.push(error));
  await page.route(`${origin}/**`, (route) => route.abort());
  assert.equal(await run(page, 'svc.isAuthenticated()'), false);
  assert.equal(await run(page, 'svc.me().catch((error) => error.code)'), 'unreachable');
  await run(
    page,
    `Promise.all(Array.from({ length: 101 }, () => svc.logEvent({ platform: 'books', event: 'visit' })))`,
  );
  assert.deepEqual(await run(page, 'svc.flush()'), { delivered: 0, pending: 100 });
  await page.reload();
  assert.equal(await run(page, 'typeof svc'), 'undefined');
  assert.equal(await page.locator('#account').textContent(), email);
  assert.deepEqual(errors, []);
  await page.unroute(`${origin}/**`);
  await page.reload();
  assert.deepEqual(await run(page, 'svc.flush()'), { delivered: 100, pending: 0 });
  assert.equal(await eventsHeld(service, 'visit'), 100);
});

test('events of one member are never sent in the name of another', async () => {
  await using stack = new AsyncDisposableStack();
  const { service, context, books } = await openScene(stack, browser);
  const page = await signUpOn(await context.newPage(), books);
  await page.route('**/members/events/batch', (route) => route.abort());
  await run(page, `svc.logEvent({ platform: 'books', event: 'visit' })`);
  await run(page, 'svc.logout()');
  await page.unroute('**/members/events/batch');
  await page.goto(books);
  await submit(page, 'signup', 'second@example.com');
  assert.deepEqual(await run(page, 'svc.flush()'), { delivered: 0, pending: 1 });
  await run(page, 'svc.logout()');
  await page.goto(books);
  await submit(page, 'login', email);
  assert.deepEqual(await run(page, 'svc.flush()'), { delivered: 1, pending: 0 });
  assert.equal(await eventsHeld(service, 'visit'), 1);
});

test('a signed-in page reads statistics, a signed-out one and a closed platform do not', async () => {
  await using stack = new AsyncDisposableStack();
  const { service, context, books, music } = await openScene(stack, browser);
  const page = await signUpOn(await context.newPage(), books);
  const calls = ['svc.statsCrossPlatform()', 'svc.statsNorthStar()'];
  const codeOf = (call: string) =>
    run(page, `${call}.then(() => 'ok', ({ status, code }) => [status, code])`);
  assert.equal(await run(page, `${calls[0]}.then(({ members }) => members)`), null);
  assert.equal(await run(page, `${calls[1]}.then(({ weeks }) => weeks.length)`), 12);
  const closed = { code: 'music', origins: [music], page_stats: false };
  const operator = { actor: 'operator:test', reason: 'a test' };
  await declarePlatforms(service.context, [readPlatformDeclaration(closed)], operator);
  await page.goto(music);
  for (const call of calls) assert.deepEqual(await codeOf(call), [403, 'page_stats_disabled']);
  await page.goto(books);
  await run(page, 'svc.logout()');
  for (const call of calls) assert.deepEqual(await codeOf(call), [401, 'session_required']);
});

test('a call for servers rejects in a page with 401 without a request', async () => {
  await using stack = new AsyncDisposableStack();
  const { context, books, requestCount } = await openScene(stack, browser);
  const page = await signUpOn(await context.newPage(), books);
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url()));
  for (const name of ['signup', 'ssoLogin']) {
    const call = `svc.${name}({ email: 'a@example.com' }).catch(({ status, code }) => [status, code])`;
    assert.deepEqual(await run(page, call), [401, 'browser_call_refused'], name);
  }
  assert.deepEqual(sent, []);
  assert.equal(requestCount('/members/register'), 1, 'the platform’s own');
});

test('a page with an API key logs an error, and nothing works', async () => {
  await using stack = new AsyncDisposableStack();
  const { context, origin, service } = await openScene(stack, browser);
  const page = await context.newPage();
  const messages: string[] = [];
  page.on('console', (message) => messages.push(`${message.type()}: ${message.text()}`));
  const script = `<script src="${origin}/sdk.js" data-api-key="${service.keys.books}"></script>`;
  await page.goto(await openPage(stack, script));
  assert.match(messages.join(), /^error: .*API key/);
  assert.ok(!messages.join().includes('svck_'));
  for (const call of [
    'me()',
    'isAuthenticated()',
    'logout()',
    'flush()',
    `byUid('x')`,
    'logEvent()',
  ]) {
    assert.equal(await run(page, `svc.${call}.catch((error) => error.status)`), 401, call);
  }
});

test('a pinned version loads with its hash, and with no other', async () => {
  await using stack = new AsyncDisposableStack();
  const { context, origin, books } = await openScene(stack, browser);
  const page = await context.newPage();
  await page.goto(books);
  const { files } = await run<{ files: { path: string; integrity: string }[] }>(
    page,
    `fetch('${origin}/sdk/integrity.json').then((response) => response.json())`,
  );
  const { path, integrity } = files[0]!;
  for (const [hash, type] of [
    [integrity, 'object'],
    [`${integrity.slice(0, -4)}AAAA`, 'undefined'],
  ] as const) {
    const script = `<script src="${origin}${path}" integrity="${hash}" crossorigin="anonymous"></script>`;
    await page.goto(await openPage(stack, script));
    assert.equal(await run(page, 'typeof svc'), type);
  }
});

test('the sample pages of the package’s README behave as it describes', async () => {
  await using stack = new AsyncDisposableStack();
  const { context, origin, books } = await openScene(stack, browser);
  const readme = readFileSync(resolve(import.meta.dirname, '../../sdk/README.md'), 'utf8');
  const samples = [...readme.matchAll(/```html\n(.*?)```/gs)].map(([, sample]) => sample!);
  assert.equal(samples.length, 2);
  const page = await signUpOn(await context.newPage(), books);
  const { files } = await run<{ files: { path: string; integrity: string }[] }>(
    page,
    `fetch('${origin}/sdk/integrity.json').then((response) => response.json())`,
  );
  for (const sample of samples) {
    const pinned = files.find(({ path }) => sample.includes(path));
    const html = sample
      .replaceAll('https://id.example.com', origin)
      .replace('sha384-…', pinned?.integrity ?? '');
    await page.goto(books);
    await page.evaluate('delete window.svc');
    await page.setContent(html);
    assert.equal(await run(page, authenticated), true);
    if (sample.includes('Hello')) await page.waitForFunction('document.title');
    assert.equal(await page.title(), sample.includes('Hello') ? 'Hello as***@e***.com' : '');
  }
});

async function signUpOn(page: Page, origin: string): Promise<Page> {
  await page.goto(origin);
  await submit(page, 'signup', email);
  return page;
}
