import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { firstTokenOf, passphrase } from '../fixtures/operators.ts';
import { totpAt } from '../../src/admin/operators/totp.ts';
import { readPlatformDeclaration } from '../../src/members/platform-configuration.ts';
import { declarePlatforms, setPlatformDisabled } from '../../src/members/platforms.ts';
import { deliverDue } from '../../src/members/webhook-delivery.ts';
import { addWebhookEndpoint } from '../../src/members/webhooks.ts';
import { buildAxis } from '../build-axis.ts';
import { openScene, openSignedOutScene, runOf } from './operator-scene.ts';
import { appearancesOf, pageFaults } from './page-faults.ts';

const operator = { actor: 'operator:test', reason: 'the scene' };

test('signing in leads to the requested page; a wrong passphrase is reported in the form', async () => {
  await using stack = new AsyncDisposableStack();
  const { page, operators, address } = await openSignedOutScene(stack);
  await page.goto(`${address}/`);
  await page.getByLabel('일회용 토큰').fill(await firstTokenOf(operators));
  await page.getByLabel('이름').fill('하나');
  await page.getByLabel('암호').fill(passphrase);
  await page.getByRole('button', { name: '등록' }).click();
  assert.equal(await page.locator('h1').innerText(), '개요');
  await page.getByRole('button', { name: '로그아웃' }).click();
  await page.goto(`${address}/keys`);
  await page.getByLabel('이름').fill('하나');
  await page.getByLabel('암호').fill('not the passphrase');
  await page.getByRole('button', { name: '로그인' }).click();
  assert.match(await page.getByRole('alert').innerText(), /맞지 않습니다/);
  assert.equal(await page.getByLabel('이름').inputValue(), '하나');
  await page.getByLabel('암호').fill(passphrase);
  await page.getByRole('button', { name: '로그인' }).click();
  assert.equal(new URL(page.url()).pathname, '/keys');
  assert.equal(await page.locator('nav [aria-current=page]').innerText(), 'API 키');
});

test('a suspension states its effect, shows a notice afterwards and is not repeated by a reload', async () => {
  await using stack = new AsyncDisposableStack();
  const { page, fixture, register, address } = await openScene(stack);
  const uid = await register('a@example.com');
  await page.goto(`${address}/members/${uid}`);
  assert.match(
    await page.locator('.facts').innerText(),
    /2026-11-20 12:00/,
    'Times are Seoul’s, nine hours ahead of UTC.',
  );
  await page.getByRole('link', { name: '정지', exact: true }).click();
  const mainText = await page.locator('main').innerText();
  assert.match(mainText, /세션이 모두 종료되고/);
  assert.ok(mainText.includes(uid));
  await page.getByLabel('사유').fill('requested by phone');
  await page.getByRole('button', { name: '정지' }).click();
  assert.equal(await page.getByRole('status').innerText(), '회원을 정지했습니다.');
  await page.reload();
  const rows = await fixture.context.store.read.audit.after(0, 200);
  assert.equal(rows.filter(({ action }) => action === 'member_suspended').length, 1);
  assert.equal((await fixture.context.store.read.members.byUid(uid))?.status, 'suspended');
});

test('erasing needs the typed svc_uid, and a refusal keeps the other fields', async () => {
  await using stack = new AsyncDisposableStack();
  const { page, fixture, register, address } = await openScene(stack);
  const uid = await register('a@example.com');
  await page.goto(`${address}/actions/erase?svc_uid=${uid}`);
  await page.getByLabel('확인을 위해').fill(`${uid}x`);
  await page.getByLabel('사유').fill('requested by phone');
  await page.getByRole('button', { name: '영구 삭제' }).click();
  assert.match(await page.getByRole('alert').innerText(), /처리하지 않았습니다/);
  assert.equal(await page.getByLabel('확인을 위해').getAttribute('aria-invalid'), 'true');
  assert.equal(await page.getByLabel('사유').inputValue(), 'requested by phone');
  assert.notEqual(await fixture.context.store.read.members.byUid(uid), null);
  await page.getByLabel('확인을 위해').fill(uid);
  await page.getByRole('button', { name: '영구 삭제' }).click();
  assert.match(await page.locator('main').innerText(), /rcp_/);
  assert.equal(await fixture.context.store.read.members.byUid(uid), null);
});

test('a merge previews its changes first and can be undone', async () => {
  await using stack = new AsyncDisposableStack();
  const { page, fixture, register, address } = await openScene(stack);
  const [from, into] = [await register('a@example.com'), await register('b@example.com')];
  const homeOf = async (uid: string) =>
    (await fixture.context.store.read.members.byUid(uid))?.svcUid;
  await page.goto(`${address}/actions/merge?from=${from}`);
  await page.getByLabel('남을 회원').fill('svc_nobody');
  await page.getByLabel('사유').fill('one person');
  await page.getByRole('button', { name: '바뀔 내용 보기' }).click();
  assert.match(await page.getByRole('alert').innerText(), /회원을 찾을 수 없습니다/);
  await page.getByLabel('남을 회원').fill(into);
  await page.getByRole('button', { name: '바뀔 내용 보기' }).click();
  assert.match(await page.getByRole('alert').innerText(), /각각 계정을 가진 플랫폼: books/);
  await page.getByLabel('같은 사람의 계정').check();
  await page.getByLabel('사유').fill('one person');
  await page.getByRole('button', { name: '바뀔 내용 보기' }).click();
  assert.match(await page.locator('main').innerText(), /옮길 연결\s+1/);
  assert.equal(await homeOf(from), from);
  await page.getByRole('button', { name: '병합' }).click();
  assert.equal(new URL(page.url()).pathname, `/members/${into}`);
  assert.equal(await homeOf(from), into);
  await page.goto(`${address}/members/${from}`);
  assert.match(await page.locator('main').innerText(), /이 회원에 병합되었습니다/);
  await page.getByRole('link', { name: '병합 취소' }).click();
  await page.getByLabel('사유').fill('two people');
  await page.getByRole('button', { name: '바뀔 내용 보기' }).click();
  await page.getByRole('button', { name: '병합 취소' }).click();
  assert.equal(await page.getByRole('status').innerText(), '병합을 취소했습니다.');
  assert.equal(await homeOf(from), from);
});

test('saving the form of a platform changes nothing else: it stays disabled, with its origins', async () => {
  await using stack = new AsyncDisposableStack();
  const { page, fixture, address } = await openScene(stack);
  await setPlatformDisabled(fixture.context, 'cards', true, operator);
  await page.goto(`${address}/actions/declarePlatform?code=cards`);
  await page.getByLabel('이름').fill('카드');
  await page.getByLabel('사유').fill('a new name');
  await page.getByRole('button', { name: '저장' }).click();
  const cards = await fixture.context.platforms.byCode('cards');
  assert.deepEqual(
    [cards?.name, cards?.disabled, cards?.origins, cards?.capabilities],
    ['카드', true, ['https://cards.example.com'], ['card_issuer']],
  );
  await page.goto(`${address}/actions/declarePlatform`);
  await page.getByLabel('코드').fill('Bad');
  const isCodeValid = () => page.evaluate("document.querySelector('[name=code]').checkValidity()");
  assert.equal(await isCodeValid(), false);
  await page.getByLabel('코드').fill('go-od');
  assert.equal(await isCodeValid(), true);
});

test('a search by email keeps the address out of the URL and reports a missing member', async () => {
  await using stack = new AsyncDisposableStack();
  const { page, register, address } = await openScene(stack);
  const uid = await register('a@example.com');
  await page.goto(`${address}/members`);
  await page.getByLabel('이메일 또는').fill('unknown@example.com');
  await page.getByRole('button', { name: '찾기' }).first().click();
  assert.match(await page.getByRole('alert').innerText(), /회원을 찾을 수 없습니다/);
  assert.doesNotMatch(page.url(), /unknown/);
  await page.getByLabel('이메일 또는').fill('a@example.com');
  await page.getByRole('button', { name: '찾기' }).first().click();
  assert.equal(new URL(page.url()).pathname, `/members/${uid}`);
});

test('an undelivered webhook message is listed first and can be sent again', async () => {
  await using stack = new AsyncDisposableStack();
  const { page, fixture, register, address } = await openScene(stack);
  await addWebhookEndpoint(fixture.context, 'https://a.example.com', ['member.created'], operator);
  await register('a@example.com');
  await deliverDue(fixture.context, async () => 500);
  await page.goto(`${address}/`);
  await page.getByRole('link', { name: '전송하지 못한 웹훅' }).click();
  const failed = page.getByRole('region', { name: '전송하지 못한 메시지' });
  assert.match(await failed.innerText(), /500/);
  await failed.getByRole('link', { name: '재전송' }).click();
  await page.getByLabel('사유').fill('it is back');
  await page.getByRole('button', { name: '웹훅 메시지 재전송' }).click();
  assert.equal((await deliverDue(fixture.context, async () => 200)).delivered, 1);
});

test('an owner invites a viewer, who joins by keyboard alone and finds no action', async () => {
  await using stack = new AsyncDisposableStack();
  const { page, register, address } = await openScene(stack);
  const uid = await register('a@example.com');
  await page.goto(`${address}/`);
  await page.getByRole('link', { name: '운영자', exact: true }).click();
  await page.getByRole('link', { name: '운영자 추가' }).click();
  await page.getByLabel('이름').fill('두리');
  await page.getByLabel('역할').selectOption('view');
  await page.getByLabel('사유').fill('joined the team');
  await page.getByRole('button', { name: '운영자 추가' }).click();
  const token = await page.locator('pre.secret').innerText();
  await page.getByRole('button', { name: '로그아웃' }).click();
  await page.getByRole('link', { name: '일회용 토큰이 있습니다' }).press('Enter');
  await page.getByLabel('일회용 토큰').focus();
  for (const text of [token, '두리', passphrase]) {
    await page.keyboard.insertText(text);
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await page.waitForURL(`${address}/`);
  assert.equal(await page.locator('h1').innerText(), '개요');
  assert.equal(await page.getByRole('link', { name: '접속기록' }).count(), 0);
  await page.goto(`${address}/members/${uid}`);
  assert.equal(await page.locator('a[href^="/actions/"]').count(), 0);
  const refused = await page.goto(`${address}/actions/reveal?svc_uid=${uid}`);
  assert.equal(refused?.status(), 403);
  assert.match(await page.getByRole('alert').innerText(), /privacy 역할이 필요한/);
});

test('an authenticator app is set up with the key on the page, and required from then on', async () => {
  await using stack = new AsyncDisposableStack();
  const { page, fixture, address } = await openScene(stack);
  await page.goto(`${address}/`);
  await page.getByRole('link', { name: '하나' }).click();
  await page.getByRole('link', { name: '인증 앱 등록' }).click();
  const key = (await page.locator('.note code').innerText()).replace(/[^A-Z2-7]/g, '');
  const code = (steps: number) =>
    totpAt(bytesOf(key), Math.floor(fixture.clock.now / 30_000) + steps);
  await page.getByLabel('여섯 자리 코드').fill('000000');
  await page.getByLabel('현재 암호').fill(passphrase);
  await page.getByRole('button', { name: '인증 앱 등록' }).click();
  assert.match(await page.getByRole('alert').innerText(), /처리하지 않았습니다/);
  assert.equal(await page.getByLabel('현재 암호').inputValue(), '');
  await page.getByLabel('여섯 자리 코드').fill(code(0));
  await page.getByLabel('현재 암호').fill(passphrase);
  await page.getByRole('button', { name: '인증 앱 등록' }).click();
  assert.equal(await page.locator('h1').innerText(), '로그인');
  assert.match(await page.getByRole('status').innerText(), /인증 앱을 등록했습니다/);
  const signIn = async (typed: string) => {
    await page.goto(`${address}/account`);
    await page.getByLabel('이름').fill('하나');
    await page.getByLabel('암호').fill(passphrase);
    await page.getByLabel('인증 코드').fill(typed);
    await page.getByRole('button', { name: '로그인' }).click();
  };
  await signIn('');
  assert.match(await page.getByRole('alert').innerText(), /맞지 않습니다/);
  await signIn(code(1));
  assert.match(await page.locator('.facts').innerText(), /인증 앱\s+사용/);
});

/** The bytes of a base32 text, as an authenticator app reads it. */
function bytesOf(base32: string): Buffer {
  const values = Array.from(base32, (letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter));
  const bits = values.map((value) => value.toString(2).padStart(5, '0')).join('');
  const bytes = bits.match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}

test('a passkey is registered, signs in by keyboard alone, confirms a change, and is removed', async () => {
  await using stack = new AsyncDisposableStack();
  const { page, address } = await openScene(stack, {});
  await addAuthenticator(page);
  await page.goto(`${address}/account`);
  assert.match(await page.locator('main').innerText(), /http:\/\/localhost:\d+ 주소로 열었을 때/);
  await page.getByRole('button', { name: '로그아웃' }).click();
  await page
    .locator('main')
    .getByRole('link', { name: /^http:\/\/localhost/ })
    .click();
  await page.getByLabel('이름').fill('하나');
  await page.getByLabel('암호').fill(passphrase);
  await page.getByRole('button', { name: '로그인', exact: true }).click();
  await page.getByRole('link', { name: '하나' }).click();
  await page.getByRole('link', { name: '패스키 추가' }).click();
  await page.getByLabel('현재 암호').fill(passphrase);
  await page.getByRole('button', { name: '계속' }).click();
  await page.getByLabel('이름').fill('회사 노트북');
  await page.keyboard.press('Enter');
  await page.getByText('패스키를 등록했습니다.').waitFor();
  assert.match(await page.locator('table').innerText(), /회사 노트북/);
  // The browser makes one passkey for each authenticator and refuses a second.
  await page.getByRole('link', { name: '패스키 추가' }).click();
  await page.getByRole('button', { name: '암호 대신 패스키로 확인' }).click();
  await page.getByLabel('이름').fill('또 하나');
  await page.getByRole('button', { name: '패스키 만들기' }).click();
  await page.getByText('이미 패스키가 있습니다').waitFor();
  await page.getByRole('button', { name: '로그아웃' }).click();
  await page.goto(`${new URL(page.url()).origin}/keys`);
  await page.getByRole('button', { name: '패스키로 로그인' }).press('Enter');
  await page.getByRole('heading', { name: 'API 키', level: 1 }).waitFor();
  await page.goto(`${new URL(page.url()).origin}/account`);
  await page.getByRole('link', { name: '이름 변경: 회사 노트북' }).click();
  await page.getByLabel('이름').fill('집 노트북');
  await page.getByRole('button', { name: '암호 대신 패스키로 확인' }).click();
  await page.getByText('패스키 이름을 바꿨습니다.').waitFor();
  await page.getByRole('link', { name: '삭제: 집 노트북' }).click();
  await page.getByRole('button', { name: '암호 대신 패스키로 확인' }).click();
  await page.getByText('패스키를 삭제했습니다.').waitFor();
  await page.getByRole('button', { name: '패스키로 로그인' }).click();
  await page.getByText('패스키를 확인하지 못했습니다.').waitFor();
});

/** Gives the page an authenticator of the machine, which verifies its user by itself. */
async function addAuthenticator(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page);
  await client.send('WebAuthn.enable');
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

test('an action submitted after the session ended is refused with an explanation', async () => {
  await using stack = new AsyncDisposableStack();
  const { page, fixture, register, address } = await openScene(stack);
  const uid = await register('a@example.com');
  await page.goto(`${address}/actions/suspend?svc_uid=${uid}`);
  await page.getByLabel('사유').fill('requested by phone');
  await page.context().clearCookies();
  await page.getByRole('button', { name: '정지' }).click();
  assert.match(await page.getByRole('alert').innerText(), /로그인이 만료되어 처리하지 않았습니다/);
  assert.equal((await fixture.context.store.read.members.byUid(uid))?.status, 'active');
});

test('the audit log starts with the newest entry and pages back to the first without repeats', async () => {
  await using stack = new AsyncDisposableStack();
  const { page, fixture, address } = await openScene(stack);
  for (let count = 0; count < 60; count++) {
    await setPlatformDisabled(fixture.context, 'weak', count % 2 === 0, operator);
  }
  const last = (await fixture.context.store.read.audit.head())!.seq;
  const seen: number[] = [];
  await page.goto(`${address}/audit`);
  for (let count = 0; count < 5; count++) {
    const cells = await page.locator('tbody th').allInnerTexts();
    seen.push(...cells.map(Number));
    const earlier = page.getByRole('link', { name: '이전 기록' });
    if ((await earlier.count()) === 0) break;
    await earlier.click();
  }
  assert.deepEqual(
    seen,
    Array.from({ length: last }, (_, at) => last - at),
  );
});

test('operator pages fit a phone and have no fault of accessibility, in light and dark', async () => {
  await using stack = new AsyncDisposableStack();
  const { page, fixture, register, address, folder, runs } = await openScene(stack);
  const uid = await register('a@example.com');
  await setPlatformDisabled(fixture.context, 'weak', true, operator);
  const longest = {
    code: `a${'-platform'.repeat(3)}-of`,
    name: '플랫폼의 긴 이름 '.repeat(4).trim(),
  };
  await declarePlatforms(fixture.context, [readPlatformDeclaration(longest)], operator);
  await page.setViewportSize({ width: 360, height: 740 });
  const actions = [
    `erase?svc_uid=${uid}`,
    `merge?from=${uid}`,
    'declarePlatform?code=books',
    'issueKey',
    'addOperator',
    'enableTotp',
    'offerPasskey',
    `changeOperator?name=${encodeURIComponent('하나')}`,
  ];
  const lists = [
    '',
    'feed',
    'health',
    'data',
    'flows',
    'members',
    'platforms',
    'keys',
    'consents',
    'webhooks',
    'system',
    'audit',
    'access-log',
    'operators',
    'account',
    'join',
    'members/svc_none',
  ];
  const first = buildAxis(folder, 'file_1', [['가', null]]);
  buildAxis(folder, 'file_1', [['나', null]]);
  runs.push({ ...runOf('gen_storelist'), state: 'running' }, runOf('kma_ncst'));
  const paths = [
    `data/snapshots/${first}`,
    `actions/rollBackSnapshot?snapshot_id=${first}`,
    ...lists,
    `members/${uid}`,
    ...actions.map((action) => `actions/${action}`),
  ];
  for (const [at, path] of paths.entries()) {
    for (const { language, colorScheme } of appearancesOf(at)) {
      await page.emulateMedia({ colorScheme });
      await page.goto(`${address}/${path}${path.includes('?') ? '&' : '?'}lang=${language}`);
      assert.deepEqual(await pageFaults(page), [], `/${path} ${language} ${colorScheme}`);
      assert.deepEqual(await page.evaluate(cutParts), [], `/${path}`);
    }
  }
});

/** Runs in the page: tables and cells wider than their place on the phone, also those that are closed at first. */
const cutParts = `[
  ...document.querySelectorAll('details').values().map((one) => (one.open = true)).drop(Infinity),
  ...document.querySelectorAll('.scroll, th, td').values()
    .filter((one) => one.scrollWidth > one.clientWidth + 1)
    .map((one) => one.ariaLabel ?? one.outerHTML.slice(0, 200)),
]`;
