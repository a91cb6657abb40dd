import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axisDefinitions } from '../../src/collect/axes/definitions.ts';
import { passingFaults } from '../../sample/faults/schedule.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { collectFrom, hashesOf, portalAtNoon } from './collecting.ts';

const everyCode = axisDefinitions.map(({ code }) => code);
/** A family each, with lists, walks, years, pages and XML among them. */
const someCodes = [
  'tago_busroute',
  'gen_wthrwrnlist',
  'gen_categorycode2',
  'cltr_library',
  'std_library',
  'gen_storezoneinadmi',
  'gen_searchstay2',
  'gen_area2',
];

test('all 69 axes are collected and held, and a portal with every passing fault gives the same records', async () => {
  using plain = temporaryFolder();
  using mixed = temporaryFolder();
  {
    await using portal = await portalAtNoon();
    const report = await collectFrom(plain.path, everyCode, { gateway: portal.url });
    assert.deepEqual(
      report.axes.filter(({ outcome, rows }) => outcome !== 'published' || rows === 0),
      [],
    );
  }
  await using portal = await portalAtNoon({ faults: [{ fault: 'mix', rate: 0.05 }] });
  const report = await collectFrom(mixed.path, everyCode, { gateway: portal.url });
  assert.deepEqual(
    report.axes.filter(({ outcome }) => outcome !== 'published'),
    [],
  );
  assert.ok(new Set(portal.requests.map(({ fault }) => fault)).size > passingFaults.length / 2);
  assert.deepEqual(hashesOf(mixed.path, everyCode), hashesOf(plain.path, everyCode));
});

test('each passing fault alone ends in the records of a faultless run', async (t) => {
  using plain = temporaryFolder();
  {
    await using portal = await portalAtNoon();
    await collectFrom(plain.path, someCodes, { gateway: portal.url });
  }
  const expected = hashesOf(plain.path, someCodes);
  for (const fault of passingFaults) {
    await t.test(fault, async () => {
      using folder = temporaryFolder();
      const rate = fault === 'hang' || fault === 'drip' ? 0.02 : 0.3;
      await using portal = await portalAtNoon({ faults: [{ fault, rate }] });
      await collectFrom(folder.path, someCodes, { gateway: portal.url });
      assert.deepEqual(hashesOf(folder.path, someCodes), expected);
    });
  }
});
