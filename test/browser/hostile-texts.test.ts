import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { adminPages } from '../../src/admin/pages/pages.ts';
import { buildAxis } from '../build-axis.ts';
import { sendAsServer, sendRequest } from '../fixtures/members.ts';
import { firstTokenOf, passphrase, signInAs } from '../fixtures/operators.ts';
import { addWebhookEndpoint } from '../../src/members/webhooks.ts';
import { openScene, openSignedOutScene, runOf } from './operator-scene.ts';

/** A text that breaks out of attributes and elements if it is not escaped. */
const hostile = `"'><svg id=hostile></svg><img src=x onerror="document.title='ran'"><script>1</script>\u0000`;

test('T30: no text in any field of the store makes an element or runs, on any operator’s page', async () => {
  await using stack = new AsyncDisposableStack();
  const { page, fixture, folder, operators, register, runs, address } = await openScene(stack);
  const uid = await register('asha@example.com');
  const { books } = fixture.keys;
  const user = { email: 'asha@example.com', platform: 'books', local_user_id: 'asha@example.com' };
  const consents = [{ purpose: 'mail', granted: true, version: '1' }];
  await sendAsServer(fixture, 'POST', '/members/register', books, { ...user, consents });
  const visit = { svc_uid: uid, platform: 'books', event: 'visit', meta: { a: 'b' } };
  await sendAsServer(fixture, 'POST', '/members/events', books, visit);
  await sendAsServer(fixture, 'POST', '/auth/sso/issue', books, user);
  const by = { actor: 'operator:test', reason: 'the scene' };
  await addWebhookEndpoint(fixture.context, 'https://a.example.com', ['member.created'], by);
  await register('ben@example.com');
  await signInAs(fixture.context, operators, 'view', '다른 운영자');
  const first = buildAxis(folder, 'file_1', [['가', null]]);
  buildAxis(folder, 'file_1', [['나', null]]);
  runs.push({ ...runOf(hostile), state: 'failed', origin: hostile, message: hostile });
  await page.goto(`${address}/members`);
  using database = new DatabaseSync(join(folder, 'members.db'));
  for (const [table, values] of Object.entries(hostileRows)) {
    const assignments = Object.entries(values).map(([column, value]) => `${column} = ${value}`);
    const changed = database
      .prepare(`UPDATE ${table} SET ${assignments.join(', ')}`)
      .run({ hostile });
    assert.ok(Number(changed.changes) > 0, `${table} has no row to fill`);
  }
  database.prepare(`UPDATE operators SET name = ? WHERE name <> '하나'`).run(hostile);
  database.prepare('INSERT INTO jobs VALUES (?, 1, 2, 0, ?)').run(hostile, hostile);
  const paths = Object.keys(adminPages).map((path) =>
    path.replace('{svc_uid}', uid).replace('{snapshot_id}', first),
  );
  let occurrences = 0;
  for (const path of [...paths, `/actions/suspend?svc_uid=${uid}`, `/?platform=${hostile}`]) {
    const response = await page.goto(address + path);
    assert.ok(response!.status() < 500, path);
    assert.deepEqual(await page.evaluate(faults), [], path);
    const text = await page.locator('body').innerText();
    occurrences += text.split('<svg id=hostile>').length - 1;
  }
  assert.ok(occurrences >= 30, `The text appears only ${occurrences} times.`);
});

test('T30: an operator acts in a real browser, and no text of a member runs', async () => {
  await using stack = new AsyncDisposableStack();
  const { page, fixture, operators, address } = await openSignedOutScene(stack);
  const tag = '<img/src=x/onerror=document.title="ran">';
  const user = {
    email: `${tag}@example.com`,
    platform: 'books',
    local_user_id: tag,
    extra: { a: tag },
  };
  const headers = { 'x-api-key': fixture.keys.books, 'user-agent': tag };
  const { body } = await sendRequest(fixture, 'POST', '/members/register', headers, user);
  const uid = String(body['svc_uid']);
  await page.goto(`${address}/`);
  await page.fill('input[name=token]', await firstTokenOf(operators));
  await page.fill('input[name=name]', 'hana');
  await page.fill('input[name=passphrase]', passphrase);
  await page.click('main button');
  assert.match((await page.textContent('main')) ?? '', /전체 여정 이벤트\s+1\s/);
  for (const path of ['/members', '/platforms', '/keys', '/webhooks', '/system', '/audit']) {
    const response = await page.goto(address + path);
    assert.equal(response?.status(), 200, path);
  }
  const response = await page.goto(`${address}/members/${uid}`);
  assert.match(
    response?.headers()['content-security-policy'] ?? '',
    /default-src 'none'.*frame-ancestors 'none'/,
  );
  assert.ok((await page.textContent('main'))?.includes(tag));
  assert.equal(await page.evaluate('document.querySelectorAll("img").length'), 0);
  assert.doesNotMatch(await page.title(), /ran/);
  await page.getByRole('link', { name: '정지', exact: true }).click();
  await page.getByLabel('사유').fill('a test');
  await page.getByRole('button', { name: '정지' }).click();
  assert.match((await page.textContent('[role=status]')) ?? '', /정지했습니다/);
  assert.equal((await fixture.context.store.read.members.byUid(uid))?.status, 'suspended');
});

/** SQL that sets columns with texts of outsiders, by table. `:hostile` is the text; values of keys keep their start. */
const hostileRows: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  platforms: { name: ':hostile', company: ':hostile' },
  api_keys: { label: ':hostile', environment: ':hostile' },
  members: { tier: ':hostile' },
  local_users: { local_user_id: ':hostile', email_typed: ':hostile' },
  addresses: { email: ':hostile' },
  consents: { purpose: ':hostile', text_version: ':hostile' },
  sessions: { id: 'id || :hostile' },
  events: { event_id: 'event_id || :hostile', meta: 'json_object(:hostile, :hostile)' },
  webhook_endpoints: { url: `'https://' || :hostile` },
  webhook_messages: { type: ':hostile', message_id: 'message_id || :hostile' },
  audit: {
    actor: ':hostile',
    subject: `'svc_' || :hostile`,
    reason: ':hostile',
    detail: 'json_object(:hostile, :hostile)',
  },
  access_log: { operator: ':hostile', address: ':hostile', device: ':hostile', action: ':hostile' },
  access_log_members: { svc_uid: 'svc_uid || :hostile' },
};

/** Runs in the page: finds elements that the text made, and others that may run it. */
const faults = `[
  ...document.querySelectorAll('#hostile, img:not([src^="/"]), script:not([src^="/assets/"]), [onerror], [onload]'),
  ...Array.from(document.querySelectorAll('[href], [action]')).filter((one) =>
    /^(javascript|data):/i.test(one.getAttribute('href') ?? one.getAttribute('action'))),
].map(({ outerHTML }) => outerHTML.slice(0, 100)).concat(document.title.includes('ran') ? ['it ran'] : [])`;
