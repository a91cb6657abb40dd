import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import Schema from 'typebox/schema';
import {
  openFixture,
  sendAsPage,
  sendAsServer,
  sendRequest,
  sessionCookie,
  type MembersFixture,
} from '../../../test/fixtures/members.ts';
import { buildAxis } from '../../../test/build-axis.ts';
import { authenticatorAt } from '../../../test/fixtures/authenticator.ts';
import {
  openOperators,
  passphrase,
  signInAs,
  signInFirst,
} from '../../../test/fixtures/operators.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { adminContract } from '../../contract/admin.ts';
import type { Route } from '../../contract/route.ts';
import { createServerContext } from '../../kernel/http/server-context.ts';
import { silentLog } from '../../kernel/log.ts';
import { recordBackup } from '../../members/backup-time.ts';
import { issueKey } from '../../members/keys.ts';
import { addWebhookEndpoint, setWebhookDisabled } from '../../members/webhooks.ts';
import { PostponedCount } from '../../members/store/postponed-count.ts';
import { withWrite } from '../../../test/fixtures/with-write.ts';
import { createAdminSite } from '../pages/site.ts';
import { newTotpSeed, totpAt, totpSecret } from '../operators/totp.ts';

const reason = 'the test';

async function openSignedInClient({ context }: MembersFixture, data: string) {
  const operators = await openOperators(context, data);
  const token = await signInFirst(operators);
  const router = createAdminSite({
    context,
    server: createServerContext(silentLog),
    operators,
    data,
    suspectedSessions: () => [{ sessionId: 'ses_1', svcUid: 'svc_1', by: 'address', seenAt: 0 }],
    collections: () => [
      {
        axis: 'file_1',
        origin: 'portal',
        state: 'done',
        asked_at: '2026-11-20T00:00:00Z',
        finished_at: null,
        rows: 3,
        requests: '1/1',
        requests_sent: 1,
        requests_planned: 1,
        progressed_at: null,
        message: null,
        findings: [],
      },
    ],
  });
  const headers = { host: '127.0.0.1:3001', cookie: `__Host-maru_admin=${token}` };
  return { router, headers, operators };
}

async function register(fixture: MembersFixture, name: string): Promise<string> {
  const consents = [{ purpose: 'mail', granted: true }];
  const user = { email: `${name}@example.com`, platform: 'books', local_user_id: name, consents };
  const key = fixture.keys.books;
  const { body } = await sendAsServer(fixture, 'POST', '/members/register', key, user);
  return String(body['svc_uid']);
}

test('every answer of the operator’s interface has the schema of its row', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const client = await openSignedInClient(fixture, folder.path);
  const operator = { actor: 'operator:test', reason };
  const url = 'https://a.example.com/';
  const { id } = await addWebhookEndpoint(fixture.context, url, ['member.created'], operator);
  const unused = await addWebhookEndpoint(fixture.context, url, ['member.created'], operator);
  await setWebhookDisabled(fixture.context, unused.id, true, operator);
  const ids: Record<string, string> = { replayMessage: '1', removeWebhook: unused.id };
  const [uid, merged, erased] = [
    await register(fixture, 'asha'),
    await register(fixture, 'ben'),
    await register(fixture, 'cho'),
  ];
  const snapshot = buildAxis(folder.path, 'file_1', [['가', null]]);
  buildAxis(folder.path, 'file_1', [['나', null]]);
  const newKid = async () => (await fixture.issue('books', [])).split('_')[2]!;
  const bodies: Record<string, object> = {
    search: { platform: 'books', local_user_id: 'asha' },
    tier: { tier: 'GOLD' },
    grantEntitlement: { code: 'archive' },
    revokeEntitlement: { code: 'archive' },
    merge: { from: merged, into: uid, same_person: true, dry_run: false },
    endManySessions: { scope: 'platform', platform: 'books' },
    split: { dry_run: false },
    declarePlatform: { code: 'games', capabilities: ['card_issuer'], disabled: true },
    declarePurpose: { code: 'mail', name_ko: '메일', name_en: 'Mail' },
    issueKey: { platform: null, scopes: ['stats:read'] },
    addWebhook: { url, types: ['member.created'] },
    addOperator: { name: '도라 1', role: 'view' },
    changeOperator: { role: 'support', passphrase: 'reset' },
    changePassphrase: { current_passphrase: passphrase, passphrase: `${passphrase}, another` },
    enableTotp: { current_passphrase: passphrase, ...totpProof(fixture, 'enableTotp') },
    disableTotp: { current_passphrase: passphrase },
    offerPasskey: { current_passphrase: passphrase },
    renamePasskey: { current_passphrase: passphrase, name: '회사 노트북' },
    removePasskey: { current_passphrase: passphrase },
  };
  const authenticator = authenticatorAt('http://localhost');
  let passkey = '';
  const headersOf = async (name: string) => {
    // These end the sessions of their operator.
    if (!['changePassphrase', 'enableTotp', 'disableTotp'].includes(name)) return client.headers;
    const token = await signInAs(fixture.context, client.operators, 'view', name);
    return { ...client.headers, cookie: `__Host-maru_admin=${token}` };
  };
  for (const [name, row] of Object.entries<Route>(adminContract)) {
    const path = row.path
      .replace('{svc_uid}', name === 'erase' ? erased : uid)
      .replace('{kid}', row.path.includes('{kid}') ? await newKid() : '')
      .replace('{code}', 'books')
      .replace('{snapshot_id}', snapshot)
      .replace('{id}', ids[name] ?? id)
      .replace('{merge_id}', '1')
      .replace('{passkey_id}', passkey)
      .replace('{name}', encodeURIComponent('도라 1'));
    const body = row.body === undefined ? undefined : { ...bodies[name], reason };
    const headers = await headersOf(name);
    const answer = await sendRequest(client, row.method, path, headers, body);
    assert.equal(answer.status, 200, `${name}: ${answer.text}`);
    const [isValid, errors] = Schema.Compile(row.answers[200]!).Errors(answer.body);
    assert.ok(isValid, `${name}: ${JSON.stringify(errors.slice(0, 3))} ${answer.text}`);
    if (name === 'offerPasskey') {
      // Safe: the schema was checked above.
      const options = answer.body as unknown as Parameters<typeof authenticator.create>[0];
      bodies['addPasskey'] = { name: '노트북', credential: authenticator.create(options) };
    }
    if (name === 'addPasskey')
      passkey = (await fixture.context.store.read.passkeys.byCredential(authenticator.id))!.id;
  }
});

test('sessions end by platform, by moment and all at once, and later ones are live', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const client = await openSignedInClient(fixture, folder.path);
  await register(fixture, 'asha');
  const user = { email: 'asha@example.com', platform: 'books', local_user_id: 'asha' };
  const signIn = async () => {
    fixture.clock.now += 60_000;
    return sessionCookie(
      await sendAsServer(fixture, 'POST', '/auth/sso/issue', fixture.keys.books, user),
    );
  };
  const end = async (body: object) => {
    const sent = { ...body, reason };
    const answer = await sendRequest(client, 'POST', '/api/sessions/end', client.headers, sent);
    assert.equal(answer.status, 200, answer.text);
  };
  const isLive = async (cookie: string) => {
    const page = { origin: 'https://cards.example.com', cookie };
    return (await sendAsPage(fixture, 'GET', '/auth/me', page)).body['authenticated'];
  };
  const first = await signIn();
  const before = new Date(fixture.clock.now + 1_000).toISOString();
  const second = await signIn();
  await end({ scope: 'platform', platform: 'cards' });
  assert.deepEqual([await isLive(first), await isLive(second)], [true, true]);
  await end({ scope: 'all', before });
  assert.deepEqual([await isLive(first), await isLive(second)], [false, true]);
  await end({ scope: 'platform', platform: 'books' });
  assert.equal(await isLive(second), false);
  const third = await signIn();
  assert.equal(await isLive(third), true);
  await end({ scope: 'all' });
  assert.equal(await isLive(third), false);
});

function totpProof({ context, clock }: MembersFixture, name: string) {
  const seed = newTotpSeed();
  const code = totpAt(totpSecret(context, name, seed), Math.floor(clock.now / 30_000));
  return { seed, code };
}

test('a body of the wrong shape is refused with every error, from JSON and from a form', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const client = await openSignedInClient(fixture, folder.path);
  const cases: readonly [path: string, body: object, pointers: readonly string[]][] = [
    ['/api/keys', { scopes: ['all'] }, ['/platform', '/scopes/0', '/reason']],
    ['/api/webhooks', { url: 1, types: 'all', reason }, ['/url', '/types']],
    ['/api/merges', { from: 'svc_a', into: null, dry_run: 'no', reason }, ['/into', '/dry_run']],
    ['/api/members/svc_a/suspend', { reason: 'x'.repeat(501) }, ['/reason']],
    ['/api/members/search', { email: 1 }, ['/email']],
  ];
  for (const [path, body, pointers] of cases) {
    const refused = await sendRequest(client, 'POST', path, client.headers, body);
    assert.deepEqual([refused.status, refused.body['code']], [422, 'validation_failed'], path);
    const errors = refused.body['errors'] as { pointer: string }[];
    assert.deepEqual(
      errors.map(({ pointer }) => pointer),
      pointers,
    );
  }
  const formHeaders = { ...client.headers, 'Content-Type': 'application/x-www-form-urlencoded' };
  const body = `platform=operator&scopes=all&reason=${reason}`;
  const page = await sendRequest(client, 'POST', '/actions/issueKey', formHeaders, body);
  assert.equal(page.status, 422, page.text);
  assert.match(page.text, /members:register, events:write/);
  const actors = (await fixture.context.store.read.audit.after(0, 200)).map(({ actor }) => actor);
  assert.ok(!actors.includes('operator:hana'));
});

test('the CSV of members has the filtered rows with masked addresses, and no formula', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const client = await openSignedInClient(fixture, folder.path);
  for (const email of ['-sum@example.com', 'kim@example.com']) {
    const user = { email, platform: 'books', local_user_id: email };
    await sendAsServer(fixture, 'POST', '/members/register', fixture.keys.books, user);
  }
  const csv = async (query: string) =>
    sendRequest(client, 'GET', `/members.csv${query}`, client.headers);
  const { text, headers: sent } = await csv('?platform=books&lang=en');
  assert.match(sent.get('content-type') ?? '', /^text\/csv/);
  const [head, ...rows] = text.trim().split('\r\n');
  assert.match(head!, /svc_uid,Status,Email,Tier,Platforms,Joined/);
  assert.equal(rows.length, 2);
  assert.match(rows[0]!, /^svc_\w+,active,'-/);
  assert.ok(!text.includes('kim@example.com'));
  assert.equal((await csv('?platform=cards')).text.trim().split('\r\n').length, 1);
  assert.doesNotMatch(
    (await sendRequest(client, 'GET', '/members.csv', { host: client.headers.host })).text,
    /svc_\w{20}/,
  );
});

test('the page of flows names a funnel that is put off, and shows the rest', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const { store } = fixture.context;
  const away = {
    ...withWrite(store, (work) => store.write(work)),
    funnel: () => Promise.reject(new PostponedCount(60, null)),
  };
  const context = { ...fixture.context, store: away };
  const client = await openSignedInClient({ ...fixture, context }, folder.path);
  const page = await sendRequest(client, 'GET', '/flows?lang=en', client.headers);
  assert.equal(page.status, 200);
  assert.match(page.text, /role="alert"><p>Statistics are counted on a replica/);
  assert.match(page.text, /Members on both/);
});

test('every table of a page downloads as CSV with the page’s filters and is named in the log', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const client = await openSignedInClient(fixture, folder.path);
  const uid = await register(fixture, 'asha');
  await register(fixture, 'ben');
  const operator = { actor: 'operator:test', reason };
  const formula = '=HYPERLINK("https://evil.test")';
  await issueKey(fixture.context, { platform: 'books', scopes: [], label: formula }, operator);
  await issueKey(fixture.context, { platform: 'books', scopes: [], label: '0012' }, operator);
  const pages = ['/', '/health', '/flows', '/keys', '/system', '/audit', `/members/${uid}`];
  const found: string[] = [];
  for (const page of [...pages, '/?platform=cards&event=register']) {
    const { text } = await sendRequest(client, 'GET', page, client.headers);
    for (const [, link] of text.matchAll(/href="([^"]*[?;]csv=[\w-]+)"/g)) {
      const path = link!.replaceAll('&amp;', '&');
      const answer = await sendRequest(client, 'GET', path, client.headers);
      assert.equal(answer.status, 200, path);
      assert.equal(answer.headers.get('content-type'), 'text/csv; charset=utf-8');
      const name = /csv=([\w-]+)/.exec(path)![1]!;
      const disposition = answer.headers.get('content-disposition') ?? '';
      assert.ok(disposition.startsWith(`attachment; filename="${name}.csv"`), disposition);
      const cells = answer.text.split(/[\r\n,]+/);
      assert.ok(!cells.some((cell) => /^"?[=+@]/.test(cell)), path);
      found.push(path);
    }
  }
  const weeks = async (query: string) => {
    const path = `/?${query}csv=events-by-week&lang=en`;
    const { text } = await sendRequest(client, 'GET', path, client.headers);
    return text.trim().split('\r\n');
  };
  const [head, ...rows] = await weeks('');
  assert.match(head!, /From \(Monday\),Events,Registration,Visit/);
  assert.equal(rows.length, 12);
  assert.match(rows.at(-1)!, /^\d{4}-\d\d-\d\d,2,2,0/);
  assert.match((await weeks('platform=cards&')).at(-1)!, /,0,0,0/);
  for (const name of ['funnel', 'overlap', 'health', 'keys', 'rate-limits', 'audit-log', 'links']) {
    const isThere = found.some((path) => path.includes(`csv=${name}`));
    assert.ok(isThere, `${name} of ${found.join(' ')}`);
  }
  const log = await fixture.context.store.read.accessLog.list(Number.MAX_SAFE_INTEGER, 1_000);
  const logged = log.filter(({ action }) => action.startsWith('csv:'));
  assert.equal(logged.length, found.length + 2);
  const { text: keys } = await sendRequest(client, 'GET', '/keys?csv=keys', client.headers);
  assert.match(keys, /,0012,/, 'A text of digits keeps its zeros.');
  const missing = await sendRequest(client, 'GET', '/health?csv=nothing', client.headers);
  assert.equal(missing.status, 404);
});

test('the overview warns of an old backup, not of a recent one', async () => {
  using folder = temporaryFolder();
  await using fixture = await openFixture(folder.path);
  const client = await openSignedInClient(fixture, folder.path);
  const members = join(folder.path, 'members');
  mkdirSync(members);
  for (const [daysAgo, isWarned] of [
    [6, false],
    [7, true],
  ] as const) {
    recordBackup(members, fixture.clock.now - daysAgo * 86_400_000);
    const { text } = await sendRequest(client, 'GET', '/?lang=en', client.headers);
    assert.equal(text.includes('Last backup: 7 days ago.'), isWarned);
  }
});
