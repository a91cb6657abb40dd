import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { test } from 'node:test';
import { readRows } from '../../src/data/snapshot/records.ts';
import { VersionStore } from '../../src/harvest/datasets/version-store.ts';
import { runLimits } from '../../src/harvest/runs/limits.ts';
import { StoredAxes } from '../../src/harvest/runs/stored-axes.ts';
import { isLongForm } from '../long-form.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { collectFrom, hashesOf } from './collecting.ts';
import { portalAtNoon } from './portal-at-noon.ts';
import { collectDatasets } from './datasets.ts';
import { runKilled } from './run-killed.ts';

const allAxes = ['gen_storezoneinadmi', 'gen_storezoneone', 'std_library', 'tago_busroute'];
const axes = isLongForm ? allAxes : allAxes.slice(0, 3);
/** Numbers of the disk writes at which processes are killed, one for each process; a round adds its own number. */
const allKills = [3, 60, 1, 110, 12, 33, 25, 7, 45, 90, 5, 70, 18, 52, 2, 40, 9, 28, 64, 15];
const kills = isLongForm ? allKills : allKills.slice(0, 4);
const allDatasetKills = [2, 9, 22, 40, 5, 14, 31, 18];
const datasetKills = isLongForm ? allDatasetKills : allDatasetKills.slice(0, 3);

for (let round = 0; round < (isLongForm ? 10 : 1); round++) {
  test(`a run killed ${kills.length} times resumes without requesting a response again (${round})`, () =>
    killAndCompare(kills.map((at) => at + round)));
}

async function killAndCompare(kills: readonly number[]): Promise<void> {
  using plain = temporaryFolder();
  using killed = temporaryFolder();
  await using portal = await portalAtNoon({ scale: { gen_storezoneinadmi: 150 } });
  await collectFrom(plain.path, axes, { gateway: portal.url });
  const requested = portal.requests.length;
  await runKilled(['collect-once.ts', killed.path, portal.url, ...axes], kills);
  const { axes: finished } = await collectFrom(killed.path, axes, { gateway: portal.url });
  assert.ok(finished.every(isPublished), JSON.stringify(finished));
  assert.deepEqual(hashesOf(killed.path, axes), hashesOf(plain.path, axes));
  // Only responses that a kill interrupted may be requested again.
  const repeated = portal.requests.length - 2 * requested;
  assert.ok(
    repeated <= kills.length * runLimits.callsAtOnceMax,
    `${repeated} requests were repeated.`,
  );
}

test(`a run of files, history and standard data survives ${datasetKills.length} kills`, async () => {
  using plain = temporaryFolder();
  using killed = temporaryFolder();
  await using portal = await portalAtNoon();
  const numbers = ['990000001', '990000004', '15012890'];
  const codes = numbers.map((number) => `file_${number}`);
  const datasetOptions = { hasKey: true, history: true };
  await collectDatasets(plain.path, numbers, { gateway: portal.url, datasetOptions });
  const requested = portal.requests.length;
  await runKilled(['collect-datasets-once.ts', killed.path, portal.url, ...numbers], datasetKills);
  const finished = await collectDatasets(killed.path, numbers, {
    gateway: portal.url,
    datasetOptions,
  });
  assert.ok(finished.axes.every(isPublished), JSON.stringify(finished.axes));
  assert.deepEqual(hashesOf(killed.path, codes), hashesOf(plain.path, codes));
  for (const number of numbers) {
    assert.deepEqual(versionsOf(killed.path, number), versionsOf(plain.path, number));
  }
  const files = portal.requests.filter(({ address }) => address.endsWith('fileDownload.do'));
  const each = Map.groupBy(files, ({ query }) => query.get('atchFileId'));
  // A file is requested once, and again only if a kill interrupted its download.
  const repeated = [...each.values()].reduce((sum, times) => sum + times.length - 2, 0);
  assert.ok(repeated <= datasetKills.length, `${repeated} files were requested again.`);
  assert.ok(portal.requests.length - 2 * requested <= datasetKills.length * stepsMax);
});

test('a run with a request that always fails, killed twice, loses nothing', async () => {
  using plain = temporaryFolder();
  using killed = temporaryFolder();
  const details = 'gen_detail2';
  await using portal = await portalAtNoon({ scale: { gen_period2: 30 } });
  await collectFrom(plain.path, ['gen_period2'], { gateway: portal.url });
  cpSync(plain.path, killed.path, { recursive: true });
  using period = new StoredAxes(plain.path).openServed('gen_period2')!;
  const seqs = Array.from(readRows(period.records), ({ seq }) => String(seq));
  portal.setFaults([{ fault: 'agency_error', only: details, query: { seq: seqs[10]! } }]);
  for (let run = 0; run < runLimits.failedRunsMax; run++) {
    await collectFrom(plain.path, [details], { gateway: portal.url });
  }
  const requested = portal.requests.length;
  await runKilled(['collect-once.ts', killed.path, portal.url, details], [8, 31]);
  const finish = async (): Promise<boolean> =>
    (await collectFrom(killed.path, [details], { gateway: portal.url })).axes.every(isPublished);
  let runs = 0;
  while (!(await finish())) assert.ok(++runs <= runLimits.failedRunsMax);
  assert.deepEqual(hashesOf(killed.path, [details]), hashesOf(plain.path, [details]));
  const answered = portal.requests.slice(requested).filter(({ status }) => status === 200);
  assert.ok(answered.length <= 30 + 2 * runLimits.callsAtOnceMax, `${answered.length} answers.`);
});

/** Most requests for pages and addresses of the datasets that a kill may repeat. */
const stepsMax = 20;

function versionsOf(data: string, number: string): readonly string[] {
  return new VersionStore(data, number).versions().map(({ key, sha256 }) => `${key} ${sha256}`);
}

function isPublished({ outcome }: { readonly outcome: string }): boolean {
  return outcome === 'published';
}
