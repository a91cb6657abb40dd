import assert from 'node:assert/strict';
import { test } from 'node:test';
import { membersRig, operator, type MembersRig } from '../../test/members/rig.ts';
import { giveConsent, withdrawConsent } from './consents.ts';
import { grantEntitlement, revokeEntitlement } from './entitlements.ts';
import { endMembership, eraseForPlatform } from './leave.ts';
import { lookUpMember } from './lookup.ts';
import { register } from './register.ts';
import type { Platform } from './store/entities.ts';

const [first, next] = [
  { expected_local_user_id: 'first' },
  { expected_local_user_id: 'next' },
] as const;

/**
 * Registers two users of music with the same uid: the unverified `first` had it before, the verified `next` has it now.
 */
async function openAmbiguity(rig: MembersRig) {
  const { context, clock } = rig;
  const join = async (code: string, email: string, id: string, more = {}) => {
    clock.now += 61_000;
    const body = { platform: code, email, local_user_id: id, ...more };
    return (await register(context, await rig.caller(code), body)).svc_uid;
  };
  const uid = await join('books', 'old@example.com', 'owner');
  const music = (await rig.caller('music')).platform!;
  const before = await join('music', 'old@example.com', 'first', { email_verified: false });
  assert.equal(before, uid);
  await join('books', 'new@example.com', 'owner');
  assert.equal(await join('music', 'new@example.com', 'next'), uid);
  return { context, music, uid };
}

function grant({ context, music, uid }: Ambiguity, code: string, expected = {}) {
  return context.store.write((tx) => grantEntitlement(context, tx, music, uid, code, expected));
}

function revoke({ context, music, uid }: Ambiguity, code: string, id?: string) {
  return context.store.write((tx) => revokeEntitlement(context, tx, music, uid, code, id));
}

async function codesOf(context: MembersRig['context'], music: Platform, id: string) {
  return (await lookUpMember(context, music, { local_user_id: id })).entitlements;
}

type Ambiguity = Awaited<ReturnType<typeof openAmbiguity>>;

test('T36: a grant by a uid of two users requires a local id and reaches only its user', async () => {
  await using rig = await membersRig();
  const ambiguity = await openAmbiguity(rig);
  const { context, music } = ambiguity;
  const refusal = { code: 'ambiguous_svc_uid' };
  await assert.rejects(grant(ambiguity, 'archive'), refusal);
  await grant(ambiguity, 'archive', first);
  await grant(ambiguity, 'alerts', next);
  assert.deepEqual(await codesOf(context, music, 'first'), ['archive']);
  assert.deepEqual(await codesOf(context, music, 'next'), ['alerts']);
  const absent = grant(ambiguity, 'archive', { expected_local_user_id: 'owner' });
  await assert.rejects(absent, { code: 'version_conflict' });
  await assert.rejects(revoke(ambiguity, 'archive'), refusal);
  assert.equal((await revoke(ambiguity, 'archive', 'next')).ended, 0);
  assert.equal((await revoke(ambiguity, 'archive', 'first')).ended, 1);
  assert.deepEqual(await codesOf(context, music, 'next'), ['alerts']);
});

test('T36: consents and departures by a uid of two users concern only the local id’s user', async () => {
  await using rig = await membersRig();
  const { context, music, uid } = await openAmbiguity(rig);
  const callsWithoutId = await Promise.allSettled([
    giveConsent(context, music, uid, 'marketing', {}),
    withdrawConsent(context, music, uid, 'marketing', {}),
    endMembership(context, music, uid, {}, operator),
    eraseForPlatform(context, music, uid, {}, operator),
  ]);
  for (const call of callsWithoutId) {
    assert.equal(call.status === 'rejected' && call.reason.code, 'ambiguous_svc_uid');
  }
  const { svc_uid: own } = await giveConsent(context, music, uid, 'marketing', first);
  assert.notEqual(own, uid);
  assert.equal((await giveConsent(context, music, uid, 'marketing', next)).svc_uid, uid);
  const withdrawn = await withdrawConsent(context, music, uid, 'marketing', first);
  assert.deepEqual([withdrawn.svc_uid, withdrawn.recorded], [own, true]);
  await eraseForPlatform(context, music, uid, first, operator);
  const gone = lookUpMember(context, music, { local_user_id: 'first' });
  await assert.rejects(gone, { code: 'member_not_found' });
  assert.equal((await lookUpMember(context, music, { local_user_id: 'next' })).svc_uid, uid);
  // The uid stands for one user again.
  assert.equal((await giveConsent(context, music, uid, 'news', {})).svc_uid, uid);
});
