import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { startServer } from '../../src/kernel/http/server.ts';
import {
  sendAsServer,
  openFixture,
  sessionCookie,
  type MembersFixture,
} from '../fixtures/members.ts';
import { readPlatformConfiguration } from '../../src/members/platform-configuration.ts';
import { declarePlatforms } from '../../src/members/platforms.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { openBrowser } from './open-browser.ts';

const asha = { email: 'asha@example.com', platform: 'books', local_user_id: 'u-1' };

/** Opens a service on `id.maru.localhost`, and pages of a platform, of an unregistered subdomain and of another site. */
async function openScene(stack: AsyncDisposableStack) {
  const folder = stack.use(temporaryFolder());
  const settings = { MARU_MEMBERS_URL: 'http://id.maru.localhost:1', MARU_COOKIE_DOMAIN: null };
  const fixture = stack.use(await openFixture(folder.path, settings));
  const { router, context } = fixture;
  const server = stack.use(await startServer({ router, host: '127.0.0.1', port: 0 }));
  const pages = createServer((request, response) => {
    if (request.url === '/worker.js') {
      response.setHeader('content-type', 'text/javascript');
      response.end(worker);
      return;
    }
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>page</title>');
  });
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  stack.defer(() => closeNow(pages));
  // A listening TCP server has an address of this shape.
  const { port } = pages.address() as AddressInfo;
  const platformOrigin = `http://books.maru.localhost:${port}`;
  const platform = { code: 'books', origins: [platformOrigin] };
  const operator = { actor: 'operator:test', reason: 'the test' };
  await declarePlatforms(context, readPlatformConfiguration({ platforms: [platform] }), operator);
  const browser = await openBrowser();
  const page = await stack.use(await browser.newContext()).newPage();
  const service = `http://id.maru.localhost:${server.port}`;
  return {
    fixture,
    page,
    service,
    platformOrigin,
    sibling: `http://evil.maru.localhost:${port}`,
    stranger: `http://127.0.0.1:${port}`,
  };
}

/** A service worker that registers at the URL of a message, and posts back the status or `blocked`. */
const worker = `
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('message', ({ data, source }) => fetch(data, {
  method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}',
}).then(({ status }) => source.postMessage(String(status)), () => source.postMessage('blocked')));`;

async function closeNow(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

/** Runs `fetch` in the page; returns the status, or `blocked` when the browser refused. */
async function fetchIn(page: Page, url: string, init: object): Promise<string> {
  return page.evaluate(
    `fetch(${JSON.stringify(url)}, ${JSON.stringify(init)}).then((r) => r.type === 'opaque' ? 'opaque' : String(r.status), () => 'blocked')`,
  );
}

function requestsTo(fixture: MembersFixture, method: string, path: string): number {
  return fixture
    .logged()
    .split('\n')
    .filter((line) => line.includes(`"method":"${method}","path":"${path}"`)).length;
}

test('T5, T7: a page cannot send a key, and every indirect way to register is refused', async () => {
  await using stack = new AsyncDisposableStack();
  const { fixture, page, service, platformOrigin } = await openScene(stack);
  const url = `${service}/members/register`;
  await page.goto(platformOrigin);
  const json = { method: 'POST', body: JSON.stringify(asha) };
  const headers = { 'content-type': 'application/json', 'x-api-key': fixture.keys.books };
  assert.equal(await fetchIn(page, url, { ...json, headers }), 'blocked');
  assert.equal(requestsTo(fixture, 'POST', '/members/register'), 0);
  const plain = { 'content-type': 'application/json' };
  assert.equal(await fetchIn(page, url, { ...json, headers: plain }), '401');
  assert.equal(await fetchIn(page, url, { ...json, mode: 'no-cors' }), 'opaque');
  await page.evaluate(`navigator.sendBeacon(${JSON.stringify(url)}, '{}')`);
  await page.evaluate(
    `new Promise((done) => { const f = document.createElement('iframe'); f.sandbox = 'allow-scripts allow-forms'; f.srcdoc = '<script>fetch(${JSON.stringify(url).replaceAll('"', '`')}, {method: "POST", body: "{}", mode: "no-cors"}).finally(() => parent.postMessage(1, "*"))</' + 'script>'; addEventListener('message', done); document.body.append(f); })`,
  );
  // A service worker of the platform sends it instead of the page.
  const worker = `navigator.serviceWorker.register('/worker.js').then(() => new Promise((done) => {
    navigator.serviceWorker.onmessage = ({ data }) => done(data);
    navigator.serviceWorker.ready.then(({ active }) => active.postMessage(${JSON.stringify(url)}));
  }))`;
  assert.equal(await page.evaluate(worker), '401');
  // A frame sends GET, even to routes of POST; `/members/lookup`, a route for pages, has no GET.
  for (const [path, status] of [
    ['/stats/north-star', 401],
    ['/members/svc_x', 401],
    ['/members/register', 401],
    ['/members/lookup', 405],
  ] as const) {
    const frameResponse = page.waitForResponse(service + path);
    await page.evaluate(
      `{ const f = document.createElement('iframe'); f.src = ${JSON.stringify(service)} + '${path}'; document.body.append(f); }`,
    );
    assert.equal((await frameResponse).status(), status, path);
  }
  const [response] = await Promise.all([
    page.waitForNavigation(),
    page.evaluate(
      `{ const f = document.createElement('form'); f.method = 'post'; f.action = ${JSON.stringify(url)}; document.body.append(f); f.submit(); }`,
    ),
  ]);
  assert.equal(response?.status(), 401);
  const log = fixture
    .logged()
    .split('\n')
    .filter((line) => line.includes('"method":"POST"'));
  assert.ok(log.length >= 6, String(log.length));
  assert.ok(
    log.every((line) => line.includes('"status":401')),
    log.join('\n'),
  );
  assert.equal(await fixture.context.store.read.members.count(), 0);
});

test('T8, T9: only pages of registered origins can read the session and log out', async () => {
  await using stack = new AsyncDisposableStack();
  const { fixture, page, service, platformOrigin, sibling, stranger } = await openScene(stack);
  await sendAsServer(fixture, 'POST', '/members/register', fixture.keys.books, asha);
  const issued = await sendAsServer(fixture, 'POST', '/auth/sso/issue', fixture.keys.books, asha);
  const [name, value] = sessionCookie(issued).split('=');
  await page.context().addCookies([
    {
      name: name!,
      value: value!,
      domain: 'id.maru.localhost',
      path: '/',
      httpOnly: true,
      sameSite: 'Lax',
    },
  ]);
  const logoutUrl = `${service}/auth/logout`;
  const credentials = 'include';
  for (const origin of [stranger, sibling]) {
    await page.goto(origin);
    const forged = { method: 'POST', body: '{}', credentials };
    assert.equal(
      await fetchIn(page, logoutUrl, { ...forged, headers: { 'content-type': 'text/plain' } }),
      'blocked',
    );
    const headers = { 'content-type': 'application/json', 'x-svc-client': '1' };
    assert.equal(await fetchIn(page, logoutUrl, { ...forged, headers }), 'blocked');
    assert.equal(await fetchIn(page, `${service}/auth/me`, { credentials }), 'blocked');
    await page.evaluate(`navigator.sendBeacon(${JSON.stringify(logoutUrl)}, '{}')`);
    const [response] = await Promise.all([
      page.waitForNavigation(),
      page.evaluate(
        `{ const f = document.createElement('form'); f.method = 'post'; f.enctype = 'text/plain'; f.action = ${JSON.stringify(logoutUrl)}; document.body.append(f); f.submit(); }`,
      ),
    ]);
    assert.equal(response?.status(), 403, origin);
  }
  await page.goto(platformOrigin);
  const me = `fetch(${JSON.stringify(`${service}/auth/me`)}, {credentials: 'include'}).then((r) => r.json()).then((a) => a.authenticated)`;
  assert.equal(await page.evaluate(me), true);
  const headers = { 'content-type': 'application/json', 'x-svc-client': '1' };
  const event = JSON.stringify({ platform: 'books', event: 'visit' });
  assert.equal(
    await fetchIn(page, `${service}/members/events`, {
      method: 'POST',
      body: event,
      credentials,
      headers,
    }),
    '201',
  );
  const forged = JSON.stringify({ platform: 'cards', event: 'purchase' });
  assert.equal(
    await fetchIn(page, `${service}/members/events`, {
      method: 'POST',
      body: forged,
      credentials,
      headers,
    }),
    '403',
  );
  assert.equal(
    await fetchIn(page, logoutUrl, { method: 'POST', body: '{}', credentials, headers }),
    '200',
  );
  assert.equal(await page.evaluate(me), false);
});
