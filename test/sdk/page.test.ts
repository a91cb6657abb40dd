import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPageSvc, type Page } from '../../sdk/src/page-svc.ts';

const script = {
  src: 'https://docs.example.com/sdk.js',
  outerHTML: '<script src="https://docs.example.com/sdk.js"></script>',
  dataset: {},
};

/** A window as far as the script sees one, and what it asked for. */
function openPage(options: Partial<Page> & { readonly cookie?: string } = {}) {
  const asked: { readonly url: string; readonly init: RequestInit | undefined }[] = [];
  const listeners = new Map<string, () => void>();
  const addEventListener = (type: string, listener: () => void): void =>
    void listeners.set(type, listener);
  const { cookie = 'svc_uid=svc_a', ...rest } = options;
  const document = { cookie, visibilityState: 'visible', addEventListener };
  const page: Page & { document: typeof document } = {
    fetch: (input, init) => {
      // The script calls with texts.
      asked.push({ url: input as string, init });
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
  return { page, asked, listeners, document };
}

const visit = { platform: 'books', event: 'visit' };

test('the script asks the origin it came from, or the one its element names', async () => {
  const own = openPage();
  await createPageSvc(own.page, script).me();
  assert.equal(own.asked[0]?.url, 'https://docs.example.com/auth/me');
  const named = openPage();
  const dataset = { membersUrl: 'https://id.example.com' };
  await createPageSvc(named.page, { ...script, dataset }).me();
  assert.equal(named.asked[0]?.url, 'https://id.example.com/auth/me');
});

test('where nothing answers, a page is told that its origin can be why', async () => {
  const { page } = openPage({ fetch: () => Promise.reject(new TypeError('Failed to fetch')) });
  await assert.rejects(createPageSvc(page, script).me(), {
    status: 0,
    code: 'unreachable',
    message: 'The members service was not reached. Is the origin of this page registered?',
  });
});

test('asking who is there needs no preflight: no header, the cookies along', async () => {
  const { page, asked } = openPage();
  await createPageSvc(page, script).me();
  assert.deepEqual(asked[0]?.init?.headers, {});
  assert.equal(asked[0]?.init?.credentials, 'include');
});

test('without locks and without storage everything works, for as long as the page lives', async () => {
  const localStorage = new Proxy<Record<string, string>>({}, { set: () => false });
  const { page, asked } = openPage({ localStorage });
  const svc = createPageSvc(page, script);
  await Promise.all([svc.me(), svc.me()]);
  await svc.me();
  assert.equal(asked.length, 1);
  assert.match((await svc.logEvent(visit)) ?? '', /^\w{32}$/);
  assert.deepEqual(await svc.flush(), { delivered: 1, pending: 0 });
  assert.equal(asked.length, 2);
});

test('an answer is shared for five seconds of the clock, and not with another member', async (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: 1_000_000 });
  const { page, asked, document } = openPage();
  const svc = createPageSvc(page, script);
  await svc.me();
  context.mock.timers.tick(4_999);
  await svc.me();
  assert.equal(asked.length, 1);
  context.mock.timers.tick(1);
  await svc.me();
  assert.equal(asked.length, 2);
  document.cookie = 'theme=dark; svc_uid=svc_b';
  await svc.me();
  assert.equal(asked.length, 3);
});

test('events are bounded: a hundred of them, seven days, nine thousand characters, and never a key', async (context) => {
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

test('in a frame without an origin nothing throws', async () => {
  const { page } = openPage();
  Object.defineProperty(page.document, 'cookie', { get: refuse });
  Object.defineProperty(page, 'localStorage', { get: refuse });
  const svc = createPageSvc(page, script);
  assert.equal(svc.uid(), null);
  assert.equal(await svc.logEvent(visit), null);
  assert.equal((await svc.me()).authenticated, true);
  assert.deepEqual(await svc.flush(), { delivered: 0, pending: 0 });
});

test('tabs take turns to ask, and the next finds the answer of the one before', async () => {
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
  assert.equal(first.asked.length + second.asked.length, 1);
  assert.deepEqual(answers[0], answers[1]);
});

test('who waits too long for another tab is told that the service was not reached', async () => {
  const locks: NonNullable<Page['navigator']['locks']> = {
    request: () => Promise.reject(new DOMException('The wait ended.', 'TimeoutError')),
  };
  const { page, asked } = openPage({ navigator: { locks } });
  const svc = createPageSvc(page, script);
  await assert.rejects(svc.me(), { status: 0, code: 'unreachable' });
  assert.equal(await svc.isAuthenticated(), false);
  assert.equal(asked.length, 0);
});

test('a closed script has sent what waited, keeps what comes and says how much', async () => {
  const { page, asked, listeners } = openPage();
  const svc = createPageSvc(page, script);
  await svc.logEvent(visit);
  assert.deepEqual(await svc.close(), { delivered: 1, pending: 0 });
  await svc.logEvent(visit);
  listeners.get('online')?.();
  assert.equal(asked.length, 1);
  const hanging = openPage({ fetch: () => new Promise(() => {}) });
  const other = createPageSvc(hanging.page, script);
  await other.logEvent(visit);
  assert.deepEqual(await other.close({ timeoutMs: 1 }), { delivered: 0, pending: 1 });
});

test('nobody signed in, nothing kept', async () => {
  const { page, asked } = openPage({ cookie: 'theme=dark' });
  const svc = createPageSvc(page, script);
  assert.equal(await svc.logEvent(visit), null);
  assert.deepEqual(await svc.flush(), { delivered: 0, pending: 0 });
  assert.equal(asked.length, 0);
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
    // A failed try takes a few turns of the event loop.
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  };
  for (let round = 0; round < 12; round++) await wait();
  assert.equal(tries, 8);
  listeners.get('online')?.();
  await wait();
  assert.equal(tries, 9);
});

test('hiding the page sends what waits, once, and so that it outlives the page', async () => {
  const { page, asked, listeners, document } = openPage();
  const svc = createPageSvc(page, script);
  await svc.logEvent(visit);
  listeners.get('visibilitychange')?.();
  assert.equal(asked.length, 0, 'it was shown, not hidden');
  document.visibilityState = 'hidden';
  listeners.get('visibilitychange')?.();
  listeners.get('pagehide')?.();
  assert.equal(asked.length, 1, 'before anything else of the page runs');
  assert.equal(asked[0]?.init?.keepalive, true);
});

test('events leave in batches: twenty at once, and less than browsers let outlive a page', async () => {
  const { page, asked } = openPage();
  const svc = createPageSvc(page, script);
  const sizes = (): number[] =>
    asked.splice(0).map(({ url, init }) => {
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

test('what another script left in the storage is passed over, and a full one loses no answer', async () => {
  const left = {
    'svc:event:x': '{',
    'svc:me': 'null',
    'svc:event:y': 'nonsense',
    'svc:event:z': 'null',
    other: '1',
  };
  const { page } = openPage({ localStorage: left });
  const svc = createPageSvc(page, script);
  assert.equal((await svc.me()).authenticated, true);
  await svc.logEvent(visit);
  assert.deepEqual(await svc.flush(), { delivered: 1, pending: 0 });
  assert.deepEqual(Object.keys(left).sort(), ['other', 'svc:event:z', 'svc:me']);
  let isFull = false;
  const full = new Proxy<Record<string, string>>({}, { set: () => !isFull });
  const svcOfFull = createPageSvc(openPage({ localStorage: full }).page, script);
  isFull = true;
  assert.equal((await svcOfFull.me()).authenticated, true);
  assert.equal(await svcOfFull.logEvent(visit), null);
});
