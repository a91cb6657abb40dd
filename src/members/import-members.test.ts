import assert from 'node:assert/strict';
import { test } from 'node:test';
import { membersRig, operator, type MembersRig } from '../../test/members/rig.ts';
import { storageUnavailable } from '../kernel/storage-failure.ts';
import { eraseMember } from './erase.ts';
import { importMembers, type ImportOptions, type ImportRow } from './import-members.ts';
import { register } from './register.ts';
import type { MemberStore } from './store/store.ts';
import { verifyAudit } from './verify-audit.ts';
import { addWebhookEndpoint } from './webhooks.ts';

const asha = { email: 'Asha@example.com', local_user_id: 'u-1', extra: { plan: 'monthly' } };
const bina = { email: 'bina@example.com', local_user_id: 'u-2' };

test('an import registers its rows, links known members, and changes nothing when repeated', async () => {
  await using rig = await membersRig();
  await register(rig.context, await rig.caller('music'), { ...bina, platform: 'music' });
  rig.clock.now += 1_000;
  const first = await runImport(rig, [asha, bina]);
  assert.deepEqual(first.report, {
    rows: 2,
    created: 1,
    linked: 1,
    known: 0,
    refused: 0,
    refusals: {},
    warnings: {},
  });
  const links = await linksOf(rig);
  assert.deepEqual(
    links.map(({ localUserId, verified }) => [localUserId, verified]),
    [
      ['u-1', true],
      ['u-2', true],
    ],
  );
  rig.clock.now += 1_000;
  const again = await runImport(rig, [asha, bina]);
  assert.deepEqual([again.report.known, again.report.refused], [2, 0]);
  assert.deepEqual(await linksOf(rig), links);
  const totals = await rig.context.store.read.events.totals();
  const ofBooks = totals.filter(
    ({ platformId, event }) => platformId === 0 && event === 'register',
  );
  assert.deepEqual(
    ofBooks.map(({ count }) => count),
    [2],
  );
});

test('rows that are wrong or in conflict are refused with their line; the others are imported', async () => {
  await using rig = await membersRig();
  const { report, refused } = await runImport(rig, [
    { ...asha, local_user_id: 'u-1' },
    { email: 'no address', local_user_id: 'u-3' },
    { ...bina, platform: 'music' },
    { email: 'another@example.com', local_user_id: 'u-1' },
    { email: 'asha@example.com', local_user_id: 'u-9' },
    bina,
  ]);
  assert.deepEqual(
    refused.map(({ line, code }) => [line, code]),
    [
      [2, 'invalid_email'],
      [3, 'platform_mismatch'],
      [4, 'registration_outdated'],
      [5, 'local_user_id_mismatch'],
    ],
  );
  assert.deepEqual([report.created, report.refused], [2, 4]);
  assert.doesNotMatch(refused.map(({ message }) => message).join(), /@/);
});

test('an import does not revive a member erased after the time of its data', async () => {
  await using rig = await membersRig();
  await runImport(rig, [asha]);
  const uid = (await rig.context.store.read.members.byLocalUserId(0, 'u-1'))!.svcUid;
  rig.clock.now += 60_000;
  await eraseMember(rig.context, uid, operator);
  const asOf = rig.clock.now - 30_000;
  rig.clock.now += 60_000;
  const late = await runImport(rig, [asha], { asOf });
  assert.deepEqual(late.report.refusals, { member_erased: 1 });
  const { report } = await runImport(rig, [{ ...asha, requested_at: '2026-11-18T12:01:30+09:00' }]);
  assert.equal(report.created, 1);
});

test('rows before and after a refused row of the same transaction are stored', async () => {
  await using rig = await membersRig();
  await runImport(rig, [asha]);
  const asOf = rig.clock.now;
  const uid = (await rig.context.store.read.members.byLocalUserId(0, 'u-1'))!.svcUid;
  await eraseMember(rig.context, uid, operator);
  rig.clock.now += 1_000;
  const others = Array.from({ length: 20 }, (_, at) => ({
    email: `u${at}@example.com`,
    local_user_id: `o-${at}`,
  }));
  const rows = [...others.slice(0, 10), asha, ...others.slice(10)];
  const { report } = await runImport(rig, rows, { asOf });
  assert.deepEqual([report.created, report.refusals], [20, { member_erased: 1 }]);
  const ids = (await linksOf(rig)).map(({ localUserId }) => localUserId);
  assert.deepEqual(ids, others.map(({ local_user_id: id }) => id).toSorted());
});

test('a link that moved after the time of the data stays where it is', async () => {
  await using rig = await membersRig();
  const caller = await rig.caller('books');
  await register(rig.context, caller, { ...asha, platform: 'books' });
  const asOf = (rig.clock.now += 60_000);
  rig.clock.now += 60_000;
  const moved = { ...asha, email: 'asha@new.example.com', platform: 'books' };
  const { svc_uid: uid } = await register(rig.context, caller, moved);
  const { report } = await runImport(rig, [asha], { asOf });
  assert.deepEqual(report.refusals, { registration_outdated: 1 });
  assert.equal((await rig.context.store.read.members.byLocalUserId(0, 'u-1'))?.svcUid, uid);
});

test('a dry run reports what an import would do and stores nothing', async () => {
  await using rig = await membersRig();
  const rows = [asha, { email: 'no address' }, bina];
  const before = await rig.context.store.read.audit.head();
  const dryRun = await runImport(rig, rows, { isDryRun: true });
  assert.deepEqual(await linksOf(rig), []);
  assert.deepEqual(await rig.context.store.read.audit.head(), before);
  const realRun = await runImport(rig, rows);
  assert.deepEqual(dryRun, realRun);
});

test('rows that the store could not take at first are retried, and reported as created', async () => {
  await using rig = await membersRig();
  let writes = 0;
  const store = new Proxy(rig.context.store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      const call = value.bind(target) as MemberStore['write'];
      if (name !== 'write') return call;
      // The first write is the audit entry; the next one, of the rows, fails once.
      return async (work: Parameters<MemberStore['write']>[0]) => {
        if (++writes === 2) throw storageUnavailable(new Error('database is locked'));
        return call(work);
      };
    },
  });
  const { report } = await runImport({ ...rig, context: { ...rig.context, store } }, [asha, bina]);
  assert.deepEqual([report.created, report.known], [2, 0]);
});

test('webhooks report imported members only on request', async () => {
  await using rig = await membersRig();
  await addWebhookEndpoint(rig.context, 'https://a.example.com', ['member.created'], operator);
  await runImport(rig, [asha]);
  assert.deepEqual(await rig.context.store.read.webhooks.list(1e9, 10), []);
  await runImport(rig, [bina], { sendsWebhooks: true });
  assert.equal((await rig.context.store.read.webhooks.list(1e9, 10)).length, 1);
});

test('the audit log has the start and the end of an import with its counts, and no address', async () => {
  await using rig = await membersRig();
  await runImport(rig, [asha, { email: 'no address' }]);
  const rows = await rig.context.store.read.audit.after(0, 200);
  const [started, ended] = rows.slice(-2);
  assert.deepEqual([started?.action, started?.subject], ['import_started', 'books']);
  assert.equal(ended?.action, 'import_ended');
  assert.match(ended.detail, /"created":1,.*"refused":1/);
  assert.doesNotMatch(JSON.stringify(rows), /@example/);
  assert.equal((await verifyAudit(rig.context)).intact, true);
});

test('a stopped import keeps what is stored, is in the audit log, and is resumed', async () => {
  await using rig = await membersRig();
  const rows = Array.from({ length: 600 }, (_, at) => ({
    email: `u${at}@example.com`,
    local_user_id: `${at}`,
  }));
  const controller = new AbortController();
  const stopping = runImport(rig, rows, {
    signal: controller.signal,
    onProgress: () => controller.abort(new Error('stopped')),
  });
  await assert.rejects(stopping, { message: 'stopped' });
  const stored = (await linksOf(rig)).length;
  assert.ok(stored > 0 && stored < 600, String(stored));
  const log = await rig.context.store.read.audit.after(0, 200);
  assert.equal(log.at(-1)?.action, 'import_stopped');
  rig.clock.now += 1_000;
  const { report } = await runImport(rig, rows);
  assert.deepEqual([report.known, report.created], [stored, 600 - stored]);
});

async function runImport(
  rig: MembersRig,
  bodies: readonly object[],
  options: Partial<ImportOptions> = {},
) {
  const refused: { line: number; code: string; message: string }[] = [];
  const rows = bodies.map((body, at) => ({ line: at + 1, body: { ...body } }));
  const report = await importMembers(rig.context, once(rows), {
    platform: (await rig.context.platforms.byCode('books'))!,
    operator,
    asOf: rig.clock.now - 1,
    isDryRun: false,
    sendsWebhooks: false,
    signal: new AbortController().signal,
    onRefused: ({ line, code, message }) => refused.push({ line, code, message }),
    onProgress: () => {},
    ...options,
  });
  return { report, refused };
}

async function* once(rows: readonly ImportRow[]): AsyncGenerator<readonly ImportRow[]> {
  yield rows;
}

/** The links of the platform `books`, with their members. */
async function linksOf({ context }: MembersRig) {
  const { members, memberships } = context.store.read;
  const all = (await members.list(0, 1_000)).map(async ({ id }) => memberships.of(id));
  const links = (await Promise.all(all)).flat().filter(({ platformId }) => platformId === 0);
  return links.toSorted((a, b) => (a.localUserId ?? '').localeCompare(b.localUserId ?? ''));
}
