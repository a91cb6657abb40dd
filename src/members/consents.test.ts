import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { membersRig, operator, type MembersRig } from '../../test/members/rig.ts';
import { declareConsentPurposes, readConsentPurposes } from './consent-configuration.ts';
import { reportReminders } from './consent-reminder-reports.ts';
import { dueReminders } from './consent-reminders.ts';
import { giveConsent, listConsents, withdrawConsent } from './consents.ts';
import { exportMember } from './export.ts';
import { memberLimits } from './limits.ts';
import { register } from './register.ts';
import { addWebhookEndpoint } from './webhooks.ts';

const dayMs = 86_400_000;
const name = { ko: '마케팅', en: 'Marketing' };
const marketing = {
  code: 'marketing',
  name,
  marketing: true,
  versions: [
    { version: 'v2', text: 'Second text', effective: '2026-06-01T00:00:00+09:00' },
    { version: 'v1', text: 'First text', effective: '2024-01-01T00:00:00+09:00' },
  ],
};
const terms = { code: 'terms', name, required: true };

async function declare({ context }: MembersRig, ...consents: readonly object[]): Promise<void> {
  await declareConsentPurposes(context, readConsentPurposes({ consents }), operator);
}

const mail = (version: string) => ({ purpose: 'mail', granted: true, version });

/** A registered member of books, with calls on its behalf. */
async function memberOf(rig: MembersRig) {
  const { context } = rig;
  const caller = await rig.caller('books');
  const books = (await context.platforms.byCode('books'))!;
  const user = { email: 'asha@example.com', platform: 'books', local_user_id: 'asha' };
  const { svc_uid: uid } = await register(context, caller, user);
  return {
    uid,
    registerAgain: (consents: unknown) => register(context, caller, { ...user, consents }),
    give: (purpose: string, body: object = {}) => giveConsent(context, books, uid, purpose, body),
    withdraw: (purpose: string, body: object = {}) =>
      withdrawConsent(context, books, uid, purpose, body),
    list: () => listConsents(context, books, uid),
  };
}

test('U+0000 in a version or a purpose is a refusal or another character, never a fault', async () => {
  await using rig = await membersRig();
  const member = await memberOf(rig);
  assert.equal((await member.give('mail', { version: 'a\0b' })).consent.version, 'a\ufffdb');
  await assert.rejects(member.give('a\0'), { code: 'unknown_purpose' });
  await assert.rejects(member.withdraw('a\0'), { code: 'unknown_purpose' });
});

test('a withdrawal is stored beside the consent, and a repeat of either changes nothing', async () => {
  await using rig = await membersRig();
  await declare(rig, marketing, terms);
  const member = await memberOf(rig);
  const given = await member.give('marketing');
  assert.deepEqual([given.recorded, given.consent.version], [true, 'v2']);
  rig.clock.now += dayMs;
  assert.equal((await member.give('marketing')).recorded, false);
  const withdrawn = await member.withdraw('marketing');
  assert.deepEqual([withdrawn.recorded, withdrawn.consent.granted], [true, false]);
  assert.equal((await member.withdraw('marketing')).recorded, false);
  const { consents, history, missing } = await member.list();
  assert.deepEqual(consents, [{ ...withdrawn.consent, reminder_due_at: null }]);
  assert.deepEqual(history, [withdrawn.consent, given.consent]);
  assert.deepEqual(missing, ['terms']);
  const exported = await exportMember(rig.context, member.uid, operator);
  assert.deepEqual(exported.memberships[0]!.consents, [given.consent, withdrawn.consent]);
});

test('T41: a consent from before a repeated withdrawal does not undo it', async () => {
  await using rig = await membersRig();
  const member = await memberOf(rig);
  await member.withdraw('mail');
  rig.clock.now += 2 * dayMs;
  assert.equal((await member.withdraw('mail')).recorded, false);
  const between = new Date(rig.clock.now - dayMs).toISOString();
  assert.equal((await member.give('mail', { given_at: between })).consent.granted, false);
});

test('T41: a consent that arrives late does not undo a withdrawal', async () => {
  await using rig = await membersRig();
  const member = await memberOf(rig);
  const earlier = new Date(rig.clock.now - dayMs).toISOString();
  await member.withdraw('mail');
  const late = await member.give('mail', { given_at: earlier });
  assert.deepEqual([late.recorded, late.consent.granted], [true, false]);
});

test('once purposes are configured, an unknown one is refused, or dropped from a registration', async () => {
  await using rig = await membersRig();
  const member = await memberOf(rig);
  assert.equal((await member.give('anything.goes')).recorded, true);
  await declare(rig, marketing, { ...terms, retired: true });
  for (const purpose of ['other', 'terms', 'not a code']) {
    await assert.rejects(member.give(purpose), { code: 'unknown_purpose', status: 422 });
  }
  await assert.rejects(member.withdraw('other'), { code: 'unknown_purpose' });
  await assert.rejects(member.give('marketing', { version: 'v9' }), { code: 'validation_failed' });
  // This consent was given before its purpose was configured.
  assert.equal((await member.withdraw('anything.goes')).recorded, true);
  const again = await member.registerAgain([
    { purpose: 'other', granted: true },
    { purpose: 'marketing', granted: true, version: 'v9' },
    { purpose: 'marketing', granted: true, version: 'v1' },
  ]);
  assert.deepEqual(
    again.warnings.map(({ code, pointer }) => [code, pointer]),
    [
      ['unknown_purpose', '/consents/0'],
      ['unknown_version', '/consents/1'],
    ],
  );
  const { consents } = await member.list();
  assert.deepEqual(
    consents.map(({ purpose, version }) => [purpose, version]),
    [
      ['anything.goes', null],
      ['marketing', 'v1'],
    ],
  );
});

test('a card or resident registration number is refused as purpose or version', async () => {
  await using rig = await membersRig();
  const member = await memberOf(rig);
  const refused = { code: 'forbidden_content', status: 422 };
  await assert.rejects(member.give('900101-1234568'), refused);
  await assert.rejects(member.withdraw('4111111111111111'), refused);
  await assert.rejects(member.give('mail', { version: '900101-1234568' }), refused);
});

test('T41: a consent belongs to the platform that stored it', async () => {
  await using rig = await membersRig();
  const member = await memberOf(rig);
  await member.give('mail');
  const music = (await rig.context.platforms.byCode('music'))!;
  const notFound = { code: 'member_not_found' };
  await assert.rejects(listConsents(rig.context, music, member.uid), notFound);
  await assert.rejects(withdrawConsent(rig.context, music, member.uid, 'mail', {}), notFound);
  const user = { email: 'asha@example.com', platform: 'music', local_user_id: 'a' };
  await register(rig.context, await rig.caller('music'), user);
  assert.deepEqual((await listConsents(rig.context, music, member.uid)).consents, []);
});

test('beyond the maximum of records only the withdrawal of a consent in force is stored', async () => {
  await using rig = await membersRig();
  const member = await memberOf(rig);
  for (let count = 0; count < memberLimits.consentRecordsMax; count += 8) {
    const others = Array.from({ length: 7 }, (_, at) => ({
      ...mail(''),
      purpose: `p${count + at}`,
    }));
    await member.registerAgain([mail(`v${count}`), ...others]);
  }
  await assert.rejects(member.give('one.more'), { code: 'too_many_consents' });
  await assert.rejects(member.give('mail', { version: 'new' }), { code: 'too_many_consents' });
  assert.equal((await member.withdraw('mail')).consent.granted, false);
  assert.equal((await member.withdraw('p0')).recorded, true);
  assert.equal((await member.withdraw('never.given')).recorded, false);
  assert.equal((await member.list()).history.length, memberLimits.consentRecordsMax + 2);
});

test('a reminder is due two years after a consent to marketing, and after the last reminder', async () => {
  await using rig = await membersRig();
  await declare(rig, marketing, terms);
  const member = await memberOf(rig);
  await assert.rejects(member.give('marketing', { reminded: true }), { code: 'validation_failed' });
  await member.give('terms');
  const { consent } = await member.give('marketing', { version: 'v1' });
  const dueAt = Date.parse('2028-11-18T12:00:00+09:00');
  assert.equal((await member.list()).consents[0]!.reminder_due_at, new Date(dueAt).toISOString());
  rig.clock.now = dueAt - 1;
  assert.deepEqual((await dueReminders(rig.context, undefined)).items, []);
  rig.clock.now = dueAt;
  const { items } = await dueReminders(rig.context, undefined);
  assert.deepEqual(items, [
    {
      svc_uid: member.uid,
      platform: 'books',
      local_user_id: 'asha',
      purpose: 'marketing',
      version: 'v1',
      given_at: consent.given_at,
      due_at: new Date(dueAt).toISOString(),
    },
  ]);
  const at = new Date(dueAt).toISOString();
  const first = await member.give('marketing', { reminded: true, given_at: at });
  const repeat = await member.give('marketing', { reminded: true, given_at: at });
  assert.deepEqual([first.recorded, repeat.recorded], [true, false]);
  assert.deepEqual([first.consent.version, first.consent.reminded], ['v1', true]);
  assert.deepEqual((await dueReminders(rig.context, undefined)).items, []);
});

test('a due reminder is reported once to its platform, and again two years after the next one', async () => {
  await using rig = await membersRig();
  const { context, clock } = rig;
  await declare(rig, marketing, terms);
  const url = 'https://hooks.example.com/in';
  for (const platform of ['books', 'music', null]) {
    await addWebhookEndpoint(context, url, ['consent.reminder_due'], operator, platform);
  }
  const member = await memberOf(rig);
  await member.give('terms');
  const { consent } = await member.give('marketing', { version: 'v1' });
  const dueAt = Date.parse('2028-11-18T12:00:00+09:00');
  clock.now = dueAt - 1;
  assert.equal(await reportReminders(context), 0);
  clock.now = dueAt;
  assert.deepEqual([await reportReminders(context), await reportReminders(context)], [1, 0]);
  const messages = await context.store.read.webhooks.list(1e9, 10);
  assert.equal(messages.length, 2);
  assert.deepEqual((JSON.parse(messages[0]!.body) as { data: object }).data, {
    svc_uid: member.uid,
    platform: 'books',
    purpose: 'marketing',
    version: 'v1',
    given_at: consent.given_at,
    due_at: new Date(dueAt).toISOString(),
  });
  await member.give('marketing', { reminded: true });
  clock.now = Date.parse('2030-11-18T12:00:00+09:00');
  assert.equal(await reportReminders(context), 1);
  await member.withdraw('marketing');
  clock.now = Date.parse('2034-11-18T12:00:00+09:00');
  assert.equal(await reportReminders(context), 0);
});

test('the pages of due reminders list each reminder once, over several purposes', async () => {
  await using rig = await membersRig();
  await declare(rig, marketing, { ...marketing, code: 'news' }, { ...marketing, code: 'sms' });
  const caller = await rig.caller('books');
  const consents = ['sms', 'marketing', 'news'].map((purpose) => ({ purpose, granted: true }));
  for (const id of ['a', 'b', 'c']) {
    const user = { email: `${id}@example.com`, platform: 'books', local_user_id: id, consents };
    await register(rig.context, caller, user);
  }
  rig.clock.now += 800 * dayMs;
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await dueReminders(rig.context, cursor, 2);
    found.push(...page.items.map(({ purpose, local_user_id: id }) => `${purpose} ${id}`));
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  const purposes = ['marketing', 'news', 'sms'];
  assert.deepEqual(
    found,
    purposes.flatMap((purpose) => ['a', 'b', 'c'].map((id) => `${purpose} ${id}`)),
  );
});

test('the latest statement is the last one by time, in whatever order statements arrive', async () => {
  await using rig = await membersRig();
  const member = await memberOf(rig);
  const start = rig.clock.now - 1_000;
  let purposes = 0;
  const statements = fc.array(
    fc.record({ granted: fc.boolean(), at: fc.integer({ min: 0, max: 20 }) }),
    { minLength: 1, maxLength: 6 },
  );
  await fc.assert(
    fc.asyncProperty(statements, async (sent) => {
      const purpose = `p${purposes++}`;
      let expected: { granted: boolean; at: number } | null = null;
      for (const { granted, at } of sent) {
        const time = new Date(start + at).toISOString();
        const consent = { purpose, granted, given_at: time };
        await member.registerAgain([consent]);
        if (expected === null || at >= expected.at) expected = { granted, at };
      }
      const { consents } = await member.list();
      const latest = consents.find((each) => each.purpose === purpose);
      assert.equal(latest?.granted, expected?.granted);
    }),
    // The number of records of a link is limited.
    { numRuns: 30 },
  );
});

test('a version of a text never changes, and a declaration without it keeps it', async () => {
  await using rig = await membersRig();
  await declare(rig, marketing);
  const [v2, v1] = marketing.versions;
  await assert.rejects(declare(rig, { ...marketing, versions: [{ ...v1!, text: 'Other' }] }), {
    code: 'validation_failed',
  });
  const v3 = { version: 'v3', sha256: 'ab'.repeat(32), effective: '2027-01-01T00:00:00+09:00' };
  await declare(rig, { ...marketing, versions: [v3] });
  const [purpose] = await rig.context.platforms.consentPurposes();
  assert.deepEqual(
    purpose!.versions.map(({ version, text }) => [version, text]),
    [
      ['v1', v1!.text],
      ['v2', v2!.text],
      ['v3', null],
    ],
  );
});

test('a faulty declaration of purposes is refused with each fault', async () => {
  await using rig = await membersRig();
  const faults: readonly (readonly [unknown, string])[] = [
    [{ ...terms, code: 'no code' }, '/consents/0/code'],
    [{ ...terms, name: 'Terms' }, '/consents/0/name'],
    [{ ...terms, required: 'yes' }, '/consents/0/required'],
    [{ ...terms, colour: 'red' }, '/consents/0/colour'],
    [{ ...terms, versions: [{ version: 'v1', text: 'a' }] }, '/consents/0/versions/0/effective'],
    [
      { ...terms, versions: [{ version: 'v1', effective: '2026-01-01T00:00:00Z' }] },
      '/consents/0/versions/0/text',
    ],
    [{ ...terms, recipients: {} }, '/consents/0/recipients'],
  ];
  for (const [declared, pointer] of faults) {
    assert.throws(
      () => readConsentPurposes({ consents: [declared] }),
      (problem: { errors: readonly { pointer: string }[] }) => {
        assert.deepEqual(
          problem.errors.map((error) => error.pointer),
          [pointer],
        );
        return true;
      },
    );
  }
  assert.throws(() => readConsentPurposes({ consents: [terms, terms] }), /twice/);
  const recipients = { platforms: ['nowhere'] };
  await assert.rejects(declare(rig, { ...terms, recipients }), { code: 'validation_failed' });
});
