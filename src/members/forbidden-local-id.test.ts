import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SeededRandom } from '../../sample/seeded-random.ts';
import { membersRig, operator, type MembersRig } from '../../test/members/rig.ts';
import { isForbiddenLocalId } from './forbidden-local-id.ts';
import { leave } from './leave.ts';
import { register } from './register.ts';
import { issueSso } from './sso.ts';

async function join(rig: MembersRig, email: string, id: string): Promise<readonly string[]> {
  const user = { platform: 'books', email, local_user_id: id };
  const { warnings } = await register(rig.context, await rig.caller('books'), user);
  return warnings.map(({ code }) => code);
}

function isForbidden({ context, clock }: MembersRig, id: string) {
  return isForbiddenLocalId(context.store.read, 0, id, clock.now);
}

const cards = ['4111111111111111', '5555555555554444', '378282246310005', '3530111333300000'];

test('T21: a card or resident registration number is not accepted as a local id', async () => {
  await using rig = await membersRig();
  const written = [
    '4111-1111-1111-1111',
    '4111 1111 1111 1111',
    '４１１１１１１１１１１１１１１１',
  ];
  for (const id of [...cards, ...written, 'card 4111111111111111', '900101-1234568']) {
    assert.equal(await isForbidden(rig, id), true, id);
  }
});

test('once a platform has another id of 16 digits, ids that look like a card are accepted', async () => {
  await using rig = await membersRig();
  // The first id is dropped at registration; a login can bind it once the second id is known.
  assert.deepEqual(await join(rig, 'a@example.com', '4111111111111111'), ['local_user_id_dropped']);
  assert.deepEqual(await join(rig, 'b@example.com', '4111111111111112'), []);
  for (const id of ['4111111111111111', '4111111111111129', '5555555555554444']) {
    assert.equal(await isForbidden(rig, id), false, id);
  }
  const login = { platform: 'books', email: 'a@example.com', local_user_id: '4111111111111111' };
  await issueSso(rig.context, await rig.caller('books'), login);
  // An id with the dashes of a card, or with another number of digits, is still refused.
  assert.equal(await isForbidden(rig, '4111-1111-1111-1111'), true);
  assert.equal(await isForbidden(rig, '378282246310005'), true);
});

test('of random ids of 16 digits, 2.4 % look like a card while the platform has no other', async () => {
  await using rig = await membersRig();
  const random = new SeededRandom(16);
  let found = 0;
  for (let at = 0; at < 20_000; at++) {
    const half = () => String(random.whole(0, 99_999_999)).padStart(8, '0');
    found += Number(await isForbidden(rig, half() + half()));
  }
  assert(found / 20_000 > 0.02 && found / 20_000 < 0.028, String(found));
});

test('leaving with an id that no link can have reports the id, not an unknown member', async () => {
  await using rig = await membersRig();
  const id = '9010101234567';
  assert.deepEqual(await join(rig, 'a@example.com', id), ['local_user_id_dropped']);
  const books = (await rig.context.platforms.byCode('books'))!;
  const closing = leave(rig.context, books, { local_user_id: id }, operator);
  await assert.rejects(closing, { code: 'forbidden_content' });
  const unknown = leave(rig.context, books, { local_user_id: 'u-1' }, operator);
  await assert.rejects(unknown, { code: 'member_not_found' });
});
