import assert from 'node:assert/strict';
import { test } from 'node:test';
import { currentId } from '../../src/data/snapshot/snapshots.ts';
import { buildAxis } from '../build-axis.ts';
import { sendAsServer } from '../fixtures/members.ts';
import { openBrowser } from './open-browser.ts';
import { openScene, runOf } from './operator-scene.ts';

/** A page of its own, since the clock of a page is replaced for good. */
const ownPage = {};

test('events appear without a reload, and a button pauses and resumes them by keyboard', async () => {
  await using stack = new AsyncDisposableStack();
  const { page, fixture, register, address } = await openScene(stack, ownPage);
  await register('a@example.com');
  // The test moves the clock of the page, so that it waits no second.
  await page.clock.install();
  await page.goto(`${address}/feed`);
  const rows = page.locator('tbody tr');
  const refresh = async () => {
    const answer = page.waitForResponse((response) => response.url().includes('live='));
    await page.clock.runFor(3_100);
    await (await answer).finished();
  };
  assert.equal(await rows.count(), 1);
  await register('b@example.com');
  await refresh();
  await rows.nth(1).waitFor();
  assert.equal(await page.locator('tr.new').count(), 1);
  assert.equal(await page.getByRole('status').innerText(), '새 항목 1건');
  await page.getByRole('button', { name: '일시 정지' }).focus();
  await page.keyboard.press('Enter');
  assert.equal(await page.locator('.live-state').innerText(), '일시 정지됨');
  await register('c@example.com');
  let requests = 0;
  page.on('request', (request) => (requests += Number(request.url().includes('live='))));
  await page.clock.runFor(20_000);
  assert.equal(requests, 0, 'A paused page requests nothing.');
  const resumed = page.waitForResponse((response) => response.url().includes('live='));
  await page.keyboard.press('Enter');
  await resumed;
  await rows.nth(2).waitFor();
  assert.equal(await rows.count(), 3);
  const gate = Promise.withResolvers<void>();
  await page.route(/live=/, async (route) => {
    await gate.promise;
    await route.continue();
  });
  await register('d@example.com');
  const begun = page.waitForRequest(/live=/);
  await page.clock.runFor(3_100);
  await begun;
  // Pausing and going on while an answer is under way requests no second one.
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  gate.resolve();
  await rows.nth(3).waitFor();
  await page.unroute(/live=/);
  await refresh();
  assert.equal(await rows.count(), 4);
  const { accessLog } = fixture.context.store.read;
  const seen = (await accessLog.list(Number.MAX_SAFE_INTEGER, 100)).filter(
    ({ action }) => action === 'feed',
  );
  assert.deepEqual(
    seen.map(({ members }) => members.length),
    [1, 1, 1, 1],
    'The log has the members of new events only.',
  );
});

test('the feed keeps a hundred rows, stops when the session ends, and has a link without scripts', async () => {
  await using stack = new AsyncDisposableStack();
  const { page, fixture, register, address } = await openScene(stack, ownPage);
  const uid = await register('a@example.com');
  const send = (from: number, count: number) => {
    const events = Array.from({ length: count }, (_, at) => ({
      svc_uid: uid,
      platform: 'books',
      event: 'visit',
      event_id: `v${from + at}`,
    }));
    return sendAsServer(fixture, 'POST', '/members/events/batch', fixture.keys.books, { events });
  };
  await send(0, 60);
  await page.clock.install();
  await page.goto(`${address}/feed`);
  const rows = page.locator('tbody tr');
  assert.equal(await rows.count(), 50);
  for (const [from, expectedCount] of [
    [100, 90],
    [200, 100],
  ] as const) {
    await send(from, 40);
    await page.clock.runFor(3_100);
    await page.locator(`tbody tr:nth-child(${expectedCount})`).waitFor();
    assert.equal(await rows.count(), expectedCount);
  }
  const cookies = await page.context().cookies();
  await page.context().clearCookies();
  await page.clock.runFor(3_100);
  await page.getByText('로그인이 만료되어 멈췄습니다').first().waitFor();
  assert.equal(await page.getByRole('link', { name: '새로 고침' }).isVisible(), true);
  const context = stack.use(await (await openBrowser()).newContext({ javaScriptEnabled: false }));
  await context.addCookies(cookies);
  const plain = await context.newPage();
  await plain.goto(`${address}/feed`);
  await send(300, 1);
  const newest = plain.locator('tbody tr').first();
  const before = await newest.getByRole('link').getAttribute('href');
  await register('b@example.com');
  await plain.getByRole('link', { name: /^(새로 고침|Reload)$/ }).click();
  assert.notEqual(await newest.getByRole('link').getAttribute('href'), before);
});

test('a run shows its progress and its end without a reload, and opened lists stay open', async () => {
  await using stack = new AsyncDisposableStack();
  const scene = await openScene(stack, ownPage);
  const { page, address, runs } = scene;
  const run = { ...runOf('gen_storelist'), state: 'running' as const };
  runs.push(run, runOf('kma_ncst'));
  await page.clock.install();
  await page.goto(`${address}/data`);
  const bar = page.getByRole('progressbar', { name: 'gen_storelist 진행' });
  assert.equal(await bar.getAttribute('value'), '3');
  await page.getByText('완료된 수집 1건').click();
  await page.locator('h1').click();
  await page.evaluate('document.activeElement.blur()');
  runs[0] = { ...run, requests_sent: 7 };
  await page.clock.runFor(5_100);
  await page.locator('progress[value="7"]').waitFor();
  assert.ok(await page.getByText('kma_ncst').isVisible(), 'The list is still open.');
  runs[0] = { ...run, state: 'failed', message: 'The portal is closed.' };
  await page.clock.runFor(5_100);
  await page.getByText('The portal is closed.').waitFor();
  assert.equal(await bar.count(), 0);
});

test('a snapshot is compared and rolled back by its page, with a notice', async () => {
  await using stack = new AsyncDisposableStack();
  const { page, folder, address } = await openScene(stack);
  const first = buildAxis(folder, 'file_1', [['가', null]]);
  buildAxis(folder, 'file_2', [['나', null]]);
  await page.goto(`${address}/data`);
  await page.getByRole('link', { name: `차이 보기: ${first}` }).click();
  assert.match(await page.locator('tbody').innerText(), /file_2\s+추가/);
  await page.getByRole('link', { name: '이 스냅샷으로 되돌리기' }).click();
  assert.match(await page.locator('main').innerText(), /현재 스냅샷과 다른 축\s+1개/);
  await page.getByLabel('사유').fill('잘못된 파일');
  await page.getByRole('button', { name: '되돌리기' }).click();
  assert.equal(await page.getByRole('status').first().innerText(), '스냅샷을 되돌렸습니다.');
  assert.equal(currentId(folder), first);
  await page.goto(`${address}/audit`);
  assert.match(
    await page.locator('tbody tr').first().innerText(),
    /스냅샷 되돌리기[^]*잘못된 파일/,
  );
});
