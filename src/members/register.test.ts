import assert from 'node:assert/strict';
import { test } from 'node:test';
import { membersContract } from '../contract/members.ts';
import { membersRig, operator } from '../../test/members/rig.ts';
import { emailHash } from './email.ts';
import { eraseMember } from './erase.ts';
import { recordEvent } from './events.ts';
import { exportMember } from './export.ts';
import { setPlatformDisabled } from './platforms.ts';
import type { Problem } from '../kernel/problem.ts';
import { reconcile } from './reconcile.ts';
import { register } from './register.ts';
import { registerBatch } from './register-batch.ts';
import { issueSso } from './sso.ts';

const body = { email: 'Kim@Example.com', platform: 'books', local_user_id: 'u-1', extra: {} };

test('the same email and platform return the same member, created once', async () => {
  await using rig = await membersRig();
  const books = await rig.caller('books');
  const first = await register(rig.context, books, body);
  assert.match(first.svc_uid, /^svc_[a-z2-7]{26}$/);
  const { svc_uid } = first;
  const answer = { svc_uid, tier: 'BRONZE', platform: 'books', email_assurance: 'verified' };
  assert.deepEqual(first, { ...answer, created: true, linked: false, warnings: [] });
  const again = await register(rig.context, books, { ...body, email: ' kim@EXAMPLE.com ' });
  assert.deepEqual(again, { ...answer, created: false, linked: false, warnings: [] });
  assert.equal(await rig.context.store.read.members.count(), 1);
});

test('a second platform gets the same member; a platform in another realm a new one', async () => {
  await using rig = await membersRig();
  const first = await register(rig.context, await rig.caller('books'), body);
  const second = await register(rig.context, await rig.caller('music'), {
    ...body,
    platform: 'music',
  });
  assert.deepEqual([second.svc_uid, second.created, second.linked], [first.svc_uid, false, true]);
  const island = { ...body, platform: 'island' };
  const other = await register(rig.context, await rig.caller('island'), island);
  assert.notEqual(other.svc_uid, first.svc_uid);
  assert(other.created && !other.linked);
});

test('a registration is refused only for a wrong email or platform', async () => {
  await using rig = await membersRig();
  const books = await rig.caller('books');
  const fatal: readonly (readonly [object, Problem['code']])[] = [
    [{ email: 'address' }, 'invalid_email'],
    [{ email: undefined }, 'invalid_email'],
    [{ platform: undefined }, 'validation_failed'],
    [{ platform: 'nowhere' }, 'unknown_platform'],
    [{ platform: 'music' }, 'platform_mismatch'],
  ];
  for (const [change, code] of fatal) {
    await assert.rejects(register(rig.context, books, { ...body, ...change }), { code });
  }
  const harmless: readonly (readonly [object, string | null])[] = [
    [{ local_user_id: undefined }, 'local_user_id_missing'],
    [{ local_user_id: 'x'.repeat(129) }, 'local_user_id_missing'],
    [{ local_user_id: 'x'.repeat(128) }, null],
    [{ local_user_id: 42 }, null],
    [{ extra: 'text' }, 'extra_dropped'],
    [{ extra: { big: 'x'.repeat(4_096) } }, 'extra_dropped'],
    [{ extra: JSON.parse('{"__proto__": {"admin": true}}') }, 'extra_dropped'],
    [{ extra: { card: '4111 1111 1111 1111' } }, 'extra_dropped'],
    [{ extra: { in: ['901010-1234567'] } }, 'extra_dropped'],
    [{ extra: nested(9) }, 'extra_dropped'],
    [{ extra: nested(8) }, null],
    [{ email_verified: 'yes' }, 'email_verified_ignored'],
    [{ requested_at: 'yesterday' }, 'requested_at_ignored'],
    [{ consents: [{ purpose: 'marketing', granted: true }] }, null],
    [{ consents: [{ purpose: 'marketing' }] }, 'consent_dropped'],
    [{ consents: 'all' }, 'consent_dropped'],
  ];
  for (const [at, [change, code]] of harmless.entries()) {
    const id = `user${at}`;
    const given = { ...body, email: `${id}@example.com`, local_user_id: id, ...change };
    const { warnings, created } = await register(rig.context, books, given);
    assert(created);
    assert.deepEqual(
      warnings.map((one) => one.code),
      code === null ? [] : [code],
      JSON.stringify(change),
    );
  }
});

test('T1: links of an asserted platform stay asserted; a trusted one may lower its own', async () => {
  await using rig = await membersRig();
  for (const [platform, claimed, assurance] of [
    ['forum', true, 'asserted'],
    ['forum', undefined, 'asserted'],
    ['books', false, 'asserted'],
    ['books', true, 'verified'],
  ] as const) {
    const caller = await rig.caller(platform);
    const id = `${platform}.${claimed}`;
    const fresh = { ...body, email: `${id}@example.com`, platform, local_user_id: id };
    for (let again = 0; again < 2; again++) {
      const answer = await register(rig.context, caller, { ...fresh, email_verified: claimed });
      assert.equal(answer.email_assurance, assurance, `${platform} ${claimed} ${again}`);
    }
  }
});

test('a second local id is ignored with a warning; a missing one is added later', async () => {
  await using rig = await membersRig();
  const books = await rig.caller('books');
  const { svc_uid } = await register(rig.context, books, { ...body, local_user_id: undefined });
  await register(rig.context, books, { ...body, local_user_id: 7 });
  const { warnings } = await register(rig.context, books, { ...body, local_user_id: '8' });
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['local_user_id_mismatch'],
  );
  const member = await rig.context.store.read.members.byUid(svc_uid);
  const [membership] = await rig.context.store.read.memberships.of(member!.id);
  assert.equal(membership!.localUserId, '7');
});

test('any platform can lower the assurance of its link, only a trusted one can raise it', async () => {
  await using rig = await membersRig();
  const callers = { books: await rig.caller('books'), forum: await rig.caller('forum') };
  const assuranceAfter = async (platform: 'books' | 'forum', email: string, verified?: boolean) =>
    (
      await register(rig.context, callers[platform], {
        email,
        platform,
        local_user_id: email,
        ...(verified === undefined ? {} : { email_verified: verified }),
      })
    ).email_assurance;
  assert.equal(await assuranceAfter('books', 'a@example.com'), 'verified');
  assert.equal(await assuranceAfter('books', 'a@example.com', false), 'asserted');
  assert.equal(await assuranceAfter('books', 'a@example.com'), 'asserted');
  assert.equal(await assuranceAfter('books', 'a@example.com', true), 'verified');
  assert.equal(await assuranceAfter('books', 'b@example.com', false), 'asserted');
  assert.equal(await assuranceAfter('forum', 'c@example.com'), 'asserted');
  assert.equal(await assuranceAfter('forum', 'c@example.com', true), 'asserted');
});

test('T4: of many equal concurrent calls exactly one creates the member', async () => {
  await using rig = await membersRig();
  const books = await rig.caller('books');
  const answers = await Promise.all(
    Array.from({ length: 64 }, () => register(rig.context, books, body)),
  );
  assert.equal(answers.filter(({ created }) => created).length, 1);
  assert.equal(new Set(answers.map(({ svc_uid }) => svc_uid)).size, 1);
});

test('T22: a retry from before an erasure is refused, a new sign-up creates a new member', async () => {
  await using rig = await membersRig();
  const books = await rig.caller('books');
  const requested_at = new Date(rig.clock.now).toISOString();
  const { svc_uid } = await register(rig.context, books, body);
  rig.clock.now += 60_000;
  await eraseMember(rig.context, svc_uid, operator);
  rig.clock.now += 60_000;
  const late = { ...body, requested_at };
  await assert.rejects(register(rig.context, books, late), { code: 'member_erased' });
  const fresh = await register(rig.context, books, body);
  assert(fresh.created && fresh.svc_uid !== svc_uid);
  const music = await rig.caller('music');
  const lateLink = register(rig.context, music, { ...late, platform: 'music' });
  await assert.rejects(lateLink, { code: 'member_erased' });
});

test('a disabled platform is refused until it is enabled', async () => {
  await using rig = await membersRig();
  const all = await rig.caller(null);
  await setPlatformDisabled(rig.context, 'books', true, operator);
  await assert.rejects(register(rig.context, all, body), { code: 'platform_disabled' });
  await setPlatformDisabled(rig.context, 'books', false, operator);
  assert((await register(rig.context, all, body)).created);
});

test('a registration counts as one event, and a repeat as none', async () => {
  await using rig = await membersRig();
  const books = await rig.caller('books');
  for (let i = 0; i < 3; i++) await register(rig.context, books, body);
  const totals = await rig.context.store.read.events.totals();
  assert.deepEqual(
    totals.map(({ event, count }) => [event, count]),
    [['register', 1]],
  );
});

test('a batch returns results in the order of its entries; reconciling returns missing hashes', async () => {
  await using rig = await membersRig();
  const books = await rig.caller('books');
  const answers = await registerBatch(rig.context, books, [body, { ...body, email: 'x' }, body]);
  assert.deepEqual(
    answers.map((answer) => ('created' in answer ? answer.created : answer.code)),
    [true, 'invalid_email', false],
  );
  const platform = (await rig.context.platforms.byCode('books'))!;
  const known = emailHash('kim@example.com').toString('hex');
  const missing = emailHash('lee@example.com').toString('hex');
  assert.deepEqual(await reconcile(rig.context, platform, [known, missing]), [missing]);
  // A member of another platform only is missing on this one.
  const music = (await rig.context.platforms.byCode('music'))!;
  assert.deepEqual(await reconcile(rig.context, music, [known]), [known]);
  const hashes = Array.from({ length: 7_000 }, () => missing);
  // The contract states the same limit.
  assert.partialDeepStrictEqual(membersContract.reconcile.body.properties.hashes, {
    maxItems: hashes.length,
  });
  assert.deepEqual(await reconcile(rig.context, platform, hashes), hashes);
  await assert.rejects(reconcile(rig.context, platform, [...hashes, missing]), {
    code: 'validation_failed',
  });
  const tooMany = Array.from({ length: 501 }, () => body);
  await assert.rejects(registerBatch(rig.context, books, tooMany), { code: 'validation_failed' });
});

function nested(depth: number): object {
  return depth === 1 ? {} : { in: nested(depth - 1) };
}

test('a consent after a refusal is stored, and a retry changes nothing', async () => {
  await using rig = await membersRig();
  const books = await rig.caller('books');
  const giveConsent = async (granted: boolean, when: object = {}) => {
    rig.clock.now += 1_000;
    await register(rig.context, books, {
      ...body,
      ...when,
      consents: [{ purpose: 'ads', granted }],
    });
  };
  const at = (ms: number) => ({ requested_at: new Date(rig.clock.now + ms).toISOString() });
  await giveConsent(true);
  const firstTry = at(0);
  await giveConsent(true);
  await giveConsent(false);
  await giveConsent(true, firstTry);
  await giveConsent(false);
  const stored = await rig.context.store.read.consents.of(1, 10);
  assert.deepEqual(
    stored.map(({ granted }) => granted),
    [true, false],
  );
  await giveConsent(true);
  const [, , last] = await rig.context.store.read.consents.of(1, 10);
  assert.deepEqual([last?.granted, last?.givenAt], [true, rig.clock.now]);
});

test('a consent version is cut between characters, and U+0000 in it refuses no registration', async () => {
  await using rig = await membersRig();
  const books = await rig.caller('books');
  const user = { email: 'kim@example.com', platform: 'books', local_user_id: '1' };
  const stored = async (version: string) => {
    const consents = [{ purpose: 'news', granted: true, version }];
    for (let repeat = 0; repeat < 3; repeat++) {
      const { warnings } = await register(rig.context, books, { ...user, consents });
      assert.deepEqual(warnings, []);
      rig.clock.now += 1_000;
    }
    const all = await rig.context.store.read.consents.of(1, 10);
    return all.map(({ textVersion }) => textVersion);
  };
  const long = `${'x'.repeat(63)}😀`;
  assert.deepEqual(await stored(`${long}beyond`), [long]);
  assert.deepEqual(await stored('a\0b'), [long, 'a\ufffdb']);
});

test('T21: an id or consent version that is a card or resident number is dropped with a warning', async () => {
  await using rig = await membersRig();
  const books = await rig.caller('books');
  const answer = await register(rig.context, books, {
    email: 'kim@example.com',
    platform: 'books',
    local_user_id: '900101-1234568',
    consents: [{ purpose: 'news', granted: true, version: '4111 1111 1111 1111' }],
  });
  assert.deepEqual(
    answer.warnings.map(({ code }) => code),
    ['local_user_id_dropped', 'consent_dropped'],
  );
  const uid = answer.svc_uid;
  const all = JSON.stringify(await exportMember(rig.context, uid, operator));
  assert.doesNotMatch(all, /1234568|4111/);
  const visit = { svc_uid: uid, platform: 'books', event: 'visit', event_id: '900101-1234568' };
  await assert.rejects(recordEvent(rig.context, books, visit), { code: 'forbidden_content' });
  const sso = { svc_uid: uid, platform: 'books', local_user_id: '900101-1234568' };
  await assert.rejects(issueSso(rig.context, books, sso), { code: 'member_not_found' });
});
