import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLongForm } from '../long-form.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { collectOnce } from './catalog-demand-once.ts';
import { catalogText } from './collecting-catalog.ts';
import { portalAtNoon } from './portal-at-noon.ts';
import { servedRanking } from './collecting-demand.ts';
import { runKilled } from './run-killed.ts';

/** Numbers of the disk writes at which processes are killed, one for each process. */
const kills = isLongForm
  ? { catalog: [4, 6, 8, 10, 13, 17, 22, 26], demand: [3, 9, 20, 37, 16, 30] }
  : { catalog: [4, 17], demand: [9, 37] };

test('a killed catalog or ranking run resumes without losing or re-requesting responses', async () => {
  using plain = temporaryFolder();
  using killed = temporaryFolder();
  await using portal = await portalAtNoon();
  for (const source of ['catalog', 'demand'] as const) {
    const before = portal.requests.length;
    assert.ok(await collectOnce(source, plain.path, portal.url));
    const requested = portal.requests.length - before;
    await runKilled(['catalog-demand-once.ts', source, killed.path, portal.url], kills[source]);
    assert.ok(await collectOnce(source, killed.path, portal.url));
    const repeated = portal.requests.length - before - 2 * requested;
    // A kill interrupts one request, or the three of a file.
    const lost = source === 'catalog' ? kills.catalog.length * 3 : kills.demand.length;
    assert.ok(repeated <= lost, `${source}: ${repeated} requests were repeated.`);
  }
  assert.equal(catalogText(killed.path), catalogText(plain.path));
  assert.deepEqual(servedRanking(killed.path)?.items, servedRanking(plain.path)?.items);
});
