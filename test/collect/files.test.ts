import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collectFiles } from '../../src/collect/download/collect-files.ts';
import { OpenedSnapshot } from '../../src/data/snapshot/opened.ts';
import { currentId } from '../../src/data/snapshot/shelf.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { portalAtNoon, testClock } from './collecting.ts';
import { fileDatasets } from '../../sample/files/datasets.ts';

test('every file dataset the portal gives out is downloaded and held, the others say why not', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon();
  const datasets = fileDatasets(1);
  const numbers = datasets.map(({ number }) => number);
  const given = datasets.filter(({ from }) => from === 'portal').map(({ number }) => number);
  const { loaded, failed } = await collectFiles(folder.path, numbers, {
    gateway: portal.url,
    origin: 'sample',
    clock: testClock(),
  });
  assert.deepEqual(
    failed.map(({ number }) => number).toSorted(),
    numbers.filter((number) => !given.includes(number)).toSorted(),
  );
  assert.deepEqual(loaded?.notHeld, []);
  using opened = OpenedSnapshot.open(folder.path, currentId(folder.path)!);
  assert.deepEqual([...opened.axes.keys()], given.map((number) => `file_${number}`).toSorted());
  for (const { axis } of opened.axes.values()) {
    assert.equal(axis.origin, 'sample');
    assert.notEqual(axis.sourceModified, null);
  }
});
