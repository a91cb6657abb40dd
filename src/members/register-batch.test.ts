import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { membersRig, type MembersRig } from '../../test/members/rig.ts';
import { Problem } from '../kernel/problem.ts';
import { emailHash } from './email.ts';
import { lookUpMember } from './lookup.ts';
import { reconcile } from './reconcile.ts';
import { register } from './register.ts';
import { registerBatch } from './register-batch.ts';
import { issueSso, verifySso } from './sso.ts';

type Pair = readonly [id: string, email: string];

/** Callers by platform. Each is used again, because a platform may have only 32 keys. */
const callers = new WeakMap<MembersRig, Map<string, ReturnType<MembersRig['caller']>>>();

function callerOf(rig: MembersRig, platform: string): ReturnType<MembersRig['caller']> {
  const own = callers.get(rig) ?? new Map();
  callers.set(rig, own);
  if (!own.has(platform)) own.set(platform, rig.caller(platform));
  return own.get(platform)!;
}

async function registerAll(rig: MembersRig, platform: string, pairs: readonly Pair[], more = {}) {
  rig.clock.now += 61_000;
  const caller = await callerOf(rig, platform);
  const bodies = pairs.map(([id, email]) => ({ platform, email, local_user_id: id, ...more }));
  const answers = await registerBatch(rig.context, caller, bodies);
  return answers.map((answer) => {
    if (answer instanceof Problem) return answer.code;
    return answer.warnings.map(({ code }) => code).join();
  });
}

async function uidOf(rig: MembersRig, platform: string, id: string): Promise<string> {
  const found = (await rig.context.platforms.byCode(platform))!;
  return (await lookUpMember(rig.context, found, { local_user_id: id })).svc_uid;
}

/** Local id of the account to which a login on one platform leads on another; null for none. */
async function offered(rig: MembersRig, from: Pair, platform: string): Promise<string | null> {
  const [id, email] = from;
  const books = await callerOf(rig, 'books');
  const body = { platform: 'books', email, local_user_id: id };
  const { token } = await issueSso(rig.context, books, body);
  const target = (await rig.context.platforms.byCode(platform))!;
  const verdict = await verifySso(rig.context, target, token);
  return verdict.sign_in_allowed ? verdict.membership!.local_user_id : null;
}

const kim = ['kim', 'kim@example.com'] as const;
const lee = ['lee', 'lee@example.com'] as const;
const swapped = [
  ['kim', 'lee@example.com'],
  ['lee', 'kim@example.com'],
] as const;

test('two users who exchange their addresses in a batch keep their members and accounts', async () => {
  await using rig = await membersRig();
  await registerAll(rig, 'books', [kim, lee]);
  const uids = [await uidOf(rig, 'books', 'kim'), await uidOf(rig, 'books', 'lee')];
  // Sent alone, each is refused: the address still belongs to another user.
  const refused = ['local_user_id_mismatch,email_taken'];
  assert.deepEqual(await registerAll(rig, 'books', [swapped[0]]), refused);
  assert.deepEqual(await registerAll(rig, 'books', swapped), ['link_moved', 'link_moved']);
  assert.deepEqual([await uidOf(rig, 'books', 'kim'), await uidOf(rig, 'books', 'lee')], uids);
  // A sign-up elsewhere with an address arrives at the account that has it.
  await registerAll(rig, 'music', [['m', 'kim@example.com']]);
  assert.equal(await uidOf(rig, 'music', 'm'), uids[1]);
  assert.equal(await offered(rig, swapped[1], 'music'), 'm');
  assert.equal(await offered(rig, swapped[0], 'music'), null);
});

test('an exchange of addresses that is older than one of its links changes nothing', async () => {
  await using rig = await membersRig();
  await registerAll(rig, 'books', [kim]);
  const early = { requested_at: new Date(rig.clock.now + 1_000).toISOString() };
  await registerAll(rig, 'books', [lee]);
  const codes = await registerAll(rig, 'books', swapped, early);
  assert.deepEqual(codes, ['local_user_id_mismatch,email_taken', 'local_user_id_mismatch']);
  assert.equal(await offered(rig, kim, 'books'), 'kim');
  assert.equal(await offered(rig, lee, 'books'), 'lee');
});

test('after any exchange of addresses in one batch, each free address has its stated user', async () => {
  await using rig = await membersRig();
  const number = { value: 0 };
  const places = fc.array(fc.nat(11), { minLength: 2, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(places, fc.array(fc.boolean(), { maxLength: 8 }), async (targets, shared) => {
      const scene = ++number.value;
      const address = (at: number) => `a${at}.${scene}@example.com`;
      const count = targets.length;
      const ids = targets.map((_, at) => `u${at}.${scene}`);
      const before = ids.map((id, at): Pair => [id, address(at)]);
      await registerAll(rig, 'books', before);
      const both = before.filter((_, at) => shared[at] === true);
      if (both.length > 0) await registerAll(rig, 'music', both);
      // Distinct addresses: the addresses of the users, and new ones.
      const taken = new Set<number>();
      const after = targets.flatMap((place, at): Pair[] => {
        const target = place % (count + 3);
        if (taken.has(target)) return [];
        taken.add(target);
        return [[ids[at]!, address(target)]];
      });
      const moving = new Set(after.map(([id]) => id));
      const blocked = new Set(before.filter(([id]) => !moving.has(id)).map(([, email]) => email));
      await registerAll(rig, 'books', after);
      const books = (await rig.context.platforms.byCode('books'))!;
      const current = new Map<string, string>(before);
      const free = after.filter(([, email]) => !blocked.has(email));
      // If a chain ends at a user who keeps the address, no user of the chain moves.
      const next = new Map(after);
      const stuck = ([id, email]: Pair, seen = new Set<string>()): boolean => {
        if (blocked.has(email)) return true;
        const holder = before.find(([, one]) => one === email)?.[0];
        if (holder === undefined || holder === id || seen.has(holder)) return false;
        seen.add(holder);
        return stuck([holder, next.get(holder)!], seen);
      };
      for (const pair of free) if (!stuck(pair)) current.set(...pair);
      const stated = [...current];
      const hashes = stated.map(([, email]) => emailHash(email).toString('hex'));
      const missing = await reconcile(
        rig.context,
        books,
        hashes,
        stated.map(([id]) => id),
      );
      assert.deepEqual(missing, []);
      for (const pair of stated) assert.equal(await offered(rig, pair, 'books'), pair[0]);
    }),
    { numRuns: 30 },
  );
});

test('reconciling with ids returns the addresses that lead to another user', async () => {
  await using rig = await membersRig();
  await registerAll(rig, 'books', [kim, lee]);
  const books = (await rig.context.platforms.byCode('books'))!;
  const caller = await callerOf(rig, 'books');
  await register(rig.context, caller, { platform: 'books', email: 'park@example.com' });
  const users: readonly Pair[] = [kim, lee, ['park', 'park@example.com']];
  const hashes = users.map(([, email]) => emailHash(email).toString('hex'));
  const missing = (...ids: string[]) => reconcile(rig.context, books, hashes, ids);
  assert.deepEqual(await missing('kim', 'lee', 'park'), [], 'a link without an id is known');
  assert.deepEqual(await missing('lee', 'kim', 'park'), hashes.slice(0, 2));
  await assert.rejects(missing('kim'), { code: 'validation_failed' });
});
