import assert from 'node:assert/strict';
import { test } from 'node:test';
import { faultsAt, faultTable, type FaultName } from '../../sample/faults/schedule.ts';
import { isLongForm } from '../long-form.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { collectFrom, hashesOf } from './collecting.ts';
import { portalAtNoon } from './portal-at-noon.ts';

/** Years in XML of two pages. */
const years = 'nec_code';
/** A walk of 28 requests, which every third fault meets. */
const walk = 'gen_categorycode2';
/** Axes with empty responses, large pages, an envelope of their own or lists, and one of each other family. */
const otherCodes = [
  'cltr_library',
  'std_library',
  'gen_area2',
  'gen_wthrwrnlist',
  'gen_strmlistinfoinqire',
  'gen_storezoneinadmi',
  'airport_bus',
  ...(isLongForm ? ['gen_areabasedlist2'] : []),
];

/** For each fault that few axes can have, one of these axes. */
const affected: Readonly<Partial<Record<FaultName, string>>> = {
  cdata: 'gen_area2',
  korean_keys: 'std_library',
  items_empty_text: 'cltr_library',
  items_missing: 'cltr_library',
  item_missing: 'cltr_library',
  body_missing: 'cltr_library',
  no_data_word: 'cltr_library',
  no_data_code: 'cltr_library',
};

/** Two pages of each list that has pages. */
const scale = {
  gen_areabasedlist2: 1400,
  std_library: 1010,
  gen_egytlistinfoinqire: 40,
  gen_storezoneinadmi: 150,
};

test('each temporary fault alone ends in the records of a run without faults', async (t) => {
  using plain = temporaryFolder();
  await using portal = await portalAtNoon({ scale });
  const everyCode = [years, walk, ...otherCodes];
  await collectFrom(plain.path, everyCode, { gateway: portal.url });
  const expected = hashesOf(plain.path, everyCode);
  for (const [at, fault] of faultsAt('operations', 'temporary').entries()) {
    // One other axis a fault in turn, all of them in the long form.
    const other = affected[fault] ?? otherCodes[at % otherCodes.length]!;
    const others = isLongForm ? otherCodes : [other];
    // A fault that replaces answers must let some requests succeed; a slow fault is rare, to save time.
    const isSlow = fault === 'hang' || fault === 'drip';
    const rate = isSlow ? 0.05 : 'replace' in faultTable[fault] ? 0.3 : 1;
    const isWalked = isLongForm || rate < 1 || at % 3 === 0;
    const codes = [years, ...(isWalked ? [walk] : []), ...others];
    await t.test(fault, async () => {
      using folder = temporaryFolder();
      portal.setFaults([{ fault, rate }]);
      const before = portal.requests.length;
      await collectFrom(folder.path, codes, { gateway: portal.url });
      for (const [code, hash] of Object.entries(hashesOf(folder.path, codes))) {
        assert.equal(hash, expected[code], code);
      }
      assert.ok(
        portal.requests.slice(before).some((request) => request.fault === fault),
        'The fault did not occur.',
      );
    });
  }
});
