import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayMs } from '../../src/data/korean-time.ts';
import { axisDefinitions } from '../../src/harvest/operations/definitions.ts';
import type { AnsweredRequest } from '../../sample/request-log.ts';
import { isLongForm } from '../long-form.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { collectFrom, hashesOf, noon, testClock } from './collecting.ts';
import { portalAtNoon } from './portal-at-noon.ts';

/** Axes, some with years or elections without records. The many requests of kma_ncst would hide the repetitions. */
const codes = isLongForm
  ? axisDefinitions.map(({ code }) => code).filter((code) => code !== 'kma_ncst')
  : ['nec_code', 'gen_24divisionsinfo'];

test('at most a tenth of the requests of a week of daily collections are repetitions', async () => {
  using folder = temporaryFolder();
  const clock = testClock();
  await using portal = await portalAtNoon({ clock: () => clock.now(), scale: 0.05 });
  let [calls, repeated] = [0, 0];
  for (let day = 0; day < 7; day++) {
    clock.pass(Math.max(0, noon + day * dayMs - clock.now()));
    const before = portal.requests.length;
    await collectFrom(folder.path, codes, { gateway: portal.url, clock });
    const sent = portal.requests.slice(before);
    calls += sent.length;
    repeated += sent.length - new Set(sent.map(nameOf)).size;
  }
  assert.ok(repeated > 0 && repeated <= calls / 10, `${repeated} of ${calls}`);
});

test('no record is lost when some answers are empty by a fault and others truly empty', async () => {
  using plain = temporaryFolder();
  using faulty = temporaryFolder();
  const few = ['nec_code', 'nec_winner', 'gen_24divisionsinfo'];
  await using portal = await portalAtNoon({ scale: 0.05 });
  await collectFrom(plain.path, few, { gateway: portal.url });
  // Empty answers to some years, and once to all requests of a service.
  portal.setFaults([
    { fault: 'total_zero', rate: 0.3, only: 'gen_24divisionsinfo' },
    { fault: 'total_zero', only: 'nec_winner' },
  ]);
  await collectFrom(faulty.path, few, { gateway: portal.url });
  assert.deepEqual(hashesOf(faulty.path, few), hashesOf(plain.path, few));
  assert.ok(portal.requests.filter(({ fault }) => fault === 'total_zero').length > 10);
  // A later run sends each request that had records again if its answer is empty.
  portal.setFaults([{ fault: 'total_zero' }]);
  const { axes } = await collectFrom(plain.path, few, { gateway: portal.url });
  assert.deepEqual(
    axes.map(({ outcome }) => outcome),
    ['unchanged', 'unchanged', 'unchanged'],
  );
});

function nameOf({ address, query }: AnsweredRequest): string {
  return JSON.stringify([address, ...query]);
}
