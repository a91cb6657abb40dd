import assert from 'node:assert/strict';
import { test } from 'node:test';
import { membersRig, operator, type MembersRig } from '../../test/members/rig.ts';
import { audit } from './audit.ts';
import { runRetention } from './retention.ts';
import { verifyAudit } from './verify-audit.ts';

const dayMs = 86_400_000;

/** Appends rows in one transaction. */
async function append({ context }: MembersRig, rows: number): Promise<void> {
  await context.store.write(async (tx) => {
    for (let row = 0; row < rows; row++) {
      await audit(context, tx, operator, { action: 'tier_changed', subject: 'svc_a' });
    }
  });
}

async function retain({ context }: MembersRig, auditDays: number | null = null) {
  const policy = { eventDays: null, webhookDays: 30, auditDays, accessLogDays: null };
  const runs = await runRetention(context, policy);
  return runs.find(({ name }) => name === 'sealed_audit')!;
}

test('verifying pauses after each hundred rows, and starts at the last seal on request', async () => {
  await using rig = await membersRig();
  const first = (await verifyAudit(rig.context)).rows;
  await append(rig, 10_000 + 500 - first);
  let pauses = 0;
  const pause = async () => pauses++;
  assert.equal((await verifyAudit(rig.context, { pause })).rows, 10_500);
  assert.equal(pauses, 105);
  await retain(rig);
  pauses = 0;
  const verdict = await verifyAudit(rig.context, { from: 'seal', pause });
  assert.deepEqual(
    [verdict.intact, verdict.rows, verdict.checked_from, verdict.seals],
    [true, 10_500, 10_001, 1],
  );
  assert.equal(pauses, 5);
});

test('rows that are appended while the log is verified do not break it', async () => {
  await using rig = await membersRig();
  await append(rig, 250);
  const pause = () => append(rig, 30);
  const { intact, rows } = await verifyAudit(rig.context, { pause });
  assert.equal(intact, true);
  assert.ok(rows > 250);
});

test('T26: a changed row, a forged seal and a removal without a proof are found', async () => {
  const tamperings = [
    [`UPDATE audit SET reason = 'another' WHERE seq = 9`, 9],
    [`UPDATE audit_seals SET hash = 'f'`, 1],
    [`UPDATE audit_seals SET ended_at = 1`, 1],
    [`DELETE FROM audit WHERE seq <= (SELECT seq FROM audit_seals)`, 1],
    [`DELETE FROM audit WHERE seq <= (SELECT seq FROM audit_seals); DELETE FROM audit_seals`, 1],
    [`DELETE FROM audit WHERE seq < 10; UPDATE audit_seals SET removal = seal`, 1],
  ] as const;
  for (const [sql, faultAt] of tamperings) {
    await using rig = await membersRig();
    await append(rig, 20);
    rig.clock.now += 31 * dayMs;
    assert.equal((await retain(rig)).failure, null);
    await append(rig, 5);
    await rig.place.run(sql);
    const verdict = await verifyAudit(rig.context);
    assert.deepEqual([verdict.intact, verdict.faultAt], [false, faultAt], sql);
  }
});

test('a segment is not sealed over a broken chain, and the job reports the row', async () => {
  await using rig = await membersRig();
  await append(rig, 20);
  await rig.place.run(`UPDATE audit SET actor = 'another' WHERE seq = 9`);
  rig.clock.now += 31 * dayMs;
  assert.match((await retain(rig)).failure ?? '', /broken at row 9/);
  assert.equal(await rig.context.store.read.audit.lastSeal(), null);
});

test('retention removes sealed segments past their days, and the rest stays verifiable', async () => {
  await using rig = await membersRig();
  await append(rig, 700);
  rig.clock.now += 31 * dayMs;
  assert.equal((await retain(rig, 60)).removed, 0);
  await append(rig, 10);
  const early = (await verifyAudit(rig.context)).anchor;
  const sealed = (await rig.context.store.read.audit.lastSeal())!.seq;
  rig.clock.now += 30 * dayMs;
  const { removed, failure } = await retain(rig, 60);
  assert.deepEqual([removed, failure], [sealed, null]);
  const verdict = await verifyAudit(rig.context, { anchor: early });
  assert.deepEqual(
    [verdict.intact, verdict.checked_from, verdict.removed],
    [true, sealed + 1, sealed],
  );
  const rows = await rig.context.store.read.audit.after(sealed, 200);
  const entry = rows.find(({ action }) => action === 'audit_removed');
  assert.deepEqual(JSON.parse(entry?.detail ?? ''), { through: sealed });
  await assert.rejects(
    verifyAudit(rig.context, { anchor: `5:${'0'.repeat(64)}` }),
    /Row 5 of the anchor was removed/,
  );
  // All rows may be removed; the next one continues the chain.
  rig.clock.now += 91 * dayMs;
  await retain(rig, 60);
  rig.clock.now += 91 * dayMs;
  await retain(rig, 60);
  await append(rig, 1);
  assert.equal((await verifyAudit(rig.context)).intact, true);
});

test('rows that retention removes while the log is verified do not break it', async () => {
  await using rig = await membersRig();
  await append(rig, 700);
  rig.clock.now += 31 * dayMs;
  await retain(rig);
  rig.clock.now += 61 * dayMs;
  let isRemoved = false;
  const pause = async () => {
    if (!isRemoved) await retain(rig, 60);
    isRemoved = true;
  };
  assert.equal((await verifyAudit(rig.context, { pause })).intact, true);
});
