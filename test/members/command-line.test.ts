import assert from 'node:assert/strict';
import {
  chmodSync,
  cpSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { verifySignature } from '../../sdk/src/webhook.ts';
import { recordEvent } from '../../src/members/events.ts';
import { register } from '../../src/members/register.ts';
import type { WebhookMessage } from '../../src/members/store/entities.ts';
import { checkSession } from '../../src/members/session.ts';
import { issueSso } from '../../src/members/sso.ts';
import { openMembers } from '../../bin/open-members.ts';
import { openOperators, passphrase } from '../fixtures/operators.ts';
import { listen } from '../sdk/rig.ts';
import { runMaru } from '../end-to-end/run-maru.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { startMembers, urlOf } from './started.ts';

const asha = { email: 'Asha@Example.com', platform: 'books', local_user_id: 'local-4711' };

/** Runs the command line on a data folder; resolves to its output and exit code. */
async function maru(folder: string, ...words: string[]) {
  const { status, output, errors } = await runMaru(folder, words);
  return { code: status, out: output, complaint: errors };
}

/** Adds a platform with one member, who made a purchase; returns the member's uid. */
async function addMember(folder: string): Promise<string> {
  const added = await maru(folder, 'platform', 'add', 'books');
  assert.equal(added.code, 0, added.complaint);
  await using opened = await openMembers({ MARU_DATA: folder });
  const { context } = opened;
  const platform = await context.platforms.byCode('books');
  const caller = { kid: 'test', platform, scopes: ['members:register', 'events:write'] };
  const { svc_uid } = await register(context, caller, { ...asha, extra: { plan: 'monthly' } });
  const event = { svc_uid, platform: 'books', event: 'purchase', meta: { item: 'b-1' } };
  await recordEvent(context, caller, event);
  return svc_uid;
}

async function keepMessages(folder: string, messages: readonly Omit<WebhookMessage, 'id'>[]) {
  await using opened = await openMembers({ MARU_DATA: folder });
  await opened.context.store.write(async ({ webhooks }) => {
    for (const message of messages) await webhooks.insert(message);
  });
}

test('member find masks the address, export prints all data, erase prints a receipt', async () => {
  using folder = temporaryFolder();
  const uid = await addMember(folder.path);
  const byEmail = await maru(folder.path, 'member', 'find', 'asha@example.com', '--json');
  const byUid = await maru(folder.path, 'member', 'find', uid, '--json');
  assert.deepEqual([byEmail.code, byEmail.out], [0, byUid.out]);
  assert.match(byEmail.out, /"email_masked": "as\*\*\*@e\*\*\*\.com"/);
  assert.doesNotMatch(byEmail.out, /asha@/i);
  assert.match((await maru(folder.path, 'member', 'find', uid)).out, /platforms +books/);

  const unexplained = await maru(folder.path, 'member', 'export', uid);
  assert.deepEqual([unexplained.code, unexplained.out], [2, '']);
  assert.match(unexplained.complaint, /--reason/);
  const why = ['--reason', 'requested by the member'];
  const exported = await maru(folder.path, 'member', 'export', uid, ...why);
  assert.equal(exported.code, 0);
  for (const datum of [uid, asha.email, asha.local_user_id, 'monthly', 'b-1', 'purchase']) {
    assert.ok(exported.out.includes(datum), datum);
  }

  const shown = await maru(folder.path, 'member', 'erase', 'asha@example.com', ...why);
  assert.match(shown.out, /Would erase svc_\S+ with its links to books\.\nNothing was erased/);
  const erased = await maru(folder.path, 'member', 'erase', uid, '--yes', ...why);
  const receipt = JSON.parse(erased.out) as Record<string, unknown>;
  assert.deepEqual(
    [receipt['svc_uid'], receipt['memberships'], receipt['events'], receipt['files_overwritten']],
    [uid, 1, 2, true],
  );
  assert.equal(receipt['backups_gone_at'], null);
  for (const named of [uid, 'asha@example.com']) {
    const gone = await maru(folder.path, 'member', 'find', named);
    assert.deepEqual([gone.code, gone.out], [1, ''], named);
  }
  const members = join(folder.path, 'members');
  const files = readdirSync(members).map((name) => readFileSync(join(members, name), 'latin1'));
  assert.doesNotMatch(files.join('\n'), /asha|local-4711|monthly/i);
  const audit = await maru(folder.path, 'audit', 'verify', '--json');
  assert.match(audit.out, /"intact": true/);
});

test('member grant and revoke name the entitlement, and session end the sessions that remain', async () => {
  using folder = temporaryFolder();
  const uid = await addMember(folder.path);
  const why = ['--reason', 'a gift'];
  const until = '2040-01-01T00:00:00+09:00';
  const granted = await maru(
    folder.path,
    'member',
    'grant',
    uid,
    'archive',
    '--until',
    until,
    ...why,
  );
  assert.match(granted.out, /archive/);
  const found = await maru(folder.path, 'member', 'find', uid, '--json');
  assert.partialDeepStrictEqual(JSON.parse(found.out), { entitlements: ['archive'] });
  const past = ['--until', '2020-01-01T00:00:00+09:00'];
  const refused = await maru(folder.path, 'member', 'grant', uid, 'archive', ...past, ...why);
  assert.deepEqual([refused.code, refused.out], [1, '']);
  assert.match(refused.complaint, /ends before it starts/);
  const revoked = await maru(folder.path, 'member', 'revoke', uid, 'archive', ...why);
  assert.equal(revoked.code, 0, revoked.complaint);

  await using opened = await openMembers({ MARU_DATA: folder.path });
  const { context } = opened;
  const caller = { kid: 'test', platform: await context.platforms.byCode('books'), scopes: [] };
  const { token } = await issueSso(context, caller, asha);
  const unnamed = await maru(folder.path, 'session', 'end');
  assert.match(unnamed.complaint, /either --all or --platform CODE/);
  const before = ['--platform', 'books', '--before', '2026-01-01T00:00:00Z'];
  const kept = await maru(folder.path, 'session', 'end', ...before);
  assert.equal(kept.out, 'Ended. Live sessions that remain: 1.\n');
  assert.notEqual(await checkSession(context, token), null);
  const ended = await maru(folder.path, 'session', 'end', '--all', '--json');
  assert.deepEqual(JSON.parse(ended.out), { scope: 'all', platform: null, before: null, live: 0 });
  assert.equal(await checkSession(context, token), null);
});

test('audit verify names a changed row and exits with 1', async () => {
  using folder = temporaryFolder();
  await addMember(folder.path);
  await maru(folder.path, 'platform', 'disable', 'books', '--reason', 'a test');
  const { out } = await maru(folder.path, 'audit', 'verify');
  const anchor = /to note elsewhere: (\S+)/.exec(out)![1]!;
  assert.equal((await maru(folder.path, 'audit', 'verify', '--anchor', anchor)).code, 0);
  {
    using database = new DatabaseSync(join(folder.path, 'members/members.db'));
    database.exec(`UPDATE audit SET reason = 'another' WHERE seq = 1`);
  }
  const broken = await maru(folder.path, 'audit', 'verify');
  assert.equal(broken.code, 1);
  assert.match(broken.out, /broken at row 1; the 0 rows before it are intact/);
});

test('platforms are disabled and enabled, keys rotated and revoked, wrong use is refused', async () => {
  using folder = temporaryFolder();
  await addMember(folder.path);
  for (const [action, status] of [
    ['disable', 'disabled'],
    ['enable', 'enabled'],
  ] as const) {
    const changed = await maru(folder.path, 'platform', action, 'books', '--reason', 'a test');
    assert.deepEqual([changed.code, changed.out], [0, `books is ${status}.\n`]);
  }
  const issued = await maru(folder.path, 'key', 'issue', 'books', '--json');
  const { kid } = JSON.parse(issued.out) as { kid: string };
  const rotated = await maru(folder.path, 'key', 'rotate', kid, '--overlap-hours', '2');
  assert.match(rotated.out, /^svck_live_\w+\nKey \w+ replaces \w+, which works for 2 more hours/);
  const leaked = await maru(folder.path, 'key', 'revoke', kid, '--leaked', '--reason', 'seen');
  assert.deepEqual([leaked.code, leaked.out], [0, `Key ${kid} is revoked.\n`]);
  const { out } = await maru(folder.path, 'key', 'list');
  assert.match(out, new RegExp(`^${kid}  books +revoked`, 'm'));
  assert.equal(out.trim().split('\n').length, 2);
  const unknown = await maru(folder.path, 'key', 'revoke', 'aaaaaaaaaa', '--reason', 'a test');
  assert.deepEqual([unknown.code, unknown.out], [1, '']);
  const wrong = await maru(folder.path, 'key', 'issue', 'books', '--scope', 'everything');
  assert.equal(wrong.code, 2);
  const checked = await maru(folder.path, 'doctor', '--platform', 'books', '--json');
  assert.match(checked.out, /"detail": "books is enabled"/);
});

test('commands refuse a folder without a store instead of creating one', async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, 'data');
  for (const words of [
    ['audit', 'verify'],
    ['backup', join(folder.path, 'copy')],
    ['member', 'find', 'asha@example.com'],
    ['key', 'rotate', 'aaaaaaaaaa'],
    ['key', 'revoke', 'aaaaaaaaaa', '--reason', 'a test'],
  ]) {
    const { code, out, complaint } = await maru(data, ...words);
    assert.deepEqual([code, out], [1, ''], words.join(' '));
    assert.match(complaint, /no members’ store in .*data.members\..*MARU_DATA/);
  }
  assert.deepEqual(readdirSync(folder.path), []);
});

test('platform declare reads nine platforms of a file, and names a missing or broken file', async () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'platforms.json');
  const declare = (...more: string[]) => maru(folder.path, 'platform', 'declare', file, ...more);
  const missing = await declare();
  assert.deepEqual([missing.code, missing.out], [1, '']);
  assert.match(missing.complaint, /^\S+platforms\.json: there is no such file/);
  writeFileSync(file, '{"platforms":[');
  const broken = await declare();
  assert.equal(broken.code, 1);
  assert.match(broken.complaint, /^\S+platforms\.json cannot be used: /);
  const platforms = Array.from({ length: 9 }, (_, at) => ({ code: `shop-${at}` }));
  writeFileSync(file, JSON.stringify({ platforms }));
  const declared = await declare('--json');
  assert.equal((JSON.parse(declared.out) as unknown[]).length, 9);
  assert.equal((await declare()).out, `9 platforms match ${file}.\n`);
  await using opened = await openMembers({ MARU_DATA: folder.path });
  const [row] = await opened.context.store.read.audit.after(0, 1);
  assert.equal(row?.actor, 'operator:command-line');
});

test('every changing command prints its effect as JSON, too', async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, 'data');
  const uid = await addMember(data);
  const kid = async () => {
    const { out } = await maru(data, 'key', 'issue', 'books', '--json');
    return (JSON.parse(out) as { kid: string }).kid;
  };
  const copy = join(folder.path, 'copy');
  const why = ['--reason', 'a test', '--json'];
  const commands = [
    [['platform', 'disable', 'books', ...why], { code: 'books', disabled: true }],
    [['platform', 'enable', 'books', ...why], { code: 'books', disabled: false }],
    [['key', 'revoke', await kid(), '--leaked', ...why], { leaked: true, revoked: true }],
    [['member', 'erase', uid, ...why], { svc_uid: uid, platforms: ['books'], erased: false }],
    [['member', 'erase', uid, '--yes', ...why], { svc_uid: uid, memberships: 1 }],
    [['backup', copy, '--json'], { folder: copy, files: ['members.db', 'members.secret'] }],
  ] as const;
  for (const [words, printed] of commands) {
    const { code, out, complaint } = await maru(data, ...words);
    assert.equal(code, 0, complaint);
    assert.partialDeepStrictEqual(JSON.parse(out), printed);
  }
});

test('a backup during writes restores everything acknowledged before', async () => {
  using folder = temporaryFolder();
  const copy = join(folder.path, 'copy');
  const data = join(folder.path, 'data');
  let key = '';
  let uid: unknown = '';
  {
    await using started = await startMembers(data);
    key = /svck_\w+/.exec(started.output)![0];
    const url = urlOf(started, 'Members');
    const post = async (email: string): Promise<unknown> => {
      const body = JSON.stringify({ email, platform: 'demo', local_user_id: email });
      const headers = { 'x-api-key': key, 'content-type': 'application/json' };
      const answer = await fetch(`${url}/members/register`, { method: 'POST', headers, body });
      return ((await answer.json()) as { svc_uid: string }).svc_uid;
    };
    uid = await post('before@example.com');
    const writing = Promise.all(Array.from({ length: 300 }, (_, at) => post(`${at}@example.com`)));
    const backedUp = await maru(data, 'backup', copy);
    assert.equal(backedUp.code, 0, backedUp.complaint);
    await writing;
  }
  // As the help of the command: the files of the copy replace those of members/.
  rmSync(join(data, 'members'), { recursive: true });
  cpSync(copy, join(data, 'members'), { recursive: true });
  assert.match((await maru(data, 'audit', 'verify')).out, /intact/);
  await using restored = await startMembers(data);
  const lookup = { method: 'POST', body: JSON.stringify({ email: 'before@example.com' }) };
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const found = await fetch(`${urlOf(restored, 'Members')}/members/lookup`, {
    ...lookup,
    headers,
  });
  const { member } = (await found.json()) as { member: { svc_uid: string } };
  assert.equal(member.svc_uid, uid);
});

test('the store and its backup become readable by their owner alone', async () => {
  using folder = temporaryFolder();
  await addMember(folder.path);
  const path = join(folder.path, 'members/members.db');
  chmodSync(path, 0o644);
  const copy = join(folder.path, 'copy');
  assert.equal((await maru(folder.path, 'backup', copy)).code, 0);
  const modes = [path, join(copy, 'members.db')].map((file) => statSync(file).mode & 0o777);
  assert.deepEqual(modes, [0o600, 0o600]);
});

test('webhook test sends a signed sample to a receiver of this machine', async () => {
  using folder = temporaryFolder();
  await using stack = new AsyncDisposableStack();
  const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
  const file = join(folder.path, 'secret');
  writeFileSync(file, `${secret}\n`);
  const { port } = await listen(stack, (request, response) => {
    void text(request).then(async (body) => {
      const headers = new Headers(request.headers as Record<string, string>);
      const isGenuine = await verifySignature(secret, headers, body);
      response.writeHead(isGenuine && JSON.parse(body).data.platform === 'books' ? 204 : 400).end();
    });
  });
  const url = `http://127.0.0.1:${port}/webhook`;
  const words = ['webhook', 'test', url, '--secret-file', file, '--type', 'membership.moved'];
  const uid = `svc_${'c'.repeat(26)}`;
  words.push('--local-user-id', 'u-7', '--svc-uid', uid, '--platform', 'books');
  const sent = await maru(folder.path, ...words);
  assert.match(sent.out, /webhook-signature: v1,[^]*"local_user_id":"u-7"[^]* answers 204/);
  assert.ok(sent.out.includes(`"svc_uid":"${uid}"`), sent.out);
  writeFileSync(file, `whsec_${Buffer.alloc(32, 6).toString('base64')}`);
  const other = await maru(folder.path, ...words);
  assert.match(other.out, /answers 400: a delivery would be retried/);
  assert.equal(other.code, 1);
});

test('webhook list shows how many messages of an endpoint failed, and no secret', async () => {
  using folder = temporaryFolder();
  await addMember(folder.path);
  const url = 'https://hooks.example.com/in';
  const added = await maru(folder.path, 'webhook', 'add', url, '--platform', 'books', '--json');
  const { id, secret } = JSON.parse(added.out) as { id: string; secret: string };
  assert.match(secret, /^whsec_/);
  const attempted = {
    endpointId: id,
    type: 'member.erased',
    body: '{}',
    createdAt: 1,
    status: 500,
  };
  await keepMessages(folder.path, [
    { ...attempted, messageId: 'm1', attempts: 0, nextAt: 5, deliveredAt: null },
    { ...attempted, messageId: 'm2', attempts: 1, nextAt: 5, deliveredAt: null },
    { ...attempted, messageId: 'm3', attempts: 9, nextAt: null, deliveredAt: null },
    { ...attempted, messageId: 'm4', attempts: 2, nextAt: null, deliveredAt: 3 },
  ]);
  const asJson = await maru(folder.path, 'webhook', 'list', '--json');
  assert.equal(JSON.parse(asJson.out)[0].failing, 2);
  const listed = await maru(folder.path, 'webhook', 'list');
  assert.match(listed.out, /FAILING 2$/m);
  assert.match(listed.out, new RegExp(`^${id}  books +${url}  \\[member\\.created`));
  assert.doesNotMatch(listed.out, /whsec_/);
  const refused = await maru(folder.path, 'webhook', 'add', 'https://localhost:4000/in');
  assert.equal(refused.code, 1);
  assert.match(refused.complaint, /cannot be added\. Give an address on the public internet/);
});

test('operator adds an owner with a token, and refuses to remove the last one who signed in', async () => {
  using folder = temporaryFolder();
  const uid = await addMember(folder.path);
  const ordinary = await maru(folder.path, 'operator', 'add', 'ben');
  assert.equal(ordinary.code, 1);
  assert.match(ordinary.complaint, /first operator must be an owner/);
  const added = await maru(folder.path, 'operator', 'add', 'hana', '--role', 'owner');
  const [token] = added.out.split('\n');
  assert.match(added.out, /^svci_[a-z2-7]+\nOne-time token of hana until /);
  assert.match((await maru(folder.path, 'operator', 'list')).out, /^hana +owner +invited$/m);
  await maru(folder.path, 'member', 'find', uid);
  await using opened = await openMembers({ MARU_DATA: folder.path });
  const { context } = opened;
  const operators = await openOperators(context, opened.folder);
  const here = { address: '127.0.0.1' };
  await operators.join(token!, { name: 'hana', passphrase }, here);
  const why = ['--reason', 'left'];
  await context.store.write(async ({ passkeys }) => passkeys.put(passkeyOf('hana')));
  const stripped = await maru(folder.path, 'operator', 'remove-passkeys', 'hana', ...why);
  assert.equal(stripped.out, 'The passkeys of hana are removed: 1.\n', stripped.complaint);
  assert.deepEqual(await context.store.read.passkeys.of('hana'), []);
  const last = await maru(folder.path, 'operator', 'remove', 'hana', ...why);
  assert.equal(last.code, 1);
  assert.match(last.complaint, /last owner/);
  const rows = await context.store.read.accessLog.list(1_000, 10);
  assert.deepEqual(
    rows.map(({ operator, action, members }) => [operator, action, ...members]),
    [
      ['hana', 'sign_in'],
      ['command-line', 'member', uid],
    ],
  );
});

function passkeyOf(operator: string) {
  return {
    id: 'a',
    operator,
    name: 'laptop',
    credentialId: 'AQID',
    publicKey: Uint8Array.of(1),
    signCount: 0,
    transports: [],
    isBackupEligible: false,
    isBackedUp: false,
    createdAt: 0,
    usedAt: null,
  };
}
