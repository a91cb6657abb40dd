import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { issueKey } from '../../src/members/keys.ts';
import { signedHeaders } from '../../src/members/webhooks.ts';
import { operator } from '../members/rig.ts';
import { openGate } from '../sdk/gate.ts';
import { eventsHeld, openService, type Service } from '../sdk/rig.ts';
import { assertInstalled } from '../needed-program.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { badServers } from './bad-servers.ts';
import { driveHooks } from './driven-hooks.ts';
import { languages, type Language } from './languages.ts';

/** Servers that let every call run into its timeout. Each has a test of its own, which runs beside the others. */
const slowServers = ['hung', 'halting', 'a dripping body', 'dripping headers'];

/** Longer than in production, for a busy machine. */
const timeoutMs = 30_000;
/** For servers that never answer. */
const shortTimeoutMs = 400;
/** Generous allowance for a busy machine. */
const graceMs = 6_000;
/** Most flushes until all is delivered: on a busy machine many run into the short timeout. */
const flushesMax = 100;
/** Time within which even a busy machine answers, in a test that waits for one time-out. */
const answeredWithinMs = 3_000;
/** Time in which any language has sent a whole request. */
const sentWithinMs = 4_000;

const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const longAgo = '2026-01-01T00:00:00Z';

for (const language of languages) {
  describe(`hooks in ${language.name}`, { concurrency: 6 }, () => {
    const shared = new AsyncDisposableStack();
    let service: Service;
    let command: Command;

    before(async () => {
      assertInstalled(...language.needs);
      service = await openService(shared);
      // Calls have the times of the hooks' clock.
      Object.defineProperty(service.clock, 'now', { get: () => Date.now() });
      await post(service, '/members/register', bodyOf(known));
      command = language.build(shared.use(temporaryFolder()).path);
    });
    after(() => shared.disposeAsync());

    async function open(
      stack: AsyncDisposableStack,
      limitMs = timeoutMs,
      settings: Readonly<Record<string, string>> = {},
    ): Promise<Opened> {
      const gate = await openGate(stack, service.port);
      const outbox = join(stack.use(temporaryFolder()).path, 'outbox');
      const environment = {
        // The values end with characters that an environment file may leave there.
        MARU_URL: `http://127.0.0.1:${gate.port}/ `,
        MARU_API_KEY: `${service.keys.books}\r`,
        MARU_PLATFORM: 'books',
        MARU_ORIGIN: 'https://books.example.com',
        MARU_OUTBOX: outbox,
        MARU_COOKIE_DOMAIN: 'maru.localhost',
        MARU_WEBHOOK_SECRET: secret,
        ...settings,
      };
      const hooks = await drive(stack, language, command, environment, limitMs);
      return { hooks, gate, outbox };
    }

    test('sign up, log an event once, sign on, verify, log out', async () => {
      await using stack = new AsyncDisposableStack();
      const { hooks } = await open(stack);
      const asha = personOf('asha');
      const [uid] = await hooks.call('register', ...asha);
      assert.equal(uid, await uidOf(service, asha[0]));
      assert.deepEqual(await hooks.call('register', ...asha), [uid, 'done', '-']);
      const purchase = ['event', uid ?? '', 'purchase', 'order-1'] as const;
      assert.deepEqual(await hooks.call(...purchase), ['order-1', 'done', '-']);
      assert.deepEqual(await hooks.call(...purchase), ['order-1', 'done', '-']);
      assert.equal(await eventsHeld(service, 'purchase'), 1);

      const cookies = await hooks.call('cookies', ...asha);
      assert.equal(cookies.length, 2);
      assert.match(cookies[0]!, /^svc_sso=svcs_\w+; .*Domain=maru\.localhost.*; HttpOnly; Secure/);
      const header = `own=1; ${cookies.map((each) => each.split(';')[0]).join('; ')}`;
      assert.deepEqual(await hooks.call('verify', header), ['yes', asha[1]]);
      assert.deepEqual(await hooks.call('verify', 'own=1'), ['no', 'session_ended']);
      const [revoked, ...cleared] = await hooks.call('logout', header, 'one');
      assert.equal(revoked, 'true');
      assert.ok(cleared.length >= 2 && cleared.every((each) => each.includes('Max-Age=0')));
      assert.deepEqual(await hooks.call('verify', header), ['no', 'session_ended']);
      assert.equal(await hooks.logged(0), '');
    });

    test('cookies of two members allow no sign-in, junk beside one does', async () => {
      await using stack = new AsyncDisposableStack();
      const { hooks } = await open(stack);
      const pairs: string[] = [];
      for (const person of [personOf('bora'), personOf('chan')]) {
        await hooks.call('register', ...person);
        const [pair] = await hooks.call('cookies', ...person);
        pairs.push(pair!.split(';')[0]!);
      }
      const both = pairs.join('; ');
      assert.deepEqual(await hooks.call('verify', both), ['no', 'session_ended']);
      const junk = `svc_sso=a; svc_sso=; xsvc_sso=${pairs[1]!.slice(8)}; ${pairs[0]}`;
      assert.deepEqual(await hooks.call('verify', junk), ['yes', 'u-bora']);
    });

    test('an address moves with its account, whose end is final', async () => {
      await using stack = new AsyncDisposableStack();
      const { hooks } = await open(stack);
      const [old, id] = personOf('hana');
      const [uid] = await hooks.call('register', old, id);
      const [cookie] = await hooks.call('cookies', old, id);
      assert.deepEqual(await hooks.call('register', `new-${old}`, id), [uid, 'done', '-']);
      assert.match(await hooks.logged(1), /link_moved/);
      assert.deepEqual(await hooks.call('verify', cookie!.split(';')[0]!), ['no', 'session_ended']);
      assertCleared(await hooks.call('cookies', old, id));
      const [stranger] = await hooks.call('register', old, `${id}-2`);
      assert.notEqual(stranger, uid);

      assert.deepEqual(await hooks.call('leave', id), ['done', '-']);
      assert.deepEqual(await hooks.call('leave', id), ['done', '-'], 'a repeat finds it done');
      assertCleared(await hooks.call('cookies', `new-${old}`, id));
      const [rejoined] = await hooks.call('register', `new-${old}`, `${id}-3`);
      assert.match(rejoined!, /^svc_/);
      assert.notEqual(rejoined, uid);
      assert.doesNotMatch(await hooks.logged(2), /mismatch/);
    });

    test('a second id of an address is warned about, until the first leaves', async () => {
      await using stack = new AsyncDisposableStack();
      const { hooks } = await open(stack);
      const [email, id] = personOf('ina');
      const [uid] = await hooks.call('register', email, id);
      const second = await hooks.call('register', email, `${id}-2`);
      assertRefused(second, 'local_user_id_mismatch');
      const log = await hooks.logged(1);
      assert.ok(log.includes(`user ${id}-2 not registered (local_user_id_mismatch)`), log);
      assert.ok(log.includes(`user with ${uid}.`), log);
      await hooks.call('leave', id);
      await hooks.call('register', email, `${id}-2`);
      const [cookie] = await hooks.call('cookies', email, `${id}-2`);
      assert.deepEqual(await hooks.call('verify', cookie!.split(';')[0]!), ['yes', `${id}-2`]);
    });

    test("a late registration of another user's address saves no svc_uid", async () => {
      await using stack = new AsyncDisposableStack();
      const { hooks, gate, outbox } = await open(stack);
      const [email, id] = personOf('kay');
      await hooks.call('register', email, id);
      gate.cut(badServers['failing']!);
      await hooks.call('register', email, `${id}-2`);
      await hooks.logged(1);
      gate.cut(null);
      assert.deepEqual(await flushAll(hooks), [`${id}-2!local_user_id_mismatch!${email}`]);
      assert.match(await hooks.logged(1), /user u-kay-2 not registered \(local_user_id_mismatch\)/);
      assert.deepEqual(callsIn(outbox), []);
    });

    test('a change that is refused later is reported before its file is removed', async () => {
      await using stack = new AsyncDisposableStack();
      const { hooks, gate, outbox } = await open(stack);
      const [[one, a], [two, b]] = ['mia', 'noa'].map(personOf) as [Person, Person];
      const ids = [a, `${a}-unsaved`];
      await hooks.call('register', two, b);
      for (const id of ids) {
        await hooks.call('register', `${id}@example.com`, id);
        const words = await hooks.call('register', two, id);
        assert.deepEqual(words, ['-', 'waiting', 'local_user_id_mismatch']);
      }
      gate.cut(badServers['failing']!);
      await hooks.call('register', 'mia@localhost', `${a}-2`);
      gate.cut(null);
      for (const name of callsIn(outbox)) {
        const old = `${Date.now() - 7_200_000}${name.slice(13)}`;
        renameSync(join(outbox, name), join(outbox, old));
      }
      const reported = [];
      // A refusal that cannot be reported is kept, and delays no other call.
      for (let times = 0; times < 2; times++)
        reported.push(...(await hooks.call('flush')).slice(2));
      assert.deepEqual(
        reported.sort(),
        [`${a}!local_user_id_mismatch!${two}`, `${a}-2!invalid_email!mia@localhost`].sort(),
      );
      assert.match(await hooks.logged(5), /u-mia-unsaved.*the refusal was not taken/);
      const kept = callsIn(outbox).map((name) => readFileSync(join(outbox, name), 'utf8'));
      assert.deepEqual(
        kept.map((text) => text.includes(`${a}-unsaved`)),
        [true],
      );
      assert.equal(await codeOf(service, { email: one }), 'member_not_found');
      for (const id of ids) {
        assert.equal(
          await uidOf(service, `${id}@example.com`),
          await uidOf(service, { local_user_id: id }),
        );
      }
    });

    test('a purchase and a refund around a change of address in an outage are not lost', async () => {
      await using stack = new AsyncDisposableStack();
      const { hooks, gate, outbox } = await open(stack);
      const [email, id] = personOf('ora');
      const [old] = await hooks.call('register', email, id);
      await post(
        service,
        '/members/register',
        { email, platform: 'cards', local_user_id: id },
        'cards',
      );
      await hooks.call('grant', old!, 'course');
      const codes = async () => {
        const { member } = (await post(service, '/members/lookup', { local_user_id: id })) as {
          readonly member: { readonly svc_uid: string; readonly entitlements: readonly string[] };
        };
        return [member.svc_uid === old, ...member.entitlements.toSorted()];
      };
      gate.cut(badServers['failing']!);
      await hooks.call('register', `new-${email}`, id);
      await hooks.call('grant', old!, 'archive');
      await hooks.call('revoke', old!, 'course');
      await hooks.call('event', old!, 'purchase', 'order-ora');
      gate.cut(null);
      await flushAll(hooks);
      assert.deepEqual(await codes(), [false, 'archive']);

      // Bought before a change that overtakes the grant.
      gate.cut(badServers['failing']!);
      await hooks.call('grant', old!, 'news');
      gate.cut(null);
      await hooks.call('register', `newest-${email}`, id);
      await flushAll(hooks);
      assert.deepEqual(await codes(), [false, 'archive', 'news']);
      assert.equal(existsSync(join(outbox, 'refused')), false);
      const [other] = await hooks.call('register', email, `${id}-2`);
      assert.deepEqual((await entitlementsOf(service, other!)).entitlements, []);
    });

    test('a grant by a uid that two users have had reaches the one it names', async () => {
      await using stack = new AsyncDisposableStack();
      const { hooks, outbox } = await open(stack);
      const [email, id] = personOf('una');
      const owner = { platform: 'cards', local_user_id: id };
      await post(service, '/members/register', { ...owner, email }, 'cards');
      const [uid] = await hooks.call('register', email, id, 'false');
      // The owner of the address moves on; the unverified user keeps the uid in the platform's table.
      await post(service, '/members/register', { ...owner, email: `new-${email}` }, 'cards');
      const [same] = await hooks.call('register', `new-${email}`, `${id}-2`);
      assert.equal(same, uid);
      const unnamed = await hooks.call('grant', uid!, 'archive');
      assert.deepEqual(unnamed, ['refused', 'ambiguous_svc_uid']);
      assert.match(await hooks.logged(1), /not granted.*kept in refused.*ambiguous_svc_uid/);
      assert.equal(readdirSync(join(outbox, 'refused')).length, 1);
      assert.deepEqual(await hooks.call('grant_to', uid!, 'archive', id), ['done', '-']);
      assert.deepEqual(await hooks.call('grant_to', uid!, 'course', `${id}-2`), ['done', '-']);
      assert.deepEqual(await hooks.call('revoke_from', uid!, 'course', id), ['done', '-']);
      const codesOf = async (localUserId: string) => {
        const own = await uidOf(service, { local_user_id: localUserId });
        return (await entitlementsOf(service, own)).entitlements.map(({ code }) => code);
      };
      assert.deepEqual(await codesOf(id), ['archive']);
      assert.deepEqual(await codesOf(`${id}-2`), ['course']);
    });

    test('a process killed within a callback calls it again with the address', async () => {
      await using stack = new AsyncDisposableStack();
      const { hooks, gate, outbox } = await open(stack);
      const [email, id] = personOf('vera');
      const [taken, other] = personOf('wim');
      await hooks.call('register', taken, other);
      gate.cut(badServers['failing']!);
      await hooks.call('register', email, id);
      await hooks.call('register', taken, `${id}-2`);
      gate.cut(null);
      const settings = { DIE: '1', MARU_OUTBOX: outbox };
      for (let times = 0; times < 2; times++) {
        const { hooks: killed } = await open(stack, timeoutMs, settings);
        await assert.rejects(killed.call('flush'), /The hooks ended at flush/);
        // A shell prints late uids, and has no callback for them.
        const least = language.name === 'sh' ? 1 : 2;
        assert.ok(callsIn(outbox).length >= least, 'nothing is removed before it is taken');
      }
      const late = await flushAll(hooks);
      const refusal = `${id}-2!local_user_id_mismatch!${taken}`;
      const saved = `${id}=${await uidOf(service, email)}=${email}`;
      assert.ok(late.includes(refusal), late.join());
      assert.ok(late.includes(saved) || language.name === 'sh', late.join());
      assert.deepEqual(callsIn(outbox), []);
    });

    test('a refusal names its address, which the user may no longer have', async () => {
      await using stack = new AsyncDisposableStack();
      const { hooks, gate } = await open(stack);
      const [email, id] = personOf('xena');
      const [taken, other] = personOf('yuri');
      await hooks.call('register', taken, other);
      await hooks.call('register', email, id);
      for (const [refused, code] of [
        [taken, 'local_user_id_mismatch'],
        [`${id}@localhost`, 'invalid_email'],
      ] as const) {
        gate.cut(badServers['failing']!);
        await hooks.call('register', refused, id);
        gate.cut(null);
        // A process on another machine, with an outbox of its own, registers the next address.
        const { hooks: elsewhere } = await open(stack);
        const next = `${code}-${email}`;
        const [uid] = await elsewhere.call('register', next, id);
        assert.deepEqual(await flushAll(hooks), [`${id}!${code}!${refused}`]);
        assert.equal(await uidOf(service, next), uid, 'the later registration counts');
        assert.equal(await uidOf(service, { local_user_id: id }), uid);
      }
    });

    test('the owner of an address that another user registered gets it when that user leaves', async () => {
      await using stack = new AsyncDisposableStack();
      const { hooks } = await open(stack);
      const [email, id] = personOf('zoe');
      const [typed] = await hooks.call('register', email, id, 'false');
      // Nothing is reserved elsewhere: the owner is the verified user of the same member.
      const elsewhere = { email, platform: 'cards', local_user_id: id };
      const owned = await post(service, '/members/register', elsewhere, 'cards');
      assert.equal((owned as { readonly svc_uid: string }).svc_uid, typed);
      const owner = [email, `${id}-2`, 'true'] as const;
      assertRefused(await hooks.call('register', ...owner), 'local_user_id_mismatch');
      await hooks.call('leave', id);
      assert.deepEqual(await hooks.call('register', ...owner), [typed, 'done', '-']);
      const [cookie] = await hooks.call('cookies', email, `${id}-2`);
      assert.deepEqual(await hooks.call('verify', cookie!.split(';')[0]!), ['yes', `${id}-2`]);
    });

    test('a late uid comes with its address, unless a later address counts', async () => {
      await using stack = new AsyncDisposableStack();
      const { hooks, gate } = await open(stack);
      const { hooks: elsewhere, gate: otherGate } = await open(stack);
      const [email, id] = personOf('zoe');
      const [first, second, third] = ['one', 'two', 'three'].map((each) => `${each}-${email}`);
      await hooks.call('register', email, id);
      gate.cut(badServers['failing']!);
      await hooks.call('register', first!, id);
      const [uid] = await elsewhere.call('register', second!, id);
      gate.cut(null);
      assert.deepEqual(await flushAll(hooks), [`${id}=${uid}`], 'overtaken by the other server');

      // Two servers have a change each, and the later one is refused.
      gate.cut(badServers['failing']!);
      otherGate.cut(badServers['failing']!);
      await hooks.call('register', third!, id);
      await elsewhere.call('register', 'zoe@localhost', id);
      gate.cut(null);
      otherGate.cut(null);
      assert.deepEqual(await flushAll(hooks), [`${id}=${uid}=${third}`]);
      assert.deepEqual(await flushAll(elsewhere), [`${id}!invalid_email!zoe@localhost`]);

      const [other, otherId] = personOf('zach');
      const settled = ['settle', other, otherId] as const;
      assert.deepEqual(await hooks.call(...settled, new Date().toISOString()), [other]);
      if (language.name === 'sh') return;
      await hooks.call('register', `new-${other}`, otherId);
      assert.deepEqual(await hooks.call(...settled, longAgo), ['-']);
    });

    test('a registration that a later one overtook is named in the log', async () => {
      await using stack = new AsyncDisposableStack();
      const { hooks, gate, outbox } = await open(stack);
      const [old, id] = personOf('lena');
      const [uid] = await hooks.call('register', old, id);
      gate.cut(badServers['failing']!);
      await hooks.call('register', `late-${old}`, id);
      await hooks.logged(1);
      gate.cut(null);
      // Another process, without the outbox, registers the present address.
      await post(service, '/members/register', bodyOf([`new-${old}`, id]));
      assert.deepEqual(await flushAll(hooks), [`${id}=${uid}`]);
      assert.match(await hooks.logged(1), /user u-lena registered.*registration_outdated/);
      assert.deepEqual(callsIn(outbox), []);
    });

    test('a user without an id is refused, with a line in the log', async () => {
      await using stack = new AsyncDisposableStack();
      const { hooks, outbox } = await open(stack);
      const refused = await hooks.call('register', 'without-id@example.com', '');
      assertRefused(refused, 'local_user_id_missing');
      assert.match(await hooks.logged(1), /not registered.*the user has no id/);
      assert.equal(existsSync(outbox), false);
    });

    test('an event has the time given with it, which needs a zone', async () => {
      await using stack = new AsyncDisposableStack();
      const { hooks, gate, outbox } = await open(stack);
      const uid = await uidOf(service, known[0]);
      gate.cut(badServers['failing']!);
      const purchase = ['event', uid, 'purchase'] as const;
      await hooks.call(...purchase, 'order-late', '2026-11-20T09:00:00+09:00');
      await hooks.logged(1);
      const [file] = callsIn(outbox);
      const { body } = JSON.parse(readFileSync(join(outbox, file!), 'utf8'));
      assert.equal(Date.parse(body.occurred_at), Date.parse('2026-11-20T00:00:00Z'));
      assert.equal(body.meta.amount, 1);
      const vague = await hooks.call(...purchase, 'order-vague', '2026-11-20 09:00:00');
      assertRefused(vague, 'occurred_at');
      const log = await hooks.logged(1);
      assert.match(
        log,
        /event not logged, no time with a zone.*: event order-vague, kept in refused/,
      );
      const granted = ['Go', 'Java'].includes(language.name)
        ? await hooks.call('grant', uid, 'No code')
        : await hooks.call('grant', uid, 'archive', '2026-11-20 09:00:00');
      assert.match(granted.join(), /^refused,(invalid_period|unknown_entitlement)$/);
      assert.match(await hooks.logged(1), /entitlement not granted, .*kept in refused/);
      const refused = readdirSync(join(outbox, 'refused'));
      const bodies = refused.map((name) => readFileSync(join(outbox, 'refused', name), 'utf8'));
      assert.equal(bodies.length, 2);
      assert.ok(bodies.some((text) => text.includes('order-vague')));
      assert.equal(callsIn(outbox).length, 1);
    });

    test('the draft of a killed process is removed, a young one kept', async () => {
      await using stack = new AsyncDisposableStack();
      const { hooks, outbox } = await open(stack);
      mkdirSync(outbox);
      const [old, young] = [draftOf(Date.now() - 3_700_000), draftOf(Date.now())];
      for (const name of [old, young]) writeFileSync(join(outbox, name), '{');
      await hooks.call('flush');
      assert.deepEqual(callsIn(outbox), [young]);
    });

    test('of two queued registrations of a user the last is delivered', async () => {
      await using stack = new AsyncDisposableStack();
      const { hooks, gate, outbox } = await open(stack);
      const [old, id] = personOf('jun');
      gate.cut(badServers['failing']!);
      await hooks.call('register', old, id);
      await hooks.call('register', `new-${old}`, id);
      assert.equal(callsIn(outbox).length, 1);
      gate.cut(null);
      const late = await flushAll(hooks);
      assert.deepEqual(late, [`${id}=${await uidOf(service, `new-${old}`)}=new-${old}`]);
      assert.equal(await codeOf(service, { email: old }), 'member_not_found');
    });

    test('an account that closes and opens anew during a failure is registered', async () => {
      await using stack = new AsyncDisposableStack();
      const { hooks, gate } = await open(stack);
      const [email, id] = personOf('mina');
      const [uid] = await hooks.call('register', email, id);
      gate.cut(badServers['failing']!);
      await hooks.call('leave', id);
      await hooks.call('register', email, `${id}-2`);
      gate.cut(null);
      const late = await flushAll(hooks);
      assert.deepEqual(late, [`${id}-2=${await uidOf(service, email)}=${email}`]);
      assert.notEqual(late[0], `${id}-2=${uid}=${email}`);
    });

    test('a user whose change or end waits is signed in by no session', async () => {
      await using stack = new AsyncDisposableStack();
      const { hooks, gate } = await open(stack);
      const [old, id] = personOf('rena');
      await hooks.call('register', old, id);
      const none = ['no', 'no_membership'];
      for (const [name, address, ...args] of [
        ['register', old, `new-${old}`, id],
        ['leave', `new-${old}`, id],
      ] as const) {
        const pair = (await hooks.call('cookies', address, id))[0]!.split(';')[0]!;
        gate.cut(badServers['failing']!);
        await hooks.call(name, ...args);
        gate.cut(null);
        // The next owner of the address has a session of the same member.
        assert.deepEqual(await hooks.call('verify', pair), none, name);
        await flushAll(hooks);
        assert.deepEqual(await hooks.call('verify', pair), ['no', 'session_ended']);
      }
    });

    test('no session is valid while its end waits, and flush ends it', async () => {
      await using stack = new AsyncDisposableStack();
      const { hooks, gate, outbox } = await open(stack);
      const person = personOf('sol');
      const [uid] = await hooks.call('register', ...person);
      const pair = (await hooks.call('cookies', ...person))[0]!.split(';')[0]!;
      gate.cut(badServers['failing']!);
      for (let times = 0; times < 2; times++) {
        assert.deepEqual(await hooks.call('everywhere', uid!), ['false']);
      }
      assert.match(await hooks.logged(2), /shared sessions not ended: sessions of svc_/);
      assert.equal(callsIn(outbox).length, 1);
      gate.cut(null);
      assert.deepEqual(await hooks.call('verify', pair), ['no', 'session_ended']);
      assert.deepEqual((await hooks.call('flush')).slice(0, 2), ['1', '0']);
      assert.deepEqual(await hooks.call('verify', pair), ['no', 'session_ended']);
      assert.match((await hooks.call('cookies', ...person))[0]!, /^svc_sso=svcs_/);
    });

    test('a purchase without a svc_uid is warned about, not queued', async () => {
      await using stack = new AsyncDisposableStack();
      const { hooks, outbox } = await open(stack);
      const early = await hooks.call('event', '', 'purchase', 'order-early');
      assert.deepEqual(early, ['-', 'lost', 'no_svc_uid']);
      assert.match(
        await hooks.logged(1),
        /not logged: event order-early \(the user has no svc_uid/,
      );
      await hooks.call('grant', '', 'archive');
      assert.match(await hooks.logged(1), /not granted: entitlement archive \(the user has no svc/);
      assert.equal(existsSync(outbox), false);
    });

    test('a call that the hook refuses never appears where flush would send it', async () => {
      await using stack = new AsyncDisposableStack();
      const { hooks, gate, outbox } = await open(stack);
      const uid = await uidOf(service, known[0]);
      gate.cut(badServers['failing']!);
      const purchase = ['event', uid, 'purchase', 'order-once'] as const;
      await hooks.call(...purchase, '2026-11-20T09:00:00+09:00');
      const waiting = callsIn(outbox);
      using names = namesIn(outbox);
      assertRefused(await hooks.call(...purchase, '2026-11-20 09:00:00'), 'occurred_at');
      await hooks.call('grant', uid, 'No code');
      const drafts = (await names.seen()).filter((name) => !notCalls.includes(name));
      assert.deepEqual(
        drafts.filter((name) => !name.startsWith('.')),
        [],
      );
      assert.deepEqual(callsIn(outbox), waiting, 'the order that waits stays');
      assert.equal(readdirSync(join(outbox, 'refused')).length, 2);
    });

    test('an outbox that cannot be written is in the log, and the call is sent', async () => {
      await using stack = new AsyncDisposableStack();
      const file = join(stack.use(temporaryFolder()).path, 'file');
      writeFileSync(file, '');
      const { hooks } = await open(stack, timeoutMs, { MARU_OUTBOX: join(file, 'outbox') });
      const [, outcome] = await hooks.call('register', ...personOf('noor'));
      assert.equal(outcome, 'done');
      assert.match(await hooks.logged(1), /^members: the outbox failed/);
    });

    test('an entitlement is granted and revoked, a repeat changes nothing', async () => {
      await using stack = new AsyncDisposableStack();
      const { hooks, outbox } = await open(stack);
      const grace = personOf('grace');
      const [uid] = await hooks.call('register', ...grace);
      const grant = ['grant', uid!, 'archive', '2099-01-01T00:00:00+09:00'] as const;
      for (let times = 0; times < 2; times++) assert.deepEqual(await hooks.call(...grant), done);
      const { entitlements, history } = await entitlementsOf(service, uid!);
      assert.deepEqual(
        entitlements.map(({ code, until }) => [code, until]),
        [['archive', '2098-12-31T15:00:00.000Z']],
      );
      assert.equal(history.length, 1);
      const [cookie] = await hooks.call('cookies', ...grace);
      // A shell prints only the user.
      const codes = language.name === 'sh' ? [] : ['archive'];
      const verdict = await hooks.call('verify', cookie!.split(';')[0]!);
      assert.deepEqual(verdict, ['yes', grace[1], ...codes]);
      for (let times = 0; times < 2; times++) {
        assert.deepEqual(await hooks.call('revoke', uid!, 'archive'), done);
      }
      assert.deepEqual((await entitlementsOf(service, uid!)).entitlements, []);
      assert.deepEqual(callsIn(outbox), []);
      assert.equal(await hooks.logged(0), '');

      assert.deepEqual(await hooks.call('grant', '', 'archive'), ['lost', 'no_svc_uid']);
      const refused = ['refused', 'unknown_entitlement'];
      assert.deepEqual(await hooks.call('grant', uid!, '../No code'), refused);
      const stranger = `svc_${'a'.repeat(26)}`;
      assert.deepEqual(await hooks.call('grant', stranger, 'archive'), [
        'refused',
        'member_not_found',
      ]);
      assert.equal(readdirSync(join(outbox, 'refused')).length, 2);
      const log = await hooks.logged(3);
      assert.match(log, /entitlement not granted: entitlement archive, kept in refused/);
    });

    test('grants and revocations that wait are sent in their order', async () => {
      await using stack = new AsyncDisposableStack();
      const { hooks, gate, outbox } = await open(stack);
      const [uid] = await hooks.call('register', ...personOf('hope'));
      gate.cut(badServers['failing']!);
      const [now, later] = ['2098-01-01T00:00:00Z', '2099-01-01T00:00:00Z'];
      for (const call of [
        ['grant', uid!, 'archive', now],
        ['grant', uid!, 'archive', later, now],
        ['grant', uid!, 'news'],
      ]) {
        assert.deepEqual((await hooks.call(...(call as [string]))).slice(0, 1), ['waiting']);
      }
      gate.cut(null);
      // It does not overtake the grant that waits.
      const revoked = await hooks.call('revoke', uid!, 'news');
      assert.deepEqual(revoked.slice(0, 1), ['waiting']);
      assert.equal(callsIn(outbox).length, 4);
      assert.deepEqual(await flushAll(hooks), []);
      assert.deepEqual(callsIn(outbox), []);
      const { entitlements, history } = await entitlementsOf(service, uid!);
      assert.deepEqual(
        entitlements.map(({ code }) => code),
        ['archive'],
      );
      assert.deepEqual(history.map(({ code }) => code).sort(), ['archive', 'archive', 'news']);
    });

    test('a signed webhook is accepted, and any change of it refused', async () => {
      await using stack = new AsyncDisposableStack();
      const { hooks } = await open(stack);
      const body = '{"type":"member.created","data":{"svc_uid":"svc_a","name":"가"}}';
      const nowS = Math.floor(Date.now() / 1_000);
      const signed = (atS: number, key = secret): string[] =>
        Object.values(signedHeaders(key, 'msg_1', atS, body));
      // The values of the three headers, in this order.
      const [id, at, signature] = signed(nowS) as [string, string, string];
      const other = `whsec_${Buffer.alloc(24, 8).toString('base64')}`;
      const cases: readonly (readonly [boolean, ...string[]])[] = [
        [true, id, at, signature, body],
        [true, id, at, `v1,AAAA v1a,x ${signature}`, body],
        [false, id, at, `${'v1,AAAA '.repeat(8)}${signature}`, body],
        [false, id, at, signature, body.replace('svc_a', 'svc_b')],
        [false, 'msg_2', at, signature, body],
        [false, id, String(nowS - 1), signature, body],
        [false, id, at, signature.slice(3), body],
        [false, id, at, '', body],
        [false, id, 'now', signature, body],
        [false, ...signed(nowS - 302), body],
        [false, ...signed(nowS + 360), body],
        [false, ...signed(nowS, other), body],
      ];
      for (const [expected, ...args] of cases) {
        const words = await hooks.call('webhook', ...args);
        assert.deepEqual(words, [String(expected)], args.join(' '));
      }
      assert.equal(await hooks.logged(0), '');
    });

    test('the nightly run registers the missing users alone, with their time', async () => {
      await using stack = new AsyncDisposableStack();
      const { hooks } = await open(stack);
      const [known, unknown] = [personOf('dana'), personOf('eun')];
      await hooks.call('register', ...known);
      const users = [
        [` ${known[0].toUpperCase()} `, known[1], longAgo],
        [...unknown, longAgo],
        ['no address', 'u-3', longAgo],
        ['sqlite@example.com', 'u-4', '2026-01-01 00:00:00'],
        ['iso@example.com', 'u-5', '2026-01-01T00:00:00.000'],
        ['null@example.com', 'u-6', ''],
        ['', 'u-7', longAgo],
      ];
      const [counts, ...late] = await hooks.call('reconcile', ...users.flat());
      // The shell counts only the last of checked, missing and registered.
      assert.match(counts!, /^(3\/2\/1\/4|1)$/);
      assert.deepEqual(late, [`${unknown[1]}=${await uidOf(service, unknown[0])}=${unknown[0]}`]);
      const log = await hooks.logged(2);
      assert.match(log, /invalid_email/);
      assert.match(log, /skipped by reconcile: 4, the first \(user u-4: no time with a zone/);
      assert.doesNotMatch(log, secretText);
    });

    // Go and Java have a type for times.
    if (!['Go', 'Java'].includes(language.name)) {
      test('the nightly run reads numbers as seconds or ms since 1970', async () => {
        await using stack = new AsyncDisposableStack();
        const { hooks } = await open(stack);
        const people = ['jo', 'ko', 'mo', 'no'].map(personOf);
        for (const person of people) await hooks.call('register', ...person);
        for (const [, id] of people) await hooks.call('leave', id);
        // A user who left after the given time stays away.
        const nowS = Math.floor(Date.now() / 1_000) + 1;
        const yesterdayS = nowS - 86_400;
        const times = [nowS, nowS * 1_000, yesterdayS, yesterdayS * 1_000 + 1];
        const users = people.flatMap((person, index) => [...person, String(times[index])]);
        const [counts, ...late] = await hooks.call('reconcile', ...users);
        assert.match(counts!, /^(4\/4\/2\/0|2)$/);
        assert.match(late.join(' '), /^u-jo=svc_\w+=jo@\S+ u-ko=svc_\w+=ko@\S+$/);
        const log = await hooks.logged(2);
        assert.match(log, /u-mo \(member_erased\)[^]*u-no \(member_erased\)/);
      });
    }

    test("the nightly run saves no svc_uid of another user's address", async () => {
      await using stack = new AsyncDisposableStack();
      const { hooks } = await open(stack);
      // The service writes this domain in ASCII, the hooks hash it as it is: it counts as missing.
      const email = 'gio@한글.com';
      await hooks.call('register', email, 'u-gio');
      const [counts, ...late] = await hooks.call('reconcile', email, 'u-gio-2', longAgo);
      assert.deepEqual(late, []);
      assert.match(counts!, /^(1\/1\/)?0/);
      assert.match(await hooks.logged(1), /user u-gio-2 not registered \(local_user_id_mismatch\)/);
    });

    describe('queued calls', () => {
      test('users who exchange addresses during a failure each have their own', async () => {
        await using stack = new AsyncDisposableStack();
        const { hooks, gate, outbox } = await open(stack);
        const [[kim, a], [lee, b], [new1, c], [new2, d]] = ['kim', 'lee', 'moe', 'noa'].map(
          personOf,
        ) as [Person, Person, Person, Person];
        for (const person of [
          [kim, a],
          [lee, b],
          [new1, c],
        ] as const)
          await hooks.call('register', ...person);
        gate.cut(badServers['failing']!);
        // A circle, and a chain that begins with its last user.
        for (const person of [
          [lee, a],
          [kim, b],
          [new1, d],
          [new2, c],
        ] as const)
          await hooks.call('register', ...person);
        gate.cut(null);
        await flushAll(hooks);
        assert.deepEqual(callsIn(outbox), []);
        const expected = { [kim]: b, [lee]: a, [new1]: d, [new2]: c };
        for (const [email, id] of Object.entries(expected)) {
          assert.equal(await uidOf(service, email), await uidOf(service, { local_user_id: id }));
        }
      });

      test('the nightly run settles an exchange whose calls were lost', async () => {
        await using stack = new AsyncDisposableStack();
        const { hooks } = await open(stack);
        const [one, two, three] = ['oh', 'paik', 'ryu'].map(personOf) as [Person, Person, Person];
        for (const person of [one, two, three]) await hooks.call('register', ...person);
        const now = new Date().toISOString();
        const users = [
          [one[0], two[1], now],
          [two[0], three[1], now],
          [three[0], one[1], now],
        ];
        const [counts, ...late] = await hooks.call('reconcile', ...users.flat());
        assert.match(counts!, /^(3\/3\/3\/0|3)$/);
        assert.equal(late.length, 3);
        for (const [email, id] of users) {
          assert.equal(await uidOf(service, email!), await uidOf(service, { local_user_id: id }));
        }
        const again = await hooks.call('reconcile', ...users.flat());
        assert.match(again.join(), /^(3\/0\/0\/0|0)$/);
      });

      test('a sign-up with an address that is about to become free waits for it', async () => {
        await using stack = new AsyncDisposableStack();
        const { hooks, gate } = await open(stack);
        const [email, id] = personOf('sun');
        await hooks.call('register', email, id);
        gate.cut(badServers['failing']!);
        await hooks.call('register', `new-${email}`, id);
        gate.cut(null);
        const words = await hooks.call('register', email, `${id}-2`);
        assert.deepEqual(words, ['-', 'waiting', 'local_user_id_mismatch']);
        const late = await flushAll(hooks);
        assert.ok(late.includes(`${id}-2=${await uidOf(service, email)}=${email}`), late.join());
      });

      test('users who exchange addresses while the service is up each have their own', async () => {
        await using stack = new AsyncDisposableStack();
        const { hooks, outbox } = await open(stack);
        const [[one, a], [two, b]] = ['ahn', 'bae'].map(personOf) as [Person, Person];
        for (const person of [
          [one, a],
          [two, b],
        ] as const)
          await hooks.call('register', ...person);
        const waiting = ['-', 'waiting', 'local_user_id_mismatch'];
        assert.deepEqual(await hooks.call('register', two, a), waiting);
        // The other user may change the address minutes later.
        assert.deepEqual(await hooks.call('flush'), ['0', '1']);
        assert.deepEqual(await hooks.call('register', one, b), waiting);
        await flushAll(hooks);
        assert.deepEqual(callsIn(outbox), []);
        for (const [email, id] of [
          [two, a],
          [one, b],
        ] as const) {
          assert.equal(await uidOf(service, email), await uidOf(service, { local_user_id: id }));
        }
      });

      test('a change that waits for another user’s address is given up after an hour', async () => {
        await using stack = new AsyncDisposableStack();
        const { hooks, outbox } = await open(stack);
        const [[one, a], [two, b]] = ['choo', 'doh'].map(personOf) as [Person, Person];
        await hooks.call('register', one, a);
        await hooks.call('register', two, b);
        await hooks.call('register', two, a);
        const [name] = callsIn(outbox);
        const old = `${Date.now() - 3_700_000}${name!.slice(13)}`;
        renameSync(join(outbox, name!), join(outbox, old));
        await hooks.call('flush');
        assert.deepEqual(callsIn(outbox), []);
        assert.match(
          await hooks.logged(2),
          /user u-choo not registered \(local_user_id_mismatch\)/,
        );
      });

      test('a change that a frozen service makes late yields to the one after it', async () => {
        await using stack = new AsyncDisposableStack();
        const { hooks, gate } = await open(stack, sentWithinMs);
        const [email, id] = personOf('eom');
        const receivedParts: Buffer[] = [];
        gate.cut((socket) => socket.on('data', (part) => receivedParts.push(part)));
        await hooks.call('register', email, id);
        await hooks.call('register', `new-${email}`, id);
        gate.cut(null);
        // The service goes on, and reads what was sent to it before.
        const frozen = connect(service.port, '127.0.0.1');
        frozen.write(Buffer.concat(receivedParts));
        await once(frozen, 'data');
        frozen.destroy();
        assert.match(await uidOf(service, email), /^svc_/);
        const [late] = await flushAll(hooks);
        assert.equal(late, `${id}=${await uidOf(service, `new-${email}`)}=new-${email}`);
        assert.equal(await codeOf(service, { email }), 'member_not_found');
      });

      test('a sign-up after a leave that a frozen service makes late is registered', async () => {
        await using stack = new AsyncDisposableStack();
        const { hooks, gate } = await open(stack, sentWithinMs);
        const [email, id] = personOf('gil');
        await post(service, '/members/register', bodyOf([email, id]));
        const receivedParts: Buffer[] = [];
        gate.cut((socket) => socket.on('data', (part) => receivedParts.push(part)));
        await hooks.call('leave', id);
        await hooks.call('register', email, `${id}-2`);
        gate.cut(null);
        const frozen = connect(service.port, '127.0.0.1');
        frozen.write(Buffer.concat(receivedParts));
        await once(frozen, 'data');
        frozen.destroy();
        const late = await flushAll(hooks);
        assert.deepEqual(late, [`${id}-2=${await uidOf(service, email)}=${email}`]);
      });

      test('a refused new address frees the old one for its next owner', async () => {
        await using stack = new AsyncDisposableStack();
        const { hooks } = await open(stack);
        const [email, id] = personOf('tae');
        const [uid] = await hooks.call('register', email, id);
        assertRefused(await hooks.call('register', 'tae@localhost', id), 'invalid_email');
        const [next, outcome] = await hooks.call('register', email, `${id}-2`);
        assert.equal(outcome, 'done');
        assert.notEqual(next, uid);
      });

      test('calls that cannot go do not keep others back', async () => {
        await using stack = new AsyncDisposableStack();
        const scopes = ['members:register', 'events:write'] as const;
        const key = await issueKey(service.context, { platform: 'books', scopes }, operator);
        const { hooks, gate, outbox } = await open(stack, timeoutMs, { MARU_API_KEY: key.secret });
        gate.cut(badServers['failing']!);
        const stuck = ['ulsan', 'ven', 'wan', 'xi'].map(personOf);
        for (const [, id] of stuck) await hooks.call('leave', id);
        // A shell script reads what the flush prints: nothing there can fail to save.
        const unsaved = language.name === 'sh' ? [] : stuck;
        for (const [email, id] of unsaved) {
          await hooks.call('register', `u-${email}`, `${id}-unsaved`);
        }
        const [email, id] = personOf('yeon');
        await hooks.call('register', email, id);
        gate.cut(null);
        const [, , ...late] = await hooks.call('flush');
        assert.deepEqual(late, [`${id}=${await uidOf(service, email)}=${email}`]);
        assert.equal(callsIn(outbox).length, stuck.length + unsaved.length);
      });

      test('an id that is given to another user first leaves the former one', async () => {
        await using stack = new AsyncDisposableStack();
        const { hooks, gate, outbox } = await open(stack);
        const [email, id] = personOf('zion');
        const [uid] = await hooks.call('register', email, id);
        gate.cut(badServers['failing']!);
        await hooks.call('leave', id);
        gate.cut(null);
        const words = await hooks.call('register', `next-${email}`, id);
        assert.deepEqual(words.slice(0, 2), ['-', 'waiting']);
        assert.equal(callsIn(outbox).length, 2);
        const [late] = await flushAll(hooks);
        assert.equal(late, `${id}=${await uidOf(service, `next-${email}`)}=next-${email}`);
        assert.notEqual(late, `${id}=${uid}=next-${email}`);
        assert.equal(await codeOf(service, { email }), 'member_not_found');
      });

      test('a refused event is kept in a folder of its own, at once and from the outbox', async () => {
        await using stack = new AsyncDisposableStack();
        const { hooks, gate, outbox } = await open(stack);
        const purchase = ['event', await uidOf(service, known[0]), 'purchase'] as const;
        const refused = await hooks.call(...purchase, 'card-4111-1111-1111-1111');
        assertRefused(refused, 'forbidden_content');
        gate.cut(badServers['failing']!);
        await hooks.call(...purchase, 'rrn-900101-1234568');
        gate.cut(null);
        await flushAll(hooks);
        const kept = readdirSync(join(outbox, 'refused'));
        assert.equal(kept.length, 2);
        const log = await hooks.logged(3);
        for (const name of kept) assert.ok(log.includes(`kept in refused/${name}`), log);
      });

      test('an event that is refused again replaces its file', async () => {
        await using stack = new AsyncDisposableStack();
        const { hooks, outbox } = await open(stack);
        const card = '4111-1111-1111-1111';
        const purchase = ['event', await uidOf(service, known[0]), 'purchase', card] as const;
        for (let times = 0; times < 3; times++) {
          assertRefused(await hooks.call(...purchase), 'forbidden_content');
        }
        assert.equal(readdirSync(join(outbox, 'refused')).length, 1);
      });

      test('an outbox that is not set or cannot be read is a line in the log', async () => {
        await using stack = new AsyncDisposableStack();
        const file = join(stack.use(temporaryFolder()).path, 'file');
        writeFileSync(file, '');
        for (const [place, fault] of [
          ['', 'is not set'],
          [file, 'cannot be read'],
        ] as const) {
          const { hooks } = await open(stack, timeoutMs, { MARU_OUTBOX: place });
          await hooks.call('flush');
          await hooks.call('reconcile', ...known, longAgo);
          const line = `MARU_OUTBOX ${fault}: run this as the web server's user, with its variables`;
          const log = await hooks.logged(2);
          assert.deepEqual(log.match(/MARU_OUTBOX.*/g), [line, line], log);
        }
      });

      test('an unreadable file is set aside with a line in the log', async () => {
        await using stack = new AsyncDisposableStack();
        const { hooks, outbox } = await open(stack);
        mkdirSync(outbox);
        const [torn, other] = [draftOf(Date.now()), draftOf(Date.now() + 1)];
        writeFileSync(join(outbox, torn.slice(1)), '{"path":"/members/leave","bo');
        writeFileSync(join(outbox, other.slice(1)), '[]');
        const [delivered, pending] = await hooks.call('flush');
        assert.deepEqual([delivered, pending], [language.name === 'sh' ? '2' : '0', '0']);
        assert.equal(readdirSync(join(outbox, 'unreadable')).length, 2);
        const log = await hooks.logged(2);
        assert.match(log, /an unreadable file of the outbox is kept in unreadable\/\d{13}-/);
      });

      test('an unconfirmed address signs in nowhere until it is confirmed', async () => {
        await using stack = new AsyncDisposableStack();
        const { hooks } = await open(stack);
        const person = personOf('victim');
        const sibling = { email: person[0], platform: 'cards', local_user_id: 't-1' };
        const headers = { 'content-type': 'application/json', 'x-api-key': service.keys.cards };
        const sent = { method: 'POST', headers, body: JSON.stringify(sibling) };
        assert.equal((await fetch(`${service.address}/members/register`, sent)).status, 201);
        await hooks.call('register', ...person, 'false');
        assertCleared(await hooks.call('cookies', ...person));
        await hooks.call('register', ...person, 'true');
        const [cookie] = await hooks.call('cookies', ...person);
        assert.match(cookie!, /^svc_sso=svcs_/);
      });

      test('sessions of every device end by svc_uid, and a logout without one is done', async () => {
        await using stack = new AsyncDisposableStack();
        const { hooks, gate, outbox } = await open(stack);
        const person = personOf('away');
        const [uid] = await hooks.call('register', ...person);
        const [cookie] = await hooks.call('cookies', ...person);
        assert.deepEqual(await hooks.call('everywhere', uid!), ['true']);
        await hooks.call('leave', person[1]);
        for (const none of ['', uid!, `svc_${'a'.repeat(26)}`]) {
          assert.deepEqual(await hooks.call('everywhere', none), ['true'], none);
        }
        assert.deepEqual(await hooks.call('verify', cookie!.split(';')[0]!), [
          'no',
          'session_ended',
        ]);
        gate.cut(badServers['failing']!);
        assert.deepEqual(await hooks.call('everywhere', uid!), ['false']);
        const [revoked, ...cleared] = await hooks.call('logout', 'own=1', 'one');
        assert.equal(revoked, 'false');
        assertCleared(cleared);
        gate.cut(null);
        assert.deepEqual(await flushAll(hooks), []);
        assert.deepEqual(callsIn(outbox), []);
      });

      test('after a time-out visitors wait no more, while the outbox is sent', async () => {
        await using stack = new AsyncDisposableStack();
        const { hooks, gate } = await open(stack, answeredWithinMs);
        const token = `svc_sso=svcs_${'a'.repeat(52)}`;
        const person = personOf('hasty');
        gate.cut(badServers['hung']!);
        assert.deepEqual(await hooks.call('verify', token), ['-']);
        assert.deepEqual(await hooks.call('verify', token), ['-']);
        await hooks.call('register', ...person);
        const log = await hooks.logged(3);
        assert.equal(log.match(/no call for some seconds after a time-out/g)?.length, 2, log);
        gate.cut(null);
        assert.deepEqual(await flushAll(hooks), [
          `${person[1]}=${await uidOf(service, person[0])}=${person[0]}`,
        ]);
        assert.deepEqual(await hooks.call('verify', token), ['no', 'session_ended']);
      });

      test('without its secret a webhook is refused, with a line in the log', async () => {
        await using stack = new AsyncDisposableStack();
        const hooks = await drive(stack, language, command, {}, shortTimeoutMs);
        assert.match(await hooks.logged(1), /MARU_WEBHOOK_SECRET is not set/);
      });
    });

    test('without usable settings every hook warns and continues', async () => {
      await using stack = new AsyncDisposableStack();
      for (const url of ['', 'nonsense', 'http://127.0.0.1:1', 'file:///etc/passwd']) {
        const settings = { MARU_URL: url, MARU_WEBHOOK_SECRET: secret };
        const hooks = await drive(stack, language, command, settings, shortTimeoutMs);
        await assertHarmless(hooks, personOf('fay'), false);
      }
    });

    async function assertSurvives(opened: Opened, trouble: string): Promise<void> {
      const { hooks, gate, outbox } = opened;
      const person = personOf(trouble.toLowerCase().replaceAll(' ', '-'));
      const uid = await uidOf(service, known[0]);
      const leaver = leaverOf(person);
      await post(service, '/members/register', bodyOf(leaver));
      gate.cut(badServers[trouble]!);
      await assertHarmless(hooks, person, true, uid);
      const files = callsIn(outbox);
      assert.equal(files.length, 4, files.join());
      assert.equal(statSync(outbox).mode & 0o777, 0o700);
      for (const file of files) assert.equal(statSync(join(outbox, file)).mode & 0o777, 0o600);
      // Calls of one millisecond are kept in any order.
      const kept = files.map((file) => readFileSync(join(outbox, file), 'utf8'));
      const registration = kept.find((text) => /members..?register/.test(text)) ?? '';
      assert.match(registration, /"requested_at": ?"\d{4}-/);
      assert.deepEqual(await hooks.call('flush'), ['0', '4']);
      gate.cut(null);
      const late = await flushAll(hooks);
      assert.doesNotMatch(await hooks.logged(3), /refused for good/);
      assert.deepEqual(late, [`${person[1]}=${await uidOf(service, person[0])}=${person[0]}`]);
      assert.deepEqual(callsIn(outbox), []);
      assert.equal(await codeOf(service, { local_user_id: leaver[1] }), 'member_not_found');
    }

    const quick = Object.keys(badServers).filter((trouble) => !slowServers.includes(trouble));
    for (const [name, group] of [
      ['bad answers', quick],
      ...slowServers.map((each) => [each, [each]]),
    ] as [string, string[]][]) {
      test(`T32: with ${name} hooks end in time, and the outbox delivers later`, async () => {
        await using stack = new AsyncDisposableStack();
        const opened = await open(stack, shortTimeoutMs);
        for (const trouble of group) {
          await assertSurvives(opened, trouble);
        }
      });
    }
  });
}

type Command = readonly [string, ...string[]];
type Person = readonly [email: string, localUserId: string];
type Hooks = Awaited<ReturnType<typeof drive>>;

interface Opened {
  readonly hooks: Hooks;
  readonly gate: Awaited<ReturnType<typeof openGate>>;
  readonly outbox: string;
}

/** Result of a call that the service has carried out. */
const done = ['done', '-'];

/** Addresses, keys and secrets, which do not belong in a log. */
const secretText = /@example|svck_|whsec_/;

/** A member that the service has. */
const known = personOf('known');

function personOf(name: string): Person {
  return [`${name}@example.com`, `u-${name}`];
}

/** Asserts that every hook that sends something fails in time. */
async function assertHarmless(
  hooks: Hooks,
  person: Person,
  hasOutbox: boolean,
  uid = 'svc_a',
): Promise<void> {
  const token = `svc_sso=svcs_${'a'.repeat(52)}`;
  const calls: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['register', person, /^-\t(waiting|lost)\t[a-z_]+$/],
    ['event', [uid, 'visit', person[1]], /^-\t(waiting|lost)\t[a-z_]+$/],
    ['grant', [uid, 'archive'], /^(waiting|lost)\t[a-z_]+$/],
    ['cookies', person, /^svc_sso=; .*Max-Age=0.*\tsvc_uid=; /],
    ['verify', [token], /^-$/],
    ['logout', [token, 'all'], /^-$/],
    ['leave', [leaverOf(person)[1]], /^(waiting|lost)\t[a-z_]+$/],
    ['reconcile', ['bora@example.com', 'u-2', longAgo], /^(0\/0\/0\/)?0$/],
  ];
  for (const [name, args, expected] of calls) {
    const startedAt = performance.now();
    assert.match((await hooks.call(name, ...args)).join('\t'), expected, name);
    const tookMs = performance.now() - startedAt;
    assert.ok(tookMs < shortTimeoutMs + graceMs, `${name}: ${tookMs} ms`);
  }
  const lines = calls.length + (hasOutbox ? 0 : 1);
  const log = await hooks.logged(lines);
  assert.equal(log.split('\n').length, lines, log);
  assert.doesNotMatch(log, secretText);
}

/** Asserts that the session of an earlier person is cleared, on the cookie domain and on the host. */
function assertCleared(cookies: readonly string[]): void {
  const places = ['Domain=maru.localhost; ', ''];
  assert.deepEqual(
    cookies,
    places.flatMap((place) => [
      `svc_sso=; ${place}Path=/; Max-Age=0; HttpOnly; SameSite=Lax`,
      `svc_uid=; ${place}Path=/; Max-Age=0; SameSite=Lax`,
    ]),
  );
}

/** Name of the draft of a call's file that a process began at a time in milliseconds. */
function draftOf(ms: number): string {
  return `.${ms}-0123abcd-0123456789abcdef.json`;
}

/** Watches the names that come and go in a folder; the kernel reports each, however short its life. */
function namesIn(folder: string): Disposable & { seen(): Promise<readonly string[]> } {
  const names: string[] = [];
  const watcher = watch(folder, (_, name) => void names.push(name ?? ''));
  return {
    async seen() {
      writeFileSync(join(folder, '.end'), '');
      while (!names.includes('.end')) await once(watcher, 'change');
      rmSync(join(folder, '.end'));
      return names.slice(0, names.indexOf('.end'));
    },
    [Symbol.dispose]: () => watcher.close(),
  };
}

/** Files of an outbox, without its folder of refused calls and the mark of a time-out. */
function callsIn(outbox: string): readonly string[] {
  return readdirSync(outbox).filter((name) => !notCalls.includes(name));
}

const notCalls = ['refused', 'unreadable', '.paused'];

/** Asserts the result of a call that can never succeed. */
function assertRefused(words: readonly string[], code: string): void {
  assert.deepEqual(words, ['-', 'refused', code]);
}

/** Flushes until no call waits; returns the late uids. A busy machine may take longer than the short timeout. */
async function flushAll(hooks: Hooks): Promise<readonly string[]> {
  const late: string[] = [];
  for (let tries = 0; tries < flushesMax; tries++) {
    const [, pending, ...registered] = await hooks.call('flush');
    late.push(...registered);
    if (pending === '0') break;
  }
  return late;
}

/** Starts the process of the hooks and waits until it answers. */
async function drive(
  stack: AsyncDisposableStack,
  { name: language }: Language,
  command: Command,
  settings: Readonly<Record<string, string>>,
  limitMs: number,
) {
  const environment = { ...settings, TIMEOUT_MS: String(limitMs) };
  const hooks = driveHooks(stack, { language, command, environment });
  assert.deepEqual(await hooks.call('webhook', 'm', '1', 'v1,', '{}'), ['false']);
  return hooks;
}

/** The uid that the service has for an address, or for another value of a lookup. */
async function uidOf(service: Service, by: string | object): Promise<string> {
  const body = typeof by === 'string' ? { email: by } : by;
  const { member } = (await post(service, '/members/lookup', body)) as {
    readonly member: { readonly svc_uid: string };
  };
  return member.svc_uid;
}

/** The entitlements of a member, and all grants. */
async function entitlementsOf({ address, keys }: Service, uid: string) {
  const headers = { 'x-api-key': keys.books };
  const answer = await fetch(`${address}/members/${uid}/entitlements`, { headers });
  // The contract of the route.
  return (await answer.json()) as {
    readonly entitlements: readonly { readonly code: string; readonly until: string | null }[];
    readonly history: readonly { readonly code: string }[];
  };
}

/** The code of a refused lookup. */
async function codeOf(service: Service, body: object): Promise<string | undefined> {
  return ((await post(service, '/members/lookup', body)) as { readonly code?: string }).code;
}

/** A user whose account is closed while the service is in trouble. */
function leaverOf([email, id]: Person): Person {
  return [`leaver-${email}`, `${id}-leaver`];
}

function bodyOf([email, localUserId]: Person): object {
  return { email, platform: 'books', local_user_id: localUserId };
}

async function post(
  { address, keys }: Service,
  path: string,
  body: object,
  platform: 'books' | 'cards' = 'books',
): Promise<unknown> {
  const headers = { 'content-type': 'application/json', 'x-api-key': keys[platform] };
  const sent = { method: 'POST', headers, body: JSON.stringify(body) };
  return (await fetch(address + path, sent)).json();
}
