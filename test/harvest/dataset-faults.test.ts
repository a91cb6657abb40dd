import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLongForm } from '../long-form.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { hashesOf } from './collecting.ts';
import { portalAtNoon } from './portal-at-noon.ts';
import { collectDatasets } from './datasets.ts';
import { sampleFileNumbers } from './sample-files.ts';
import { triedFaults } from './tried-faults.ts';

/** Numbers of the files to collect with a mix of faults: every third file, in the long form of the tests all. */
const mixedNumbers = sampleFileNumbers.filter((_, at) => isLongForm || at % 3 === 0);
const mixedFiles = mixedNumbers.map((number) => `file_${number}`);
/** Numbers of a text file, a workbook and an archive. */
const someNumbers = ['990000001', '990000004', '990000006'];
const someFiles = someNumbers.map((number) => `file_${number}`);
/** Rows of the standard data of parking lots: two pages. */
const rowCounts = { std_parking: 1100 };

test('files of a portal with every temporary fault have the records of a faultless one', async () => {
  using plain = temporaryFolder();
  using mixed = temporaryFolder();
  await using portal = await portalAtNoon();
  await collectDatasets(plain.path, mixedNumbers, { gateway: portal.url });
  portal.setFaults([{ fault: 'mix', rate: 0.3 }]);
  const { axes } = await collectDatasets(mixed.path, mixedNumbers, { gateway: portal.url });
  assert.deepEqual(
    axes.filter(({ outcome }) => outcome !== 'published'),
    [],
  );
  assert.deepEqual(hashesOf(mixed.path, mixedFiles), hashesOf(plain.path, mixedFiles));
});

test('each temporary fault at every step of a download ends in the same records', async (t) => {
  using plain = temporaryFolder();
  await using portal = await portalAtNoon();
  await collectDatasets(plain.path, someNumbers, { gateway: portal.url });
  const expected = hashesOf(plain.path, someFiles);
  for (const [at, fault] of triedFaults('files', 'temporary').entries()) {
    await t.test(fault, async () => {
      using folder = temporaryFolder();
      // Each fault is tried on one kind of file, in turn, in the long form on all; the slow ones only on the text file.
      const isSlow = fault === 'hang' || fault === 'drip';
      const oneKind = [someNumbers[isSlow ? 0 : at % someNumbers.length]!];
      const numbers = isLongForm && !isSlow ? someNumbers : oneKind;
      portal.setFaults([{ fault }]);
      const before = portal.requests.length;
      await collectDatasets(folder.path, numbers, { gateway: portal.url });
      for (const number of numbers) {
        const code = `file_${number}`;
        assert.equal(hashesOf(folder.path, [code])[code], expected[code], code);
      }
      assert.ok(
        portal.requests.slice(before).some((request) => request.fault === fault),
        'The fault did not occur.',
      );
    });
  }
});

test('each temporary fault at odcloud and at the standard data ends in the same records', async (t) => {
  const upstreams = [
    ['odcloud', '990000008', 'odcloud'],
    ['standard', '15012890', 'operations'],
  ] as const;
  await using portal = await portalAtNoon({ scale: rowCounts });
  for (const [upstream, number, faultPlace] of upstreams) {
    using plain = temporaryFolder();
    portal.setFaults([]);
    await collectBy(upstream, number, plain.path, portal.url);
    const codes = [`file_${number}`];
    const expected = hashesOf(plain.path, codes);
    // Standard data has the gateway of the operations, whose faults faults.test.ts tries one by one.
    const single =
      faultPlace === 'odcloud' || isLongForm ? triedFaults(faultPlace, 'temporary') : [];
    for (const fault of [...single, 'mix'] as const) {
      await t.test(`${upstream}: ${fault}`, async () => {
        using folder = temporaryFolder();
        const rate = fault === 'mix' ? 0.05 : 1;
        portal.setFaults([{ fault, rate }]);
        await collectBy(upstream, number, folder.path, portal.url);
        assert.deepEqual(hashesOf(folder.path, codes), expected);
      });
    }
  }
});

async function collectBy(
  upstream: 'odcloud' | 'standard',
  number: string,
  data: string,
  gateway: string,
): Promise<void> {
  const { axes } = await collectDatasets(data, [number], {
    gateway,
    datasetOptions: { upstream, hasKey: true },
  });
  assert.equal(axes[0]?.outcome, 'published', JSON.stringify(axes));
}
