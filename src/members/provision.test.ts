import assert from 'node:assert/strict';
import { test } from 'node:test';
import { membersRig, operator, type MembersRig } from '../../test/members/rig.ts';
import { declareConsentPurposes, readConsentPurposes } from './consent-configuration.ts';
import { giveConsent, withdrawConsent } from './consents.ts';
import { listEntitlements } from './entitlements.ts';
import { lookUpMember } from './lookup.ts';
import { readPlatformConfiguration } from './platform-configuration.ts';
import { declarePlatforms } from './platforms.ts';
import { register } from './register.ts';
import { issueSso, verifySso } from './sso.ts';

/** A member of books and music, which belong to two companies, signed in at books. */
async function openScene(rig: MembersRig, companies: readonly [string | null, string | null]) {
  const { context } = rig;
  const platforms = ['books', 'music'].map((code, at) => ({ code, company: companies[at] }));
  await declarePlatforms(context, readPlatformConfiguration({ platforms }), operator);
  const books = (await context.platforms.byCode('books'))!;
  const music = (await context.platforms.byCode('music'))!;
  const user = { email: 'asha@example.com', platform: 'books', local_user_id: 'b' };
  const { svc_uid: uid } = await register(context, await rig.caller('books'), user);
  const there = { ...user, platform: 'music', local_user_id: 'm' };
  await register(context, await rig.caller('music'), there);
  const { token } = await issueSso(context, await rig.caller('books'), user);
  return { uid, books, music, token };
}

async function definePurpose({ context }: MembersRig, recipients: object): Promise<void> {
  const name = { ko: '제3자 제공', en: 'Provision' };
  const consents = [{ code: 'share', name, recipients }];
  await declareConsentPurposes(context, readConsentPurposes({ consents }), operator);
}

for (const recipients of [{ platforms: ['music'] }, { realms: ['main'] }]) {
  const kind = Object.keys(recipients)[0]!;
  test(`T41: data passes to another company only with consent to provision (by ${kind})`, async () => {
    await using rig = await membersRig();
    const { context } = rig;
    const { uid, books, music, token } = await openScene(rig, ['Press Inc.', 'Sound Inc.']);
    await definePurpose(rig, recipients);
    const refused = { code: 'consent_required', status: 403 };
    const verdict = await verifySso(context, music, token);
    assert.deepEqual(verdict, {
      active: true,
      svc_uid: null,
      session_id: null,
      tier: null,
      sign_in_allowed: false,
      reason: 'consent_required',
      membership: null,
      entitlements: [],
    });
    await assert.rejects(lookUpMember(context, music, { svc_uid: uid }), refused);
    await assert.rejects(listEntitlements(context, music, uid), refused);
    // The receiver cannot consent for the member.
    await giveConsent(context, music, uid, 'share', {});
    assert.equal((await verifySso(context, music, token)).sign_in_allowed, false);
    await giveConsent(context, books, uid, 'share', {});
    assert.equal((await verifySso(context, music, token)).sign_in_allowed, true);
    assert.equal((await lookUpMember(context, music, { svc_uid: uid })).svc_uid, uid);
    rig.clock.now += 1;
    await withdrawConsent(context, books, uid, 'share', {});
    assert.equal((await verifySso(context, music, token)).reason, 'consent_required');
    assert.equal((await verifySso(context, books, token)).sign_in_allowed, true);
  });
}

test('no consent is needed within a company, without companies, or without a purpose', async () => {
  for (const [companies, recipients] of [
    [['Press Inc.', 'Press Inc.'], { platforms: ['music'] }],
    [['Press Inc.', null], { platforms: ['music'] }],
    [[null, 'Sound Inc.'], { realms: ['main'] }],
    [['Press Inc.', 'Sound Inc.'], { platforms: ['cards'], realms: ['island'] }],
  ] as const) {
    await using rig = await membersRig();
    const { uid, music, token } = await openScene(rig, companies);
    await definePurpose(rig, recipients);
    assert.equal((await verifySso(rig.context, music, token)).sign_in_allowed, true);
    assert.equal((await lookUpMember(rig.context, music, { svc_uid: uid })).svc_uid, uid);
  }
});
