import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { runLimits } from '../../src/collect/run/limits.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { collectFrom, hashesOf, portalAtNoon } from './collecting.ts';

const codes = ['gen_storezoneinadmi', 'gen_storezoneone', 'std_library', 'tago_busroute'];
/** Which call that changes the disk a process is killed at: seldom the same place twice. */
const kills = [3, 25, 60, 7, 110, 45, 1, 90, 12, 33, 5, 70, 18, 52, 2, 40, 9, 28, 64, 15];

test('twenty times kill -9 at any moment loses nothing and asks for nothing twice that is stored', async () => {
  using plain = temporaryFolder();
  using killed = temporaryFolder();
  await using portal = await portalAtNoon();
  await collectFrom(plain.path, codes, { gateway: portal.url });
  const asked = portal.requests.length;
  let killedTimes = 0;
  for (const at of kills) {
    const signal = await collectOnce(killed.path, portal.url, at);
    if (signal === 'SIGKILL') killedTimes++;
  }
  assert.equal(killedTimes, kills.length, 'A process came to its end too early.');
  assert.equal(await collectOnce(killed.path, portal.url, 0), null);
  assert.deepEqual(hashesOf(killed.path, codes), hashesOf(plain.path, codes));
  // What was on its way when a process died is all that may be asked again.
  const twice = portal.requests.length - 2 * asked;
  assert.ok(twice <= killedTimes * runLimits.callsAtOnceMax, `${twice} requests were repeated.`);
});

/** The signal that ended it; null when it came to its end with success. */
async function collectOnce(data: string, gateway: string, killAt: number): Promise<string | null> {
  const child = spawn(
    process.execPath,
    [
      '--import',
      pathOf('../chaos/kill-at-call.ts'),
      pathOf('collect-once.ts'),
      data,
      gateway,
      ...codes,
    ],
    { env: { ...process.env, KILL_AT_CALL: String(killAt) }, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  assert.ok(code === 0 || signal === 'SIGKILL', said);
  return signal;
}

function pathOf(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
