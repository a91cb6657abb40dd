import assert from 'node:assert/strict';
import { test } from 'node:test';
import { membersRig, operator, type MembersRig } from '../../test/members/rig.ts';
import { operatorOf } from './audit.ts';
import { memberLimits } from './limits.ts';
import { register } from './register.ts';
import { checkSession, logOut, resolveSession } from './session.ts';
import { issueSso, revokeSso, verifySso } from './sso.ts';
import { readPlatformDeclaration } from './platform-configuration.ts';
import { declarePlatforms } from './platforms.ts';
import { restoreMember, setTier, suspendMember } from './account-status.ts';
import { verifyAudit } from './verify-audit.ts';
import type { MemberReads, MemberStore } from './store/store.ts';

const user = { email: 'kim@example.com', local_user_id: '1' };

async function registerOn(rig: MembersRig, ...platforms: readonly string[]): Promise<string> {
  let uid = '';
  for (const platform of platforms) {
    const caller = await rig.caller(platform);
    uid = (await register(rig.context, caller, { ...user, platform })).svc_uid;
  }
  return uid;
}

async function issueToken(rig: MembersRig, platform: string): Promise<string> {
  const caller = await rig.caller(platform);
  return (await issueSso(rig.context, caller, { ...user, platform })).token;
}

test('a session of a linked user is found by its token for seven days', async () => {
  await using rig = await membersRig();
  const uid = await registerOn(rig, 'books');
  const books = await rig.caller('books');
  const first = await issueSso(rig.context, books, { ...user, platform: 'books' });
  const second = await issueSso(rig.context, books, {
    svc_uid: uid,
    local_user_id: 1,
    platform: 'books',
  });
  assert.notEqual(first.token, second.token);
  assert.equal((await checkSession(rig.context, first.token))?.member.svcUid, uid);
  rig.clock.now = first.expiresAt - 1;
  assert.notEqual(await checkSession(rig.context, first.token), null);
  rig.clock.now = first.expiresAt;
  assert.equal(await checkSession(rig.context, first.token), null);
});

test('no session starts without a link, with another local id, or outside the cookie domain', async () => {
  await using rig = await membersRig();
  await registerOn(rig, 'books', 'outside');
  const cases = [
    ['books', { local_user_id: '2' }, 'member_not_found'],
    ['books', { email: 'lee@example.com' }, 'member_not_found'],
    ['books', { local_user_id: '\n' }, 'validation_failed'],
    ['music', {}, 'member_not_found'],
    ['outside', {}, 'sso_not_enabled'],
  ] as const;
  for (const [platform, change, code] of cases) {
    const caller = await rig.caller(platform);
    await assert.rejects(issueSso(rig.context, caller, { ...user, platform, ...change }), { code });
  }
});

test('T1: an asserted platform cannot sign in a member that others share', async () => {
  await using rig = await membersRig();
  await registerOn(rig, 'forum');
  await issueToken(rig, 'forum');
  await registerOn(rig, 'books');
  await assert.rejects(issueToken(rig, 'forum'), { code: 'email_unverified' });
  await issueToken(rig, 'books');
});

test('T1: a trusted platform can sign in a shared member only after verifying the address', async () => {
  await using rig = await membersRig();
  const music = await rig.caller('music');
  await register(rig.context, music, { ...user, platform: 'music', email_verified: false });
  await registerOn(rig, 'books');
  await assert.rejects(issueToken(rig, 'music'), { code: 'email_unverified' });
  await register(rig.context, music, { ...user, platform: 'music', email_verified: true });
  await issueToken(rig, 'music');
});

test('T2: the first verified link ends sessions of asserted links and is counted', async () => {
  await using rig = await membersRig();
  await registerOn(rig, 'forum');
  const attacker = await issueToken(rig, 'forum');
  assert.notEqual(await checkSession(rig.context, attacker), null);
  await registerOn(rig, 'books');
  assert.equal(await checkSession(rig.context, attacker), null);
  const books = (await rig.context.platforms.byCode('books'))!;
  const [counted] = await rig.context.store.read.assurance.since(0, 10);
  assert.deepEqual(
    [counted?.platformId, counted?.upgrades, counted?.sessionsEnded],
    [books.id, 1, 1],
  );
  const owner = await issueToken(rig, 'books');
  await registerOn(rig, 'music');
  assert.notEqual(await checkSession(rig.context, owner), null);
});

test('another platform may sign in its own users with a verified session', async () => {
  await using rig = await membersRig();
  const uid = await registerOn(rig, 'books', 'music', 'forum');
  const token = await issueToken(rig, 'books');
  const verify = async (code: string, given = token) =>
    verifySso(rig.context, (await rig.context.platforms.byCode(code))!, given);
  const { id: session_id } = (await checkSession(rig.context, token))!;
  const known = { active: true, svc_uid: uid, session_id, tier: 'BRONZE', entitlements: [] };
  assert.deepEqual(await verify('music'), {
    ...known,
    sign_in_allowed: true,
    reason: null,
    membership: { platform: 'music', local_user_id: '1' },
  });
  const noLink = { ...known, sign_in_allowed: false, reason: 'no_membership', membership: null };
  assert.deepEqual(await verify('cards'), noLink);
  for (const answer of [
    await verify('island'),
    await verify('music', 'svcs_junk'),
    await verify('music', ''),
  ]) {
    assert.deepEqual(
      [answer.active, answer.svc_uid, answer.reason],
      [false, null, 'session_ended'],
    );
  }
});

test('T2: a session signs in on verified links, not on a link with an unverified address', async () => {
  await using rig = await membersRig();
  // The forum account was created with an unverified address; its owner uses another platform.
  await registerOn(rig, 'forum', 'books');
  const token = await issueToken(rig, 'books');
  const verify = async (code: string) =>
    verifySso(rig.context, (await rig.context.platforms.byCode(code))!, token);
  const { sign_in_allowed: isAllowed, reason } = await verify('forum');
  assert.deepEqual([isAllowed, reason], [false, 'email_unverified']);
  assert.equal((await verify('books')).sign_in_allowed, true);
});

test('T2: links of a platform that is declared asserted sign in on no other platform', async () => {
  await using rig = await membersRig();
  await registerOn(rig, 'music', 'books');
  const declare = async (assurance: string) => {
    const music = { code: 'music', origins: ['https://music.example.com'], assurance };
    await declarePlatforms(rig.context, [readPlatformDeclaration(music)], operator);
  };
  const token = await issueToken(rig, 'music');
  await declare('asserted');
  assert.equal(await checkSession(rig.context, token), null);
  await assert.rejects(issueToken(rig, 'music'), { code: 'email_unverified' });
  const ofBooks = await issueToken(rig, 'books');
  const music = async () => (await rig.context.platforms.byCode('music'))!;
  assert.equal((await verifySso(rig.context, await music(), ofBooks)).sign_in_allowed, false);
  await declare('trusted');
  assert.equal((await verifySso(rig.context, await music(), ofBooks)).sign_in_allowed, true);
});

test('T2: a session of an asserted link ends when a second platform links the member', async () => {
  await using rig = await membersRig();
  await registerOn(rig, 'forum');
  const token = await issueToken(rig, 'forum');
  const music = await rig.caller('music');
  await register(rig.context, music, { ...user, platform: 'music', email_verified: false });
  const verdict = await verifySso(rig.context, music.platform!, token);
  assert.deepEqual([verdict.active, verdict.reason], [false, 'session_ended']);
  await assert.rejects(issueToken(rig, 'forum'), { code: 'email_unverified' });
});

test('T15: an asserted link may end its own sessions of a member, but not sessions of others', async () => {
  await using rig = await membersRig();
  const uid = await registerOn(rig, 'books', 'forum');
  const token = await issueToken(rig, 'books');
  const forum = await rig.caller('forum');
  const revoke = (scope: 'all' | 'platform') =>
    revokeSso(rig.context, forum, forum.platform!, { svc_uid: uid, scope });
  await assert.rejects(revoke('all'), { code: 'email_unverified' });
  assert.deepEqual(await revoke('platform'), { revoked: 0 });
  assert.notEqual(await checkSession(rig.context, token), null);
});

test('T26: a platform’s reason of any characters leaves the audit chain intact', async () => {
  await using rig = await membersRig();
  const uid = await registerOn(rig, 'books');
  const books = await rig.caller('books');
  const reasons = ['a\ud800b', `${'x'.repeat(499)}😀`, '😀'.repeat(501), 'a\0b', '\udc00'];
  for (const reason of reasons) {
    await revokeSso(rig.context, books, books.platform!, { svc_uid: uid, reason });
  }
  await setTier(rig.context, uid, 'GOLD', operatorOf('operator:a\ud800', 'b\udc00'));
  const verdict = await verifyAudit(rig.context);
  assert.deepEqual([verdict.intact, verdict.faultAt], [true, null]);
  const rows = await rig.context.store.read.audit.after(0, 200);
  const stored = rows.filter(({ action }) => action === 'sessions_revoked');
  assert.deepEqual(
    stored.map(({ reason }) => reason),
    ['a\ufffdb', reasons[1], '😀'.repeat(500), 'a\ufffdb', '\ufffd'],
  );
});

test('beyond twenty live sessions the oldest ends', async () => {
  await using rig = await membersRig();
  await registerOn(rig, 'books');
  const tokens: string[] = [];
  for (let i = 0; i <= memberLimits.liveSessionsMax; i++) {
    rig.clock.now += 1_000;
    tokens.push(await issueToken(rig, 'books'));
  }
  const live = await Promise.all(tokens.map(async (token) => checkSession(rig.context, token)));
  assert.deepEqual(
    live.map((session) => session !== null),
    [false, ...Array(20).fill(true)],
  );
});

test('logging out ends only the session of the cookie', async () => {
  await using rig = await membersRig();
  await registerOn(rig, 'books');
  const [here, elsewhere] = [await issueToken(rig, 'books'), await issueToken(rig, 'books')];
  assert.equal(await logOut(rig.context, [here], 'one'), true);
  assert.equal(await checkSession(rig.context, here), null);
  assert.notEqual(await checkSession(rig.context, elsewhere), null);
  assert.equal(await logOut(rig.context, [here], 'one'), false);
});

test('T11: all session cookies are read, and sessions of two members are ambiguous', async () => {
  await using rig = await membersRig();
  await registerOn(rig, 'books');
  const kim = await issueToken(rig, 'books');
  const kimAgain = await issueToken(rig, 'books');
  const books = await rig.caller('books');
  const other = { email: 'lee@example.com', local_user_id: '2', platform: 'books' };
  await register(rig.context, books, other);
  const lee = (await issueSso(rig.context, books, other)).token;
  const kind = async (...tokens: string[]) => (await resolveSession(rig.context, tokens)).kind;
  assert.equal(await kind('svcs_junk', kim), 'live');
  assert.equal(await kind(kim, kimAgain, kim), 'live');
  assert.equal(await kind(kim, lee), 'ambiguous');
  assert.equal(await kind(lee, kim), 'ambiguous');
  assert.equal(await kind(), 'none');
});

test('T13: malformed tokens are refused without a statement', async () => {
  await using rig = await membersRig();
  let reads = 0;
  const counting = new Proxy(rig.context.store.read, {
    get(target, name) {
      reads++;
      // Safe: the proxy forwards every property.
      return Reflect.get(target, name) as unknown;
    },
  });
  const store: MemberStore = withReads(rig.context.store, counting);
  const junk = ['', 'svcs_', `svcs_${'a'.repeat(59)}`, 'x'.repeat(10_000)];
  const match = await resolveSession({ ...rig.context, store }, junk);
  assert.deepEqual([match.kind, reads], ['none', 0]);
});

test('T14, T15: logout everywhere, revocation and suspension end all later checks', async () => {
  await using rig = await membersRig();
  const uid = await registerOn(rig, 'books', 'music');
  const books = await rig.caller('books');
  const ends: readonly (() => Promise<unknown>)[] = [
    async () => logOut(rig.context, [await issueToken(rig, 'books')], 'all'),
    () => revokeSso(rig.context, books, books.platform!, { svc_uid: uid, scope: 'all' }),
    () => suspendMember(rig.context, uid, operator),
  ];
  for (const end of ends) {
    const tokens = await Promise.all(Array.from({ length: 5 }, () => issueToken(rig, 'music')));
    await end();
    const checks = Array.from({ length: 100 }, async (_, at) =>
      checkSession(rig.context, tokens[at % tokens.length]!),
    );
    assert(!(await Promise.all(checks)).some((session) => session !== null));
  }
  await assert.rejects(issueToken(rig, 'books'), { code: 'member_suspended' });
  await restoreMember(rig.context, uid, operator);
  await issueToken(rig, 'books');
});

test('revoking counts only sessions that were live', async () => {
  await using rig = await membersRig();
  const uid = await registerOn(rig, 'books', 'music');
  const books = await rig.caller('books');
  for (let times = 0; times < 3; times++) await issueToken(rig, 'books');
  rig.clock.now += 8 * 86_400_000;
  const music = await issueToken(rig, 'music');
  const revoke = () => revokeSso(rig.context, books, books.platform!, { svc_uid: uid });
  assert.deepEqual(await revoke(), { revoked: 0 });
  await issueToken(rig, 'books');
  assert.deepEqual(await revoke(), { revoked: 1 });
  assert.notEqual(await checkSession(rig.context, music), null);
});

test('sessions that were ended everywhere do not count as live', async () => {
  await using rig = await membersRig();
  const uid = await registerOn(rig, 'books');
  const tokens = [await issueToken(rig, 'books'), await issueToken(rig, 'books')];
  const { sessions } = rig.context.store.read;
  assert.equal(await sessions.unexpiredCount(rig.clock.now), 2);
  assert.equal(await logOut(rig.context, [tokens[0]!], 'all'), true);
  assert.equal(await sessions.unexpiredCount(rig.clock.now), 0);
  await issueToken(rig, 'books');
  await suspendMember(rig.context, uid, operator);
  assert.equal(await sessions.unexpiredCount(rig.clock.now), 0);
});

test('a platform can end the sessions it issued without ending others', async () => {
  await using rig = await membersRig();
  const uid = await registerOn(rig, 'books', 'music');
  const [ofBooks, ofMusic] = [await issueToken(rig, 'books'), await issueToken(rig, 'music')];
  const books = await rig.caller('books');
  const revoked = await revokeSso(rig.context, books, books.platform!, { svc_uid: uid });
  assert.deepEqual(revoked, { revoked: 1 });
  assert.equal(await checkSession(rig.context, ofBooks), null);
  assert.notEqual(await checkSession(rig.context, ofMusic), null);
  assert.equal(await logOut(rig.context, [ofMusic], 'one'), true);
  assert.equal(await logOut(rig.context, [ofMusic], 'one'), false);
});

function withReads(store: MemberStore, read: MemberReads): MemberStore {
  return {
    read,
    write: (work) => store.write(work),
    activity: (query) => store.activity(query),
    funnel: (query) => store.funnel(query),
    scrub: () => store.scrub(),
    backup: (path) => store.backup(path),
    [Symbol.asyncDispose]: async () => {},
  };
}

test('a platform that withdraws its verification ends the sessions of its link', async () => {
  await using rig = await membersRig();
  await registerOn(rig, 'books', 'music');
  const token = await issueToken(rig, 'books');
  const other = await issueToken(rig, 'music');
  const lowered = { ...user, platform: 'books', email_verified: false };
  await register(rig.context, await rig.caller('books'), lowered);
  assert.equal(await checkSession(rig.context, token), null);
  assert.notEqual(await checkSession(rig.context, other), null);
});

test('a platform without an origin under the cookie domain has no single sign-on', async () => {
  await using rig = await membersRig();
  const context = { ...rig.context, cookieDomain: 'example.com' };
  const far = { code: 'music', origins: ['https://music.example.net', 'https://notexample.com'] };
  const declare = (declared: object) =>
    declarePlatforms(context, [readPlatformDeclaration(declared)], operator);
  await assert.rejects(declare({ ...far, cookie_domain: true }), { code: 'validation_failed' });
  await registerOn(rig, 'books', 'music');
  const issue = async (platform: string) =>
    issueSso(context, await rig.caller(platform), { ...user, platform });
  await declare(far);
  await assert.rejects(issue('music'), { code: 'sso_not_enabled' });
  await declare({ ...far, origins: [...far.origins, 'https://music.example.com'] });
  await issue('music');
  await declare({ code: 'music' });
  await issue('music');
});
