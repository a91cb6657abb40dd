import assert from 'node:assert/strict';
import { eventsHeld } from '../sdk/rig.ts';
import { leaveBy, until, type DrivenBrowser, type DrivenTab } from './driven-browser.ts';
import { openSecureScene } from './member-scene.ts';

type Step = (stack: AsyncDisposableStack, browser: DrivenBrowser) => Promise<void>;

const authenticated = 'svc.me().then((answer) => answer.authenticated)';
const visit = `svc.logEvent({ platform: 'books', event: 'visit' })`;

/** Steps of a visitor, in any driven browser; each step has a scene and a member of its own. */
export const journeySteps: Readonly<Record<string, Step>> = {
  async 'signed up on one platform, arrived signed in on the next, logged out everywhere'(
    stack,
    browser,
  ) {
    const { service, tab, books, music, film, outside } = await openTab(stack, browser);
    const email = newAddress();
    await signUp(tab, music, email);
    const uid = await textOf(tab, '#member');
    await leaveBy(tab, `document.querySelector('form[action="/logout"] button').click()`);
    assert.equal(await tab.run(authenticated), false);

    await signUp(tab, books, email);
    assert.equal(await textOf(tab, '#member'), uid);
    assert.equal(await tab.run('svc.uid()'), uid);
    assert.equal(await tab.run(authenticated), true);
    assert.match(String(await tab.run(visit)), /^[0-9a-f]{32}$/);
    assert.deepEqual(await tab.run('svc.flush()'), { delivered: 1, pending: 0 });

    await tab.goTo(music);
    assert.equal(await textOf(tab, '#account'), email, 'without a login there');
    await tab.run(`svc.logEvent({ platform: 'music', event: 'purchase', meta: { amount: 1 } })`);
    assert.deepEqual(await tab.run('svc.flush()'), { delivered: 1, pending: 0 });
    assert.deepEqual(
      [await eventsHeld(service, 'visit'), await eventsHeld(service, 'purchase')],
      [1, 1],
    );
    assert.equal(await tab.run(`svc.byEmail('${email}').then((member) => member.svc_uid)`), uid);
    assert.equal(await tab.run(`svc.byEmail('another@example.com')`), null);

    await tab.goTo(film);
    assert.equal(
      await textOf(tab, '#account'),
      null,
      'without an account there, the member is not signed in',
    );
    assert.equal(await tab.run(authenticated), true);

    await signUp(tab, outside, email);
    assert.equal(await textOf(tab, '#member'), uid);
    assert.deepEqual([await tab.run('svc.uid()'), await tab.run(authenticated)], [null, false]);

    await tab.goTo(music);
    assert.deepEqual(await tab.run(`svc.logout({ scope: 'all' })`), { ok: true, revoked: true });
    await tab.goTo(books);
    assert.equal(await textOf(tab, '#account'), null);
    assert.equal(await tab.run(authenticated), false);
  },

  async 'two tabs request the member once, and again when the login state changes'(stack, browser) {
    const { tab, books, requestCount } = await openTab(stack, browser);
    await signUp(tab, books, newAddress());
    const second = await browser.openTab();
    await second.goTo(books);
    await Promise.all([tab.run(authenticated), second.run(`Promise.all([svc.me(), svc.me()])`)]);
    assert.equal(requestCount('/auth/me'), 1);
    await tab.run('svc.logout()');
    assert.equal(await second.run(authenticated), false);
    assert.equal(requestCount('/auth/me'), 2);
    await second.close();
  },

  async 'leaving a page sends its events'(stack, browser) {
    const { service, tab, books, music } = await openTab(stack, browser);
    await signUp(tab, books, newAddress());
    await tab.run(`(${visit}, location.href = '${music}', null)`);
    // Nothing but the page that was left could have sent it.
    await until(async () => (await eventsHeld(service, 'visit')) === 1);
    await until(() => tab.run(`location.origin === '${music}' && typeof svc === 'object'`));
    await tab.goTo(books);
    assert.equal(await tab.run('svc.flush().then(({ pending }) => pending)'), 0);
    assert.equal(await eventsHeld(service, 'visit'), 1);
  },

  async 'while the service is away events wait, even over a reload, and nothing throws'(
    stack,
    browser,
  ) {
    const { service, gate, tab, books } = await openTab(stack, browser);
    const email = newAddress();
    await signUp(tab, books, email);
    gate.cut((socket) => void socket.resetAndDestroy());
    assert.equal(await tab.run('svc.isAuthenticated()'), false);
    assert.equal(await tab.run('svc.me().catch((error) => error.code)'), 'unreachable');
    await tab.run(`Promise.all(Array.from({ length: 101 }, () => ${visit}))`);
    assert.deepEqual(await tab.run('svc.flush()'), { delivered: 0, pending: 100 });
    await tab.goTo(books);
    assert.equal(await textOf(tab, '#account'), email, 'the platform works on');
    gate.cut(null);
    await tab.goTo(books);
    await until(() => tab.run('svc.flush().then(({ pending }) => pending === 0)'));
    assert.equal(await eventsHeld(service, 'visit'), 100);
  },

  async 'a call to a service that hangs is given up at its time-out'(stack, browser) {
    const { gate, tab, books } = await openTab(stack, browser);
    await signUp(tab, books, newAddress());
    gate.cut(() => {});
    assert.equal(await tab.run('svc.me().catch((error) => error.code)'), 'unreachable');
    gate.cut(null);
    await until(() => tab.run(`${authenticated}.catch(() => false)`));
  },

  async 'a call for servers is refused with 401, and so is every call of a page with a key'(
    stack,
    browser,
  ) {
    const { tab, books, origin } = await openTab(stack, browser);
    await tab.goTo(books);
    for (const name of ['signup', 'ssoLogin']) {
      assert.equal(await tab.run(`svc.${name}({}).catch(({ status }) => status)`), 401, name);
    }
    const page = `<script src="${origin}/sdk.js" data-api-key="svck_x"></script>`;
    await tab.goTo(`data:text/html,${encodeURIComponent(page)}`);
    assert.equal(await tab.run('svc.me().catch(({ status }) => status)'), 401);
  },

  async 'a pinned version loads with its hash, and with no other'(stack, browser) {
    const { tab, books, origin } = await openTab(stack, browser);
    await tab.goTo(books);
    const [path, integrity] = (await tab.run(
      `fetch('${origin}/sdk/integrity.json')
        .then((response) => response.json())
        .then(({ files: [{ path, integrity }] }) => [path, integrity])`,
    )) as [string, string];
    for (const [hash, type] of [
      [integrity, 'object'],
      [`${integrity.slice(0, -4)}AAAA`, 'undefined'],
    ] as const) {
      const page = `<script src="${origin}${path}" integrity="${hash}" crossorigin="anonymous"></script>`;
      await tab.goTo(`data:text/html,${encodeURIComponent(page)}`);
      assert.equal(await tab.run('typeof svc'), type);
    }
  },
};

async function openTab(stack: AsyncDisposableStack, browser: DrivenBrowser) {
  const scene = await openSecureScene(stack);
  const tab = await browser.openTab();
  stack.defer(() => tab.close());
  return { ...scene, tab };
}

async function signUp(tab: DrivenTab, origin: string, email: string): Promise<void> {
  await tab.goTo(origin);
  await leaveBy(
    tab,
    `(() => {
      const form = document.querySelector('form[action="/signup"]');
      form.email.value = '${email}';
      form.password.value = 'correct horse';
      form.querySelector('button').click();
    })()`,
  );
}

function textOf(tab: DrivenTab, selector: string): Promise<unknown> {
  return tab.run(`document.querySelector('${selector}')?.textContent`);
}

/** A new address for each scene, since all scenes share the browser. */
function newAddress(): string {
  return `m-${crypto.randomUUID().slice(0, 8)}@example.com`;
}
