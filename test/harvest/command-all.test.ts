import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axisDefinitions } from '../../src/harvest/operations/definitions.ts';
import { faultsAt, type FaultSetting } from '../../sample/faults/schedule.ts';
import { isLongForm } from '../long-form.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { hashesOf, portalAtNoon } from './collecting.ts';
import { atNoon, maru } from './maru.ts';

/** Scale of the lists: most are a tenth as long unless the long form is chosen. */
const scale = isLongForm ? 1 : 0.1;
const everyCode = axisDefinitions.map(({ code }) => code);

test('`collect --all` stores all 69 axes, with equal records under every temporary fault', async () => {
  using plain = temporaryFolder();
  using mixed = temporaryFolder();
  await collectAll(plain.path, []);
  const faults = await collectAll(mixed.path, [{ fault: 'mix', rate: 0.05 }]);
  const passing = faultsAt('operations', 'passing');
  assert.ok(faults.size > passing.length / 2, [...faults].join());
  const expected = hashesOf(plain.path, everyCode);
  assert.deepEqual(hashesOf(mixed.path, everyCode), expected);
  for (const [code, hash] of Object.entries(expected)) assert.doesNotMatch(hash, /^0 |held/, code);
});

/** Collects everything by the command line; returns the faults that occurred. */
async function collectAll(data: string, faults: readonly FaultSetting[]): Promise<Set<string>> {
  await using portal = await portalAtNoon({ faults, scale });
  const { code, output } = await maru(['collect', '--all'], data, atNoon(portal));
  assert.equal(code, 0, output);
  assert.match(output, /^69 axes, [\d,]+ rows in /m);
  return new Set(portal.requests.flatMap(({ fault }) => fault ?? []));
}
