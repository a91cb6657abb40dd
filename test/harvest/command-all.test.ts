import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axisDefinitions } from '../../src/harvest/operations/definitions.ts';
import { faultsAt, type FaultSetting } from '../../sample/faults/schedule.ts';
import { isLongForm } from '../long-form.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { collectFrom, hashesOf } from './collecting.ts';
import { portalAtNoon } from './portal-at-noon.ts';
import { atNoon, maru } from './maru.ts';

/** Scale of the lists: a tenth of their length, and the whole length in the long form. */
const scale = isLongForm ? 1 : 0.1;
const everyCode = axisDefinitions.map(({ code }) => code);

/** Axes that a plain run collects for comparison: all of them, or some of each family. */
const comparedCodes = isLongForm
  ? everyCode
  : [
      'gen_areacode2',
      'gen_categorycode2',
      'gen_eqkmsg',
      'gen_restdeinfo',
      'gen_storezoneone',
      'gen_strmlistinfoinqire',
      'nec_code',
      'nec_pres_hist',
      'tago_busroute',
      'std_library',
      'airport_bus',
      'cltr_museum',
    ];

test('`collect --all` stores all 69 axes, with equal records under every temporary fault', async () => {
  using plain = temporaryFolder();
  using mixed = temporaryFolder();
  const faults = await collectAll(mixed.path, [{ fault: 'mix', rate: 0.05 }]);
  const temporary = faultsAt('operations', 'temporary');
  assert.ok(faults.size > temporary.length / 2, [...faults].join());
  const stored = hashesOf(mixed.path, everyCode);
  for (const [code, hash] of Object.entries(stored)) assert.doesNotMatch(hash, /^0 |held/, code);
  await collectPlain(plain.path);
  assert.deepEqual(hashesOf(mixed.path, comparedCodes), hashesOf(plain.path, comparedCodes));
});

/** Collects the compared axes without faults. */
async function collectPlain(data: string): Promise<void> {
  await using portal = await portalAtNoon({ scale });
  await collectFrom(data, comparedCodes, { gateway: portal.url });
}

/** Collects everything by the command line; returns the faults that occurred. */
async function collectAll(data: string, faults: readonly FaultSetting[]): Promise<Set<string>> {
  await using portal = await portalAtNoon({ faults, scale });
  const { code, output } = await maru(['collect', '--all'], data, atNoon(portal));
  assert.equal(code, 0, output);
  assert.match(output, /^69 axes, [\d,]+ rows in /m);
  return new Set(portal.requests.flatMap(({ fault }) => fault ?? []));
}
