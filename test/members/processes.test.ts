import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { test } from 'node:test';
import { emailHash } from '../../src/members/email.ts';
import { isLongForm } from '../long-form.ts';
import { membersRig } from './rig.ts';

const kills = isLongForm ? 20 : 3;
const storm = join(import.meta.dirname, 'storm.ts');

test('T4: 64 equal registrations from each of two processes create one member an address', async () => {
  await using rig = await membersRig();
  const runs = [1, 2].map(() => runStorm([rig.place.address, '200', '64', 'equal']));
  const results = await Promise.all(runs);
  for (const { code, complaint } of results) assert.equal(code, 0, complaint);
  const byAddress = Map.groupBy(
    results.flatMap(({ answers }) => answers),
    ({ email }) => email,
  );
  assert.equal(byAddress.size, 200);
  for (const answers of byAddress.values()) {
    assert.equal(answers.length, 128);
    assert.equal(new Set(answers.map(({ uid }) => uid)).size, 1);
    assert.equal(answers.filter(({ created }) => created).length, 1);
  }
});

test(`acknowledged writes survive ${kills} kills during a storm of writes`, async () => {
  await using rig = await membersRig();
  for (let round = 0; round < kills; round++) {
    // The kills come from the beginning of the storm to near its end.
    const killedAfter = 100 + Math.floor((round * 4_900) / kills);
    const { answers, complaint } = await runStorm(
      [rig.place.address, '5000', '1', `round${round}-`],
      killedAfter,
    );
    assert(answers.length >= killedAfter, complaint);
    await using store = await rig.place.open();
    const { members, memberships } = store.read;
    const checks = answers.map(async ({ email, uid }) => {
      const member = await members.byEmail('main', emailHash(email));
      assert.equal(member?.svcUid, uid, email);
      assert.notEqual(await memberships.at(member.homeId, 0), null);
    });
    await Promise.all(checks);
  }
});

interface StormResult {
  readonly code: number | null;
  readonly complaint: string;
  readonly answers: readonly { email: string; uid: string; created: boolean }[];
}

/** Runs the storm to its end, or kills it after a number of answers. */
async function runStorm(args: readonly string[], killAfter = Infinity): Promise<StormResult> {
  const child = spawn(process.execPath, [storm, ...args], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  // Both are pipes, by `stdio` above.
  const errors = child.stderr!;
  const answered = child.stdio[3] as Readable;
  let output = '';
  let lines = 0;
  let complaint = '';
  answered.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    lines += text.split('\n').length - 1;
    if (lines >= killAfter) child.kill('SIGKILL');
  });
  errors.setEncoding('utf8').on('data', (text: string) => (complaint += text));
  // `close` follows the last byte; its first argument is the exit code, null for a kill.
  const [code] = (await once(child, 'close')) as [number | null];
  const whole = output.slice(0, output.lastIndexOf('\n') + 1);
  const answers = Array.from(whole.matchAll(/^(\S+) (\S+) (true|false)$/gm), (line) => ({
    email: line[1]!,
    uid: line[2]!,
    created: line[3] === 'true',
  }));
  return { code, complaint, answers };
}
