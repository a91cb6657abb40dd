import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isLongForm } from '../long-form.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { catalogText } from './collecting-catalog.ts';
import { portalAtNoon } from './portal-at-noon.ts';
import { heldRanking } from './collecting-demand.ts';

/** Number of the disk write at which a process is killed; it differs in most rounds. */
const kills = isLongForm
  ? { catalog: [4, 6, 8, 10, 13, 17, 22, 26], demand: [3, 9, 20, 37, 16, 30] }
  : { catalog: [4, 17], demand: [9, 37] };

test('a killed catalog or ranking run resumes without losing or re-requesting responses', async () => {
  using plain = temporaryFolder();
  using killed = temporaryFolder();
  await using portal = await portalAtNoon();
  for (const what of ['catalog', 'demand'] as const) {
    const before = portal.requests.length;
    assert.equal(await collectOnce(what, plain.path, portal.url, 0), null);
    const requested = portal.requests.length - before;
    for (const at of kills[what]) {
      const signal = await collectOnce(what, killed.path, portal.url, at);
      assert.equal(signal, 'SIGKILL', `${what} came to its end before call ${at}.`);
    }
    assert.equal(await collectOnce(what, killed.path, portal.url, 0), null);
    const twice = portal.requests.length - before - 2 * requested;
    // A kill interrupts one request, or the three of a file.
    const lost = what === 'catalog' ? kills.catalog.length * 3 : kills.demand.length;
    assert.ok(twice <= lost, `${what}: ${twice} requests were repeated.`);
  }
  assert.equal(catalogText(killed.path), catalogText(plain.path));
  assert.deepEqual(heldRanking(killed.path)?.items, heldRanking(plain.path)?.items);
});

/** The signal that ended the process; null if it ended with success. */
async function collectOnce(
  what: string,
  data: string,
  gateway: string,
  killAt: number,
): Promise<string | null> {
  const program = [pathOf('../faults/kill-at-call.ts'), pathOf('catalog-demand-once.ts')] as const;
  const child = spawn(process.execPath, ['--import', ...program, what, data, gateway], {
    env: { ...process.env, KILL_AT_CALL: String(killAt) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  assert.ok(code === 0 || signal === 'SIGKILL', output);
  return signal;
}

function pathOf(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
