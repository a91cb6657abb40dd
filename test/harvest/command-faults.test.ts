import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { FaultName } from '../../sample/faults/schedule.ts';
import { serveMaru } from '../end-to-end/run-maru.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { portalAtNoon } from './portal-at-noon.ts';
import { atNoon, maru } from './maru.ts';

const code = 'nec_code';

/** Faults, each with the expected finding of the served axis and the advice to the operator. */
const cases: readonly (readonly [FaultName, finding: string, next: RegExp])[] = [
  ['expired_key', 'not_collected', /extend it on https:\/\/www\.data\.go\.kr\/data\/\d+/],
  ['unregistered_key', 'not_collected', /Check MARU_SERVICE_KEY, and apply for the dataset on/],
  ['permission_denied', 'not_collected', /Check MARU_SERVICE_KEY, and that your account may use/],
  ['retired', 'not_collected', /see https:.* for its successor/],
  [
    'field_renamed',
    'fields_missing',
    /collect nec_code --reparse --accept` publishes the new data/,
  ],
  ['maintenance', 'not_collected', /as during maintenance: run again later/],
];

test('a failed collection ends with exit code 1, a report and the previous data', async () => {
  using folder = temporaryFolder();
  await using portal = await portalAtNoon();
  const run = (environment = {}) =>
    maru(['collect', code], folder.path, { ...atNoon(portal), ...environment });
  assert.equal((await run()).code, 0);
  await using server = await serveMaru(folder.path);
  const good = await servedAxis(server.address, folder.path);
  assert.ok(good.total > 100 && good.findings.length === 0);
  for (const [fault, finding, next] of cases) {
    portal.setFaults([{ fault }]);
    await assertFailed(await run(), finding, next);
  }
  // Hours later the finding has the same `since`.
  const later = await run({ HOURS_LATER: '5' });
  await assertFailed(later, 'not_collected', /as during maintenance: run again later/);
  const asJson = await maru(['collect', 'report', '--json'], folder.path, {});
  assert.match(asJson.output, /"since": "2026-11-21T03:/);
  portal.setFaults([]);
  await assertFailed(
    await run({ MARU_SERVICE_KEY: 'Wrong+Key==' }),
    'not_collected',
    /Check MARU_SERVICE_KEY/,
  );
  const { code: lastCode, output } = await run();
  assert.equal(lastCode, 0, output);
  assert.deepEqual(await servedAxis(server.address, folder.path), good);

  async function assertFailed(
    result: Awaited<ReturnType<typeof run>>,
    finding: string,
    next: RegExp,
  ) {
    assert.equal(result.code, 1, result.output);
    assert.match(result.output, next);
    const report = await maru(['collect', 'report'], folder.path, {});
    assert.equal(report.code, 0);
    assert.match(report.output, new RegExp(`^failed {7}${code} [^]*^  ${finding} since `, 'm'));
    assert.match(report.output, next);
    const now = await servedAxis(server.address, folder.path);
    assert.deepEqual({ ...now, findings: [] }, good);
    assert.ok(now.findings.includes(finding), now.findings.join());
  }
});

interface ServedAxis {
  readonly total: number;
  readonly first: unknown;
  readonly findings: readonly string[];
}

interface Answer {
  readonly total: number;
  readonly items: readonly unknown[];
  readonly meta: { readonly snapshot: string };
}

interface Axes extends Answer {
  readonly items: readonly {
    readonly code: string;
    readonly quality: { readonly findings: readonly { readonly kind: string }[] } | null;
  }[];
}

/** The axis as the server answers it, once the server has opened the current snapshot. */
async function servedAxis(address: string, data: string): Promise<ServedAxis> {
  const current = readFileSync(join(data, 'current'), 'utf8').trim();
  for (; ; await pause(20)) {
    const axes = await answer<Axes>(`${address}/api/axes?limit=500`);
    const { total, items, meta } = await answer<Answer>(
      `${address}/api/data/axis?axis=${code}&limit=1`,
    );
    if (axes.meta.snapshot !== current || meta.snapshot !== current) continue;
    const quality = axes.items.find((axis) => axis.code === code)?.quality;
    return { total, first: items[0], findings: quality?.findings.map(({ kind }) => kind) ?? [] };
  }
}

async function answer<Read>(url: string): Promise<Read> {
  const response = await fetch(url);
  assert.equal(response.status, 200, url);
  return (await response.json()) as Read;
}
