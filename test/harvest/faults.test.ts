import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultsAt, faultTable } from '../../sample/faults/schedule.ts';
import { isLongForm } from '../long-form.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { collectFrom, hashesOf, portalAtNoon } from './collecting.ts';

/** Five families: a walk, pages, years in XML, empty responses and an envelope of its own. */
const fewCodes = ['gen_categorycode2', 'std_library', 'nec_code', 'cltr_library', 'gen_area2'];
/** One axis of each other family, and lists. */
const otherCodes = [
  'gen_areabasedlist2',
  'gen_wthrwrnlist',
  'gen_strmlistinfoinqire',
  'gen_storezoneinadmi',
  'airport_bus',
];
const someCodes = isLongForm ? [...fewCodes, ...otherCodes] : fewCodes;

/** Two pages of each list that has pages. */
const scale = { gen_areabasedlist2: 1400, std_library: 1100, gen_egytlistinfoinqire: 40 };

test('each temporary fault alone ends in the records of a run without faults', async (t) => {
  using plain = temporaryFolder();
  {
    await using portal = await portalAtNoon({ scale });
    await collectFrom(plain.path, someCodes, { gateway: portal.url });
  }
  const expected = hashesOf(plain.path, someCodes);
  for (const fault of faultsAt('operations', { stays: false })) {
    await t.test(fault, async () => {
      using folder = temporaryFolder();
      // A fault that alters correct answers alters all of them; a slow fault is rare.
      const isSlow = fault === 'hang' || fault === 'drip';
      const rate = isSlow ? 0.05 : 'instead' in faultTable[fault] ? 0.3 : 1;
      await using portal = await portalAtNoon({ scale, faults: [{ fault, rate }] });
      await collectFrom(folder.path, someCodes, { gateway: portal.url });
      assert.deepEqual(hashesOf(folder.path, someCodes), expected);
      assert.ok(
        portal.requests.some((request) => request.fault === fault),
        'It struck nothing.',
      );
    });
  }
});
