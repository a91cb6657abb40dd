import assert from 'node:assert/strict';
import { test } from 'node:test';
import { membersRig, type MembersRig } from '../../test/members/rig.ts';
import { lookUpMember } from './lookup.ts';
import { register } from './register.ts';
import { issueSso, verifySso } from './sso.ts';

async function join(rig: MembersRig, email: string, id: string, more = {}) {
  rig.clock.now += 61_000;
  const body = { platform: 'books', email, local_user_id: id, ...more };
  return register(rig.context, await rig.caller('books'), body);
}

async function uidOf(rig: MembersRig, criteria: object): Promise<string> {
  const books = (await rig.context.platforms.byCode('books'))!;
  return (await lookUpMember(rig.context, books, criteria)).svc_uid;
}

test('the old address of a user whose new one is refused is free for its next owner', async () => {
  await using rig = await membersRig();
  const { svc_uid: uid } = await join(rig, 'kim@example.com', 'kim');
  const late = { requested_at: new Date(rig.clock.now - 1_000).toISOString() };
  for (const [email, more] of [
    ['kim@localhost', late],
    ['kim', {}],
    ['', {}],
  ] as const) {
    await assert.rejects(join(rig, email, 'kim', more), { code: 'invalid_email' });
    assert.equal(await uidOf(rig, { email: 'kim@example.com' }), uid, email);
  }
  for (let again = 0; again < 2; again++) {
    await assert.rejects(join(rig, 'kim@localhost', 'kim'), { code: 'invalid_email' });
  }
  assert.equal(await uidOf(rig, { local_user_id: 'kim' }), uid);
  const next = await join(rig, 'kim@example.com', 'next');
  assert.notEqual(next.svc_uid, uid);
  assert.deepEqual(next.warnings, []);
  const body = { platform: 'books', email: 'kim@example.com', local_user_id: 'next' };
  const { token } = await issueSso(rig.context, await rig.caller('books'), body);
  const books = (await rig.context.platforms.byCode('books'))!;
  const { membership } = await verifySso(rig.context, books, token);
  assert.equal(membership?.local_user_id, 'next');
  // The member takes the corrected address.
  assert.equal((await join(rig, 'kim@example.net', 'kim')).svc_uid, uid);
});

test('a refused address of an unknown user creates no member', async () => {
  await using rig = await membersRig();
  await assert.rejects(join(rig, 'kim@localhost', 'kim'), { code: 'invalid_email' });
  await assert.rejects(uidOf(rig, { local_user_id: 'kim' }), { code: 'member_not_found' });
});

test('a registration with another user’s address does not change that user’s link', async () => {
  await using rig = await membersRig();
  const { svc_uid: uid } = await join(rig, 'kim@example.com', 'kim');
  const consents = [{ purpose: 'ads', granted: true }];
  const other = await join(rig, 'kim@example.com', 'lee', { consents, email_verified: false });
  assert.deepEqual(
    other.warnings.map(({ code }) => code),
    ['local_user_id_mismatch'],
  );
  const member = (await rig.context.store.read.members.byUid(uid))!;
  const [link] = await rig.context.store.read.memberships.of(member.id);
  assert.equal(link!.verified, true);
  assert.deepEqual(await rig.context.store.read.consents.of(link!.id, 5), []);
});
