import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { runLimits } from '../../src/harvest/runs/limits.ts';
import { SeededRandom } from '../../sample/seeded-random.ts';
import type { SamplePortal } from '../../sample/portal.ts';
import { startMaru } from '../end-to-end/run-maru.ts';
import { isLongForm } from '../long-form.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { hashesOf } from './collecting.ts';
import { portalAtNoon } from './portal-at-noon.ts';
import { atNoon, maru } from './maru.ts';

const allAxes = ['gen_storezoneone', 'std_library', 'nec_vote_status', 'tago_busroute'];
const axes = isLongForm ? allAxes : allAxes.slice(0, 2);
const kills = isLongForm ? 20 : 3;
const rounds = isLongForm ? 10 : 1;

for (let round = 0; round < rounds; round++) {
  test(`a command killed ${kills} times requests no stored page again (round ${round})`, (t) =>
    killAndFinish(t));
}

async function killAndFinish(t: TestContext): Promise<void> {
  using plain = temporaryFolder();
  using killed = temporaryFolder();
  await using portal = await portalAtNoon({ scale: { gen_storezoneinadmi: 150 } });
  const collect = ['collect', ...axes];
  const unbroken = await maru(collect, plain.path, atNoon(portal));
  assert.equal(unbroken.code, 0, unbroken.output);
  const requestTotal = portal.requests.length;
  const seed = randomInt(1_000_000);
  t.diagnostic(`seed ${seed}`);
  const random = new SeededRandom(seed);
  for (let kill = 0; kill < kills; kill++) {
    // Early enough that no round ends before its kill.
    const countMax = Math.floor((2 * requestTotal - portal.requests.length) / (kills - kill + 1));
    const at = portal.requests.length + random.whole(0, Math.max(0, 2 * countMax - 2));
    assert.equal(await killedAfter(portal, at, collect, killed.path), 'SIGKILL');
  }
  const { code, output } = await maru(collect, killed.path, atNoon(portal));
  assert.equal(code, 0, output);
  assert.deepEqual(hashesOf(killed.path, axes), hashesOf(plain.path, axes));
  // Only requests that a kill interrupted may be repeated.
  const repeated = portal.requests.length - 2 * requestTotal;
  t.diagnostic(`${repeated} of ${requestTotal} requests were made again`);
  assert.ok(
    repeated >= 0 && repeated <= kills * runLimits.callsAtOnceMax,
    `${repeated} requests were made again.`,
  );
}

/** Kills the command after `count` requests to the portal; returns the signal that ended it. */
async function killedAfter(portal: SamplePortal, count: number, words: string[], data: string) {
  const { child, ended } = startMaru(data, words, atNoon(portal));
  while (child.exitCode === null && portal.requests.length <= count) await pause(1);
  child.kill('SIGKILL');
  return (await ended).signal;
}
