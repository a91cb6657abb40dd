import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPageSvc, type Page } from '../../sdk/src/page-svc.ts';

const script = {
  src: 'https://docs.example.com/sdk.js',
  outerHTML: '<script src="https://docs.example.com/sdk.js"></script>',
  dataset: {},
};

/** A window as the script uses it, with its requests. */
function openPage(options: Partial<Page> & { readonly cookie?: string } = {}) {
  const requests: { readonly url: string; readonly init: RequestInit | undefined }[] = [];
  const listeners = new Map<string, () => void>();
  const addEventListener = (type: string, listener: () => void): void =>
    void listeners.set(type, listener);
  const { cookie = 'svc_uid=svc_a', ...rest } = options;
  const document = { cookie, visibilityState: 'visible', addEventListener };
  const page: Page & { document: typeof document } = {
    fetch: (input, init) => {
      // The script calls with strings.
      requests.push({ url: input as string, init });
      const { events = [] } = JSON.parse((init?.body ?? '{}') as string) as { events?: object[] };
      const results = events.map(() => ({ status: 201, event_id: 'e', accepted: true }));
      return Promise.resolve(Response.json({ authenticated: true, svc_uid: 'svc_a', results }));
    },
    navigator: {},
    localStorage: {},
    addEventListener,
    ...rest,
    document,
  };
  return { page, requests, listeners, document };
}

const visit = { platform: 'books', event: 'visit' };

test('the script calls the origin it was loaded from, or the one its element names', async () => {
  const own = openPage();
  await createPageSvc(own.page, script).me();
  assert.equal(own.requests[0]?.url, 'https://docs.example.com/auth/me');
  const named = openPage();
  const dataset = { membersUrl: 'https://id.example.com' };
  await createPageSvc(named.page, { ...script, dataset }).me();
  assert.equal(named.requests[0]?.url, 'https://id.example.com/auth/me');
});

test('an unreachable service rejects with a hint to the origin of the page', async () => {
  const { page } = openPage({ fetch: () => Promise.reject(new TypeError('Failed to fetch')) });
  await assert.rejects(createPageSvc(page, script).me(), {
    status: 0,
    code: 'unreachable',
    message: 'The members service was not reached. Is the origin of this page registered?',
  });
});

test('me() sends cookies and no header that needs a preflight', async () => {
  const { page, requests } = openPage();
  await createPageSvc(page, script).me();
  assert.deepEqual(requests[0]?.init?.headers, {});
  assert.equal(requests[0]?.init?.credentials, 'include');
});

test('without locks and storage everything works as long as the page exists', async () => {
  const localStorage = new Proxy<Record<string, string>>({}, { set: () => false });
  const { page, requests } = openPage({ localStorage });
  const svc = createPageSvc(page, script);
  await Promise.all([svc.me(), svc.me()]);
  await svc.me();
  assert.equal(requests.length, 1);
  assert.match((await svc.logEvent(visit)) ?? '', /^\w{32}$/);
  assert.deepEqual(await svc.flush(), { delivered: 1, pending: 0 });
  assert.equal(requests.length, 2);
});

test('me() is cached for five seconds, and not for another member', async (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: 1_000_000 });
  const { page, requests, document } = openPage();
  const svc = createPageSvc(page, script);
  await svc.me();
  context.mock.timers.tick(4_999);
  await svc.me();
  assert.equal(requests.length, 1);
  context.mock.timers.tick(1);
  await svc.me();
  assert.equal(requests.length, 2);
  document.cookie = 'theme=dark; svc_uid=svc_b';
  await svc.me();
  assert.equal(requests.length, 3);
});

test('events are bounded: 100 of them, 7 days, 9,000 characters, and no API key', async (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: 1_000_000 });
  const { page } = openPage({ fetch: () => Promise.reject(new TypeError('offline')) });
  const svc = createPageSvc(page, script);
  const room = 9_000 - JSON.stringify({ svc_uid: 'svc_a', ...visit, meta: { text: '' } }).length;
  assert.notEqual(await svc.logEvent({ ...visit, meta: { text: 'x'.repeat(room) } }), null);
  assert.equal(await svc.logEvent({ ...visit, meta: { text: 'x'.repeat(room + 1) } }), null);
  assert.equal(await svc.logEvent({ ...visit, meta: { text: 'svck_live_a_b' } }), null);
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  assert.equal(await svc.logEvent({ ...visit, meta: circle }), null);
  for (let index = 0; index < 100; index++) await svc.logEvent(visit);
  assert.equal((await svc.flush()).pending, 100);
  context.mock.timers.tick(604_800_000 - 1);
  assert.equal((await svc.flush()).pending, 100);
  context.mock.timers.tick(1);
  assert.equal((await svc.flush()).pending, 0);
  assert.deepEqual(Object.keys(page.localStorage), []);
});

function refuse(): never {
  throw new DOMException('The document is sandboxed.', 'SecurityError');
}

test('a frame without an origin throws nothing', async () => {
  const { page } = openPage();
  Object.defineProperty(page.document, 'cookie', { get: refuse });
  Object.defineProperty(page, 'localStorage', { get: refuse });
  const svc = createPageSvc(page, script);
  assert.equal(svc.uid(), null);
  assert.equal(await svc.logEvent(visit), null);
  assert.equal((await svc.me()).authenticated, true);
  assert.deepEqual(await svc.flush(), { delivered: 0, pending: 0 });
});

test('tabs call me() one after another, and the next uses the cached answer', async () => {
  const turns: Promise<unknown>[] = [];
  let last: Promise<unknown> = Promise.resolve();
  const locks: NonNullable<Page['navigator']['locks']> = {
    request: (_, __, task) => {
      const turn = last.then(() => task());
      turns.push((last = turn.catch(() => {})));
      return turn;
    },
  };
  const localStorage = {};
  const first = openPage({ navigator: { locks }, localStorage });
  const second = openPage({ navigator: { locks }, localStorage });
  const tabs = [first, second].map(({ page }) => createPageSvc(page, script));
  const answers = await Promise.all(tabs.map((svc) => svc.me()));
  assert.equal(turns.length, 2);
  assert.equal(first.requests.length + second.requests.length, 1);
  assert.deepEqual(answers[0], answers[1]);
});

test('a tab that waits too long for another rejects as unreachable', async () => {
  const locks: NonNullable<Page['navigator']['locks']> = {
    request: () => Promise.reject(new DOMException('The wait ended.', 'TimeoutError')),
  };
  const { page, requests } = openPage({ navigator: { locks } });
  const svc = createPageSvc(page, script);
  await assert.rejects(svc.me(), { status: 0, code: 'unreachable' });
  assert.equal(await svc.isAuthenticated(), false);
  assert.equal(requests.length, 0);
});

test('close sends waiting events, then keeps new ones and reports their number', async () => {
  const { page, requests, listeners } = openPage();
  const svc = createPageSvc(page, script);
  await svc.logEvent(visit);
  assert.deepEqual(await svc.close(), { delivered: 1, pending: 0 });
  await svc.logEvent(visit);
  listeners.get('online')?.();
  assert.equal(requests.length, 1);
  const hanging = openPage({ fetch: () => new Promise(() => {}) });
  const other = createPageSvc(hanging.page, script);
  await other.logEvent(visit);
  assert.deepEqual(await other.close({ timeoutMs: 1 }), { delivered: 0, pending: 1 });
});

test('without a session no event is queued', async () => {
  const { page, requests } = openPage({ cookie: 'theme=dark' });
  const svc = createPageSvc(page, script);
  assert.equal(await svc.logEvent(visit), null);
  assert.deepEqual(await svc.flush(), { delivered: 0, pending: 0 });
  assert.equal(requests.length, 0);
});

test('after eight failures in a row nothing is sent until the network is back', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  let tries = 0;
  const { page, listeners } = openPage({
    fetch: () => {
      tries++;
      return Promise.reject(new TypeError('blocked'));
    },
  });
  const svc = createPageSvc(page, script);
  await svc.logEvent(visit);
  const wait = async (): Promise<void> => {
    context.mock.timers.tick(300_000);
    // A failed attempt takes a few turns of the event loop.
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  };
  for (let round = 0; round < 12; round++) await wait();
  assert.equal(tries, 8);
  listeners.get('online')?.();
  await wait();
  assert.equal(tries, 9);
});

test('hiding the page sends waiting events once, with keepalive', async () => {
  const { page, requests, listeners, document } = openPage();
  const svc = createPageSvc(page, script);
  await svc.logEvent(visit);
  listeners.get('visibilitychange')?.();
  assert.equal(requests.length, 0, 'it was shown, not hidden');
  document.visibilityState = 'hidden';
  listeners.get('visibilitychange')?.();
  listeners.get('pagehide')?.();
  assert.equal(requests.length, 1, 'before anything else of the page runs');
  assert.equal(requests[0]?.init?.keepalive, true);
});

test('events are sent in batches of up to twenty and of less than the keepalive limit', async () => {
  const { page, requests } = openPage();
  const svc = createPageSvc(page, script);
  const sizes = (): number[] =>
    requests.splice(0).map(({ url, init }) => {
      assert.equal(url, 'https://docs.example.com/members/events/batch');
      const body = init?.body as string;
      assert.ok(Buffer.byteLength(body) < 65_536);
      return (JSON.parse(body) as { events: object[] }).events.length;
    });
  for (let index = 0; index < 21; index++) await svc.logEvent(visit);
  assert.deepEqual(await svc.flush(), { delivered: 21, pending: 0 });
  assert.deepEqual(sizes(), [20, 1]);
  // 24 KB each: a syllable has three bytes.
  for (let index = 0; index < 5; index++) {
    await svc.logEvent({ ...visit, meta: { text: '가'.repeat(8_000) } });
  }
  assert.deepEqual(await svc.flush(), { delivered: 26, pending: 0 });
  assert.deepEqual(sizes(), [2, 2, 1]);
});

test('values of other scripts are ignored, and a full storage loses no answer', async () => {
  const storedValues = {
    'svc:event:x': '{',
    'svc:me': 'null',
    'svc:event:y': 'nonsense',
    'svc:event:z': 'null',
    other: '1',
  };
  const { page } = openPage({ localStorage: storedValues });
  const svc = createPageSvc(page, script);
  assert.equal((await svc.me()).authenticated, true);
  await svc.logEvent(visit);
  assert.deepEqual(await svc.flush(), { delivered: 1, pending: 0 });
  assert.deepEqual(Object.keys(storedValues).sort(), ['other', 'svc:event:z', 'svc:me']);
  let isFull = false;
  const full = new Proxy<Record<string, string>>({}, { set: () => !isFull });
  const svcOfFull = createPageSvc(openPage({ localStorage: full }).page, script);
  isFull = true;
  assert.equal((await svcOfFull.me()).authenticated, true);
  assert.equal(await svcOfFull.logEvent(visit), null);
});
